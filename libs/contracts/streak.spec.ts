import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from './local-days.ts';
import { streakOn } from './streak.ts';

describe('streak', () => {
  test.each([
    [
      { startedOn: '2026-11-10', endedOn: '2026-11-21' },
      { days: 12, state: 'lit' },
    ],
    [
      { startedOn: '2026-11-10', endedOn: '2026-11-20' },
      { days: 11, state: 'at-risk' },
    ],
    [
      { startedOn: '2026-11-10', endedOn: '2026-11-19' },
      { days: 0, state: 'out' },
    ],
    [
      { startedOn: '2026-11-22', endedOn: '2026-11-22' },
      { days: 1, state: 'lit' },
    ],
    [null, { days: 0, state: 'out' }],
  ] as const)('[D11] on 2026-11-21 the run %j counts as %j', (run, streak) => {
    expect(streakOn(run, '2026-11-21')).toEqual(streak);
  });

  test('[D11] a streak is the number of dates counted back from its last day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.boolean(), (days, movedToday) => {
        const today = '2026-11-21';
        const endedOn = movedToday ? today : addDays(today, -1);
        expect(streakOn({ startedOn: addDays(endedOn, 1 - days), endedOn }, today).days).toBe(days);
      }),
    );
  });
});
