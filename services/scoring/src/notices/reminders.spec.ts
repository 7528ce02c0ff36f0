import challengeEndingSample from '@caravan/contracts/samples/ChallengeEndingToday.v1.json';
import streakAtRiskSample from '@caravan/contracts/samples/StreakAtRisk.v1.json';
import weeklyGoalNearSample from '@caravan/contracts/samples/WeeklyGoalNear.v1.json';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { latestStartOf, standingAt, streakOn } from '@caravan/contracts/domain/movement/streak';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endingReminder, goalReminder, streakReminder } from './reminders.ts';

const userId = streakAtRiskSample.userId;
// A Saturday; the Monday before it is the last that brings a freeze.
const on = '2026-11-21';
const runTo = (startedOn: string, endedOn: string, freezes = 0) => ({
  userId,
  on,
  run: { startedOn, endedOn },
  start: { startedOn, daysBefore: 0, freezes },
});
const daysOf = (streak: ReturnType<typeof runTo>, hasFreezes = true) =>
  streakReminder(streak, hasFreezes).map(({ event }) => (event.data as { days: number }).days);

describe('a reminder of a streak', () => {
  test('[D11] says how long it is, as the frozen sample does', () => {
    const twelve = { ...runTo('2026-11-06', '2026-11-17'), on: streakAtRiskSample.on };
    expect(streakReminder(twelve, false)).toEqual([
      {
        kind: 'streak-at-risk',
        userId,
        on: streakAtRiskSample.on,
        event: { type: 'StreakAtRisk', version: 1, data: streakAtRiskSample },
      },
    ]);
  });

  test('[D11] is for whoever moved yesterday and not today', () => {
    expect(daysOf(runTo('2026-11-18', '2026-11-20'))).toEqual([3]);
    expect(daysOf(runTo('2026-11-18', '2026-11-21'))).toEqual([]);
    expect(daysOf(runTo('2026-11-18', '2026-11-22'))).toEqual([]);
    expect(daysOf(runTo('2026-11-17', '2026-11-19'))).toEqual([]);
  });

  test('[D11] is not for a single day', () => {
    expect(daysOf(runTo('2026-11-20', '2026-11-20'))).toEqual([]);
  });

  test('[D11] is not sent where a freeze holds the streak, unless the organisation has none', () => {
    expect(daysOf(runTo('2026-11-18', '2026-11-20', 1))).toEqual([]);
    expect(daysOf(runTo('2026-11-18', '2026-11-20', 1), false)).toEqual([3]);
    // Its only freeze held yesterday: tonight it would end.
    expect(daysOf(runTo('2026-11-17', '2026-11-19', 1))).toEqual([3]);
    expect(daysOf(runTo('2026-11-17', '2026-11-19', 1), false)).toEqual([]);
  });

  test('[D11] is sent exactly when the streak is over tomorrow and one log today would keep it', () => {
    const history = fc.uniqueArray(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(history, fc.boolean(), (daysAgo, hasFreezes) => {
        const runs = runsOf(daysAgo.map((ago) => addDays(on, -ago)));
        const run = runs.at(-1);
        const start = latestStartOf(runs);
        if (!run || !start) throw new Error('a run');
        const daysAt = (all: typeof runs, date: string) => {
          const latest = all.at(-1);
          const standing = latestStartOf(all);
          if (!latest || !standing) throw new Error('a run');
          return streakOn(latest, date, hasFreezes ? standingAt(standing, latest.endedOn) : undefined).days;
        };
        const withToday = runsOf([...daysAgo.map((ago) => addDays(on, -ago)), on]);
        const days = daysAt(runs, on);
        const isLost = days >= 2 && daysAt(runs, addDays(on, 1)) === 0 && daysAt(withToday, addDays(on, 1)) > days;
        expect(streakReminder({ userId, on, run, start }, hasFreezes)).toHaveLength(isLost ? 1 : 0);
      }),
      { numRuns: 3_000 },
    );
  });
});

function runsOf(days: readonly string[]): { startedOn: string; endedOn: string }[] {
  const runs: { startedOn: string; endedOn: string }[] = [];
  for (const day of days.toSorted()) {
    const last = runs.at(-1);
    if (last && addDays(last.endedOn, 1) === day) last.endedOn = day;
    else runs.push({ startedOn: day, endedOn: day });
  }
  return runs;
}

describe('a reminder of the weekly goal', () => {
  const week = { userId, on: '2026-11-20', weekStartsOn: weeklyGoalNearSample.weekStartsOn };

  test.each([
    [399, null],
    [400, 100],
    [499, 1],
    [500, null],
    [900, null],
  ])('[9.5] of 5 miles is for %i hundredths: %s are missing', (centimiles, missing) => {
    const told = goalReminder({ ...week, centimiles }).map(({ event }) => event.data);
    expect(told).toEqual(missing === null ? [] : [{ ...weeklyGoalNearSample, missingCentimiles: missing }]);
  });
});

describe('a reminder of a challenge that ends', () => {
  const walk = { challengeId: challengeEndingSample.challengeId, name: challengeEndingSample.name };
  const miles = { ...walk, targetValue: 5, targetUnit: 'miles' } as const;
  const days = { challengeId: 'days', name: 'Log 5 days', targetValue: 5, targetUnit: 'days' } as const;
  const whose = { userId, on: challengeEndingSample.on };
  const reminderOf = (...begun: Parameters<typeof endingReminder>[1]) => endingReminder(whose, begun);

  test('[D14] names it, as the frozen sample does', () => {
    expect(reminderOf({ challenge: miles, done: 0.1 })).toEqual([
      {
        kind: 'challenge-ending',
        ...whose,
        event: { type: 'ChallengeEndingToday', version: 1, data: challengeEndingSample },
      },
    ]);
  });

  test('[D14] is for what was begun and is not complete', () => {
    expect(reminderOf({ challenge: miles, done: 0 })).toEqual([]);
    expect(reminderOf({ challenge: miles, done: 5 })).toEqual([]);
  });

  test('[D14] is not for days that one date cannot bring', () => {
    expect(reminderOf({ challenge: days, done: 3 })).toEqual([]);
    expect(reminderOf({ challenge: days, done: 4 })).toHaveLength(1);
  });

  test('[D14] is one, of the challenge that is nearest', () => {
    const nearest = reminderOf({ challenge: miles, done: 3 }, { challenge: days, done: 4 });
    expect(nearest.map(({ event }) => (event.data as { name: string }).name)).toEqual(['Log 5 days']);
  });
});
