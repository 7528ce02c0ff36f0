const dayMilliseconds = 86_400_000;

/** YYYY-MM-DD (D10). Throws RangeError for an unknown zone. */
export function localDateOf(instant: Date, timeZone: string): string {
  return dates.of(timeZone).format(instant);
}

export function addDays(localDate: string, days: number): string {
  return new Date(Date.parse(localDate) + days * dayMilliseconds).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMilliseconds);
}

export function weekStartOf(localDate: string): string {
  const daysSinceMonday = (new Date(Date.parse(localDate)).getUTCDay() + 6) % 7;
  return addDays(localDate, -daysSinceMonday);
}

/** What a wall clock shows. Throws RangeError for an unknown zone. */
export function minutesOfDay(instant: Date, timeZone: string): number {
  const [hours = 0, minutes = 0] = clocks.of(timeZone).format(instant).split(':').map(Number);
  return hours * 60 + minutes;
}

// Each takes about 31 KB; the zones of those who move at the same time are few.
const mostFormatters = 128;

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

export const keptFormatters = (): number => dates.size + clocks.size;
