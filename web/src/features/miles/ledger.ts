import type { Miles as MilesAnswer, MilesEntry } from '@caravan/contracts/http/scores';

/** An entry and the total as it stood after it. */
export type Line = MilesEntry & { totalMiles: number };

/** The entries of one local date as far as they have been read, and what all of that date add up to. */
export type Day = { on: string; miles: number; lines: Line[] };

// Hundredths are what is stored: sums of them are exact (D5).
const hundredths = (miles: number) => Math.round(miles * 100);

/**
 * The ledger by the local dates that miles count for, newest first, with the total after every entry, reckoned back from
 * the one of today. Pages may cut a date anywhere.
 */
export function daysOf(pages: readonly MilesAnswer[]): Day[] {
  const sums = new Map(pages.flatMap(({ days }) => days).map(({ on, miles }) => [on, miles]));
  const days: Day[] = [];
  let total = hundredths(pages[0]?.totalMiles ?? 0);
  for (const entry of pages.flatMap(({ entries }) => entries)) {
    const line = { ...entry, totalMiles: total / 100 };
    const day = days.at(-1);
    if (day?.on === entry.on) day.lines.push(line);
    else days.push({ on: entry.on, miles: sums.get(entry.on) ?? entry.miles, lines: [line] });
    total -= hundredths(entry.miles);
  }
  return days;
}
