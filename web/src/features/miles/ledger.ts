import type { MilesEntry } from '@caravan/contracts/http/scores';

/** An entry and the total as it stood after it. */
export type Line = MilesEntry & { totalMiles: number };

/** The entries of one local date, and what they add up to. */
export type Day = { on: string; miles: number; lines: Line[] };

// Hundredths are what is stored: sums of them are exact (D5).
const hundredths = (miles: number) => Math.round(miles * 100);

/**
 * The ledger by local dates, newest first, with the total after every entry, reckoned back from the one of today.
 * @param dateOf the local date, YYYY-MM-DD, of an instant
 */
export function daysOf(entries: readonly MilesEntry[], totalMiles: number, dateOf: (iso: string) => string): Day[] {
  const days: Day[] = [];
  let total = hundredths(totalMiles);
  for (const entry of entries) {
    const on = dateOf(entry.at);
    const line = { ...entry, totalMiles: total / 100 };
    const day = days.at(-1);
    if (day?.on === on) {
      day.lines.push(line);
      day.miles = (hundredths(day.miles) + hundredths(entry.miles)) / 100;
    } else days.push({ on, miles: entry.miles, lines: [line] });
    total -= hundredths(entry.miles);
  }
  return days;
}
