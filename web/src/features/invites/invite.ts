/** How long an invite may last, in days. */
export const lifetimesDays = [1, 7, 14, 30, 90, 365] as const;
export const usualLifetimeDays = 14;

const dayMilliseconds = 86_400_000;

/** @param now milliseconds since 1970 @returns ISO, UTC */
export const expiryAfter = (days: number, now: number): string => new Date(now + days * dayMilliseconds).toISOString();

/** 'example.com, @example.org' as the server wants them. */
export const domainsIn = (typed: string): string[] =>
  typed
    .split(/[\s,;]+/)
    .map((domain) => domain.trim().toLowerCase().replace(/^@/, ''))
    .filter((domain) => domain !== '');

/** Nothing typed: any number of uses. undefined: not a number of uses. */
export function usesIn(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const uses = Number(text);
  return Number.isInteger(uses) && uses >= 1 && uses <= 100_000 ? uses : undefined;
}

/**
 * The outline of a code's dark squares as a path of one unit a square.
 * @param squares rows of a QR code, true where it is dark
 */
export const pathOf = (squares: readonly (readonly boolean[])[]): string =>
  squares
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .filter(Boolean)
    .join('');
