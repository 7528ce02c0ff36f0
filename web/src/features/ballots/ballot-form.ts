const mostNames = 5;
const [minuteMilliseconds, dayMilliseconds] = [60_000, 86_400_000];

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

/** `YYYY-MM-DDThh:mm` as a date-and-time field wants it, by the browser's clock. */
export const inField = (instant: number): string =>
  new Date(instant - new Date(instant).getTimezoneOffset() * minuteMilliseconds).toISOString().slice(0, 16);

/** ISO, UTC; undefined where the field holds no instant. */
export function instantOf(field: string): string | undefined {
  const instant = Date.parse(field);
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString();
}
