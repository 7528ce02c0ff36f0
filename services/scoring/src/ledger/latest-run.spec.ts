import { addDays } from '@caravan/contracts/domain/time/local-days';
import type { StreakRun } from '@caravan/contracts/domain/movement/streak';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latestRunAfter } from './streaks.ts';

const run = (startedOn: string, endedOn: string): StreakRun => ({ startedOn, endedOn });

test.each([
  ['the first day of all', [], '2026-11-16', run('2026-11-16', '2026-11-16')],
  ['the next day', [run('2026-11-14', '2026-11-15')], '2026-11-16', run('2026-11-14', '2026-11-16')],
  ['the same day again', [run('2026-11-14', '2026-11-15')], '2026-11-14', run('2026-11-14', '2026-11-15')],
  ['a day after a pause', [run('2026-11-12', '2026-11-14')], '2026-11-16', run('2026-11-16', '2026-11-16')],
  ['the day before, entered late', [run('2026-11-15', '2026-11-16')], '2026-11-14', run('2026-11-14', '2026-11-16')],
  [
    'the day that joins two runs',
    [run('2026-11-15', '2026-11-16'), run('2026-11-01', '2026-11-13')],
    '2026-11-14',
    run('2026-11-01', '2026-11-16'),
  ],
  ['a day long past', [run('2026-11-15', '2026-11-16')], '2026-11-02', run('2026-11-15', '2026-11-16')],
])('[D11] %s', (_what, runs, day, expected) => {
  expect(latestRunAfter(runs, day)).toEqual(expected);
});

/** The runs of a set of dates, latest first: sort, then cut wherever a day is missing. */
function runsOf(days: readonly string[]): StreakRun[] {
  const runs: StreakRun[] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = runs[0];
    if (last && day === addDays(last.endedOn, 1)) last.endedOn = day;
    else runs.unshift(run(day, day));
  }
  return runs;
}

test('[D11] days in any order leave the same latest run as sorting them', () => {
  const day = fc.integer({ min: 0, max: 40 }).map((offset) => addDays('2026-02-10', offset));
  fc.assert(
    fc.property(fc.array(day, { minLength: 1, maxLength: 40 }), (days) => {
      days.forEach((last, index) => {
        const before = runsOf(days.slice(0, index));
        expect(latestRunAfter(before.slice(0, 2), last)).toEqual(runsOf(days.slice(0, index + 1))[0]);
      });
    }),
    { numRuns: 10_000 },
  );
}, 60_000);
