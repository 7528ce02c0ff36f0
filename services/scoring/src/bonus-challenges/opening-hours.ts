import { localDateOf, minutesOfDay } from '@caravan/contracts/local-days';

const minuteMilliseconds = 60_000;
const opensFromHour = 9;
const opensUntilHour = 15;
const closesAtHour = 18;
/** The first one of an organisation waits for no morning and stays for a day, so that everybody finds it. */
const firstLastsHours = 24;

/**
 * Until when a bonus challenge that opens now would stay open; undefined when none should open. One a day, from 9:00 to
 * 18:00 in the organisation's zone, and none after 15:00: less than three hours would reach too few.
 */
export function closingTimeFor(
  at: Date,
  { timeZone, lastOpenedAt }: { readonly timeZone: string; readonly lastOpenedAt: Date | null },
): Date | undefined {
  if (lastOpenedAt === null) return new Date(at.getTime() + firstLastsHours * 60 * minuteMilliseconds);
  const minutes = minutesOfDay(at, timeZone);
  if (minutes < opensFromHour * 60 || minutes >= opensUntilHour * 60) return undefined;
  if (localDateOf(lastOpenedAt, timeZone) === localDateOf(at, timeZone)) return undefined;
  const wholeMinute = Math.floor(at.getTime() / minuteMilliseconds) * minuteMilliseconds;
  return new Date(wholeMinute + (closesAtHour * 60 - minutes) * minuteMilliseconds);
}
