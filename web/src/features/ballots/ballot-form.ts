const mostNames = 5;
const dayMilliseconds = 86_400_000;

/** How long a ballot may be open, in days. */
export const lengthsDays = [1, 3, 7, 14] as const;
export const usualLengthDays = 7;

/** @param now milliseconds since 1970 @returns ISO, UTC */
export const endAfter = (days: number, now: number): string => new Date(now + days * dayMilliseconds).toISOString();

/** One field for each name a ballot may have. */
export const nameFields = (names: readonly string[]): string[] =>
  Array.from({ length: mostNames }, (_, at) => names[at] ?? '');

/** The names that were typed; empty fields are none. */
export const namesIn = (fields: readonly string[]): string[] =>
  fields.map((name) => name.trim()).filter((name) => name !== '');
