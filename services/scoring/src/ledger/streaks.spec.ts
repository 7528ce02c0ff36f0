import { casesOf } from '@caravan/contracts/testing/full';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figuresWith } from './streaks.ts';
import { latestAfter, latestOfAll } from './streaks.ts';
import type { LatestRun } from './streaks.ts';

/** Runs of a set of dates, oldest first. */
function runsOf(days: readonly string[]) {
  const runs: { startedOn: string; endedOn: string }[] = [];
  for (const day of [...days].sort()) {
    const last = runs.at(-1);
    if (last && Date.parse(day) - Date.parse(last.endedOn) <= 86_400_000) last.endedOn = day;
    else runs.push({ startedOn: day, endedOn: day });
  }
  return runs;
}

test('[D11] what is known of the latest run alone leads to the same streak as all runs together', () => {
  const change = fc.record({ offset: fc.integer({ min: 0, max: 25 }), isLost: fc.boolean() });
  const property = fc.property(fc.array(change, { maxLength: 14 }), (changes) => {
    const counts: Record<string, number> = {};
    let known: LatestRun = null;
    // Compared once for a whole history: an expectation costs more than all the rest.
    const told: unknown[] = [];
    const expected: unknown[] = [];
    for (const { offset, isLost } of changes) {
      const on = new Date(Date.UTC(2026, 9, 20 + offset)).toISOString().slice(0, 10);
      const movements = isLost && (counts[on] ?? 0) > 0 ? -1 : 1;
      const runs = runsOf(Object.keys(counts).filter((day) => (counts[day] ?? 0) > 0));
      const latestRuns = runs.toReversed().slice(0, 2);
      const all = latestOfAll(runs, [{ on, movements }], counts);
      const quick = latestAfter({ latestRuns, start: known?.start ?? null }, [{ on, movements }]);
      told.push(quick === undefined ? all : quick);
      expected.push(all);
      counts[on] = (counts[on] ?? 0) + movements;
      const after = runsOf(Object.keys(counts).filter((day) => (counts[day] ?? 0) > 0));
      told.push(all?.run, figuresWith(0, all));
      expected.push(after.at(-1), figuresWith(0, latestOfAll(after, [], {})));
      known = all;
    }
    expect(told).toEqual(expected);
  });
  fc.assert(property, { numRuns: casesOf({ core: 2_000, full: 10_000 }) });
}, 120_000);
