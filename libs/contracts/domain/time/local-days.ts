const dayMilliseconds = 86_400_000;

/** YYYY-MM-DD (D10). Throws RangeError for an unknown zone and for no date. */
export function localDateOf(instant: Date, timeZone: string): string {
  return localTimeOf(instant, timeZone).slice(0, 10);
}

/** YYYY-MM-DDThh:mm. Throws RangeError for an unknown zone and for no date. */
export function localTimeOf(instant: Date, timeZone: string): string {
  const { year, month, day, hour, minute } = partsOf(instant, timeZone);
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}T${digits(hour, 2)}:${digits(minute, 2)}`;
}

/**
 * When a wall clock shows a time: the first instant of two where clocks are set back; as much later as is skipped where
 * they are set forward. Throws RangeError for an unknown zone.
 * @param localTime YYYY-MM-DDThh:mm
 * @returns null for what is no time
 */
export function instantOf(localTime: string, timeZone: string): Date | null {
  const wanted = Date.parse(`${localTime}Z`);
  // 31 November is read as 1 December.
  if (Number.isNaN(wanted) || new Date(wanted).toISOString().slice(0, 16) !== localTime) return null;
  const dayBefore = wanted - dayMilliseconds;
  const dayAfter = wanted + dayMilliseconds;
  const offsets = [dayBefore, dayAfter].map((minute) => offsetMilliseconds(minute, timeZone));
  const instants = offsets.map((offset) => new Date(wanted - offset)).sort((one, other) => Number(one) - Number(other));
  return instants.find((instant) => localTimeOf(instant, timeZone) === localTime) ?? instants[1] ?? null;
}

/** PostgreSQL, JavaScript and every calendar agree on the dates between these two. */
export const firstDate = '1900-01-01';
export const lastDate = '2199-12-31';

/** When a local date begins, also where its midnight is skipped. Throws RangeError for an unknown zone and for no date. */
export function startOfDate(localDate: string, timeZone: string): Date {
  const start = instantOf(`${localDate}T00:00`, timeZone);
  if (!start) throw new RangeError(`${localDate} is no date`);
  return start;
}

/**
 * How much a wall clock is ahead of UTC.
 * @param minute an instant without seconds
 */
function offsetMilliseconds(minute: number, timeZone: string): number {
  return Date.parse(`${localTimeOf(new Date(minute), timeZone)}Z`) - minute;
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
  const { hour, minute } = partsOf(instant, timeZone);
  return hour * 60 + minute;
}

type Parts = Record<'year' | 'month' | 'day' | 'hour' | 'minute', number>;

/** Reads the parts of a formatted date: their order and separators change with the version of ICU. */
function partsOf(instant: Date, timeZone: string): Parts {
  const parts: Parts = { year: 0, month: 0, day: 0, hour: 0, minute: 0 };
  for (const { type, value } of clocks.of(timeZone).formatToParts(instant))
    // Stryker disable next-line ConditionalExpression: nobody reads the signs between the parts.
    if (type in parts) parts[type as keyof Parts] = Number(value);
  return parts;
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0');

// Each takes about 31 KB; the zones of those who move at the same time are few.
const mostFormatters = 128;

const wallClock = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
} as const;

class Formatters {
  private readonly made = new Map<string, Intl.DateTimeFormat>();

  get size(): number {
    return this.made.size;
  }

  of(timeZone: string): Intl.DateTimeFormat {
    const known = this.made.get(timeZone);
    if (known) return known;
    const made = new Intl.DateTimeFormat('en', { ...wallClock, timeZone });
    for (const oldest of this.made.keys()) {
      if (this.made.size < mostFormatters) break;
      this.made.delete(oldest);
    }
    this.made.set(timeZone, made);
    return made;
  }
}

const clocks = new Formatters();

export const keptFormatters = (): number => clocks.size;
