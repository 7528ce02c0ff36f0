const dayMilliseconds = 86_400_000;

/** The calendar date (YYYY-MM-DD) on which an instant falls in an IANA zone (D10). Throws RangeError for an unknown zone. */
export function localDateOf(instant: Date, timeZone: string): string {
  return formatterOf(timeZone).format(instant);
}

/** The date `days` later (negative: earlier) than a local date. */
export function addDays(localDate: string, days: number): string {
  return new Date(Date.parse(localDate) + days * dayMilliseconds).toISOString().slice(0, 10);
}

/** Whole days from one local date to a later one; negative when it is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMilliseconds);
}

/** The Monday (YYYY-MM-DD) of the week in which a local date lies; weeks start on Monday (D10). */
export function weekStartOf(localDate: string): string {
  const daysSinceMonday = (new Date(Date.parse(localDate)).getUTCDay() + 6) % 7;
  return addDays(localDate, -daysSinceMonday);
}

// Each takes about 31 KB; the zones of those who move at the same time are few.
const mostFormatters = 128;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** How many zones are kept at hand. */
export const keptFormatters = (): number => formatters.size;

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  // en-CA writes ISO order; building a formatter costs a hundred times as much as using it.
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const [oldest] = formatters.keys();
  if (oldest !== undefined && formatters.size >= mostFormatters) formatters.delete(oldest);
  formatters.set(timeZone, made);
  return made;
}
