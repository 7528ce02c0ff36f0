const dayMilliseconds = 86_400_000;

/** The calendar date (YYYY-MM-DD) on which an instant falls in an IANA zone (D10). Throws RangeError for an unknown zone. */
export function localDateOf(instant: Date, timeZone: string): string {
  return dates.of(timeZone).format(instant);
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

/** Minutes from midnight to what a wall clock shows at an instant in an IANA zone. Throws RangeError for an unknown zone. */
export function minutesOfDay(instant: Date, timeZone: string): number {
  const [hours = 0, minutes = 0] = clocks.of(timeZone).format(instant).split(':').map(Number);
  return hours * 60 + minutes;
}

// Each takes about 31 KB; the zones of those who move at the same time are few.
const mostFormatters = 128;

/** Formatters by zone: building one costs a hundred times as much as using it. */
class Formatters {
  private readonly made = new Map<string, Intl.DateTimeFormat>();

  constructor(
    private readonly locale: string,
    private readonly options: Intl.DateTimeFormatOptions,
  ) {}

  get size(): number {
    return this.made.size;
  }

  of(timeZone: string): Intl.DateTimeFormat {
    const known = this.made.get(timeZone);
    if (known) return known;
    const made = new Intl.DateTimeFormat(this.locale, { ...this.options, timeZone });
    const [oldest] = this.made.keys();
    if (oldest !== undefined && this.made.size >= mostFormatters) this.made.delete(oldest);
    this.made.set(timeZone, made);
    return made;
  }
}

// en-CA writes ISO order.
const dates = new Formatters('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });
const clocks = new Formatters('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** How many formatters are kept at hand. */
export const keptFormatters = (): number => dates.size + clocks.size;
