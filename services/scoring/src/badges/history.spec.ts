import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalogue, type Metric } from './catalogue.ts';
import {
  earnedAtOf,
  earnedInHistory,
  type LoggedEntry,
  longestStreakOf,
  netOfLogs,
  type PastEntry,
} from './history.ts';

const walkOn = (on: string, centimiles = 100, activityType: string | null = 'Walking'): PastEntry => ({
  at: `${on}T12:00:00.000Z`,
  centimiles,
  creditedOn: on,
  activityType,
});

describe('a history that nobody has looked at', () => {
  test('[4.37 D13] earns its badges with the instant at which each condition was met', () => {
    const days = ['2026-01-05', '2026-01-06', '2026-01-07', '2026-03-01'].map((day) => walkOn(day, 300));
    expect(earnedInHistory(catalogue, days.toReversed())).toEqual([
      { badgeId: 'first-log', earnedAt: '2026-01-05T12:00:00.000Z' },
      { badgeId: 'mile-1', earnedAt: '2026-01-05T12:00:00.000Z' },
      { badgeId: 'streak-3', earnedAt: '2026-01-07T12:00:00.000Z' },
      { badgeId: 'miles-10', earnedAt: '2026-03-01T12:00:00.000Z' },
    ]);
  });

  test('[D11 D13] earns a streak with the log that closes its gap, whichever day that is', () => {
    const logged = ['2026-01-03', '2026-01-01', '2026-01-02'].map((creditedOn, nth) => ({
      ...walkOn(creditedOn),
      at: `2026-01-1${nth}T12:00:00.000Z`,
    }));
    expect(earnedInHistory(catalogue, logged)).toContainEqual({
      badgeId: 'streak-3',
      earnedAt: '2026-01-12T12:00:00.000Z',
    });
    expect(earnedInHistory(catalogue, logged.slice(0, 2)).map(({ badgeId }) => badgeId)).not.toContain('streak-3');
  });

  test('[D13] counts bonus miles as miles, not as a log or a day', () => {
    expect(earnedInHistory(catalogue, [walkOn('2026-01-05', 100, null)]).map(({ badgeId }) => badgeId)).toEqual([
      'mile-1',
    ]);
  });

  test('[D8 D13] earns what each condition by itself says, whatever was taken back between', () => {
    const day = fc.integer({ min: 0, max: days - 1 }).map((nth) => dayOf(nth));
    const log = fc.tuple(day, fc.integer({ min: 10, max: 2_000 }), fc.constantFrom('A', 'a', 'B', 'C', 'D', 'E'));
    const other = fc.tuple(day, fc.integer({ min: -1_500, max: 500 }), fc.constant(null));
    // Long ones too: left alone, most would be a handful of entries.
    const past = fc.array(fc.oneof({ arbitrary: log, weight: 4 }, other), { maxLength: 24, size: 'max' });
    const hit = { long: 0, takenBack: 0, lateDays: 0, streaks: 0 };
    fc.assert(
      fc.property(past, (list) => {
        const history = list.map(([on, centimiles, type]) => walkOn(on, centimiles, type));
        const found = earnedInHistory(catalogue, history);
        const sorted = history.toSorted((a, b) => a.at.localeCompare(b.at));
        const expected = catalogue.flatMap(({ id, metric, target }) => {
          const at = metAt[metric]?.(sorted, target);
          return at === undefined ? [] : [[id, at] as const];
        });
        expect(new Map(found.map(({ badgeId, earnedAt }) => [badgeId, earnedAt]))).toEqual(new Map(expected));
        if (list.length > 12) hit.long += 1;
        if (list.some(([, centimiles]) => centimiles < 0)) hit.takenBack += 1;
        if (history.some(({ at }, nth) => at < (history[nth - 1]?.at ?? ''))) hit.lateDays += 1;
        if (found.some(({ badgeId }) => badgeId === 'streak-7')) hit.streaks += 1;
      }),
      { numRuns: 10_000 },
    );
    for (const [what, times] of Object.entries(hit)) expect(times, what).toBeGreaterThan(200);
  }, 120_000);
});

/** Far enough for the third badge of streaks. */
const days = 18;
const dayOf = (nth: number): string => new Date(Date.UTC(2026, 0, 1 + nth)).toISOString().slice(0, 10);
const isLog = ({ activityType }: PastEntry): boolean => activityType !== null;
const wordOf = ({ activityType }: PastEntry): string | undefined => activityType?.toLowerCase();

/** For each metric by a way of its own: when a sorted history has first come to the target. */
const metAt: Partial<Record<Metric, (sorted: readonly PastEntry[], target: number) => string | undefined>> = {
  miles: (sorted, target) => {
    let centimiles = 0;
    return sorted.find((entry) => (centimiles += entry.centimiles) >= target * 100)?.at;
  },
  logs: (sorted, target) => sorted.filter(isLog)[target - 1]?.at,
  activities: (sorted, target) => {
    const logs = sorted.filter(isLog);
    const firsts = logs.filter((log, nth) => logs.findIndex((one) => wordOf(one) === wordOf(log)) === nth);
    return firsts[target - 1]?.at;
  },
  // The first stretch of dates that is full: full when the last of its dates is there.
  streakDays: (sorted, target) => {
    const firstOn = new Map(
      sorted
        .filter(isLog)
        .toReversed()
        .map(({ creditedOn, at }) => [creditedOn, at]),
    );
    const starts = Array.from({ length: Math.max(0, days - target + 1) }, (_, nth) => nth);
    const full = starts.flatMap((start) => {
      const stretch = Array.from({ length: target }, (_, nth) => firstOn.get(dayOf(start + nth)) ?? 'never');
      const last = stretch.toSorted().at(-1);
      return last === 'never' ? [] : [last];
    });
    return full.toSorted()[0];
  },
};

test('[4.37] a log of today or yesterday earns when it is logged, an older one when it was done', () => {
  const loggedAt = new Date('2026-11-16T20:00:00.000Z');
  const yesterday = new Date('2026-11-15T21:00:00.000Z');
  const before = new Date('2026-11-14T21:00:00.000Z');
  expect(earnedAtOf(yesterday, loggedAt)).toBe(loggedAt);
  expect(earnedAtOf(before, loggedAt)).toBe(before);
  const dayBefore = new Date('2026-11-15T20:00:00.000Z');
  expect(earnedAtOf(dayBefore, loggedAt)).toBe(loggedAt);
  const longer = new Date('2026-11-15T19:59:59.999Z');
  expect(earnedAtOf(longer, loggedAt)).toBe(longer);
});

// 2 November 2026 is a Monday.
test.each([
  ['none', [], 0, 0],
  ['one day', [['2026-11-03', '2026-11-03']], 1, 1],
  ['two weeks without a pause', [['2026-11-03', '2026-11-16']], 14, 14],
  [
    'a pause of a day, which a freeze holds',
    [
      ['2026-11-03', '2026-11-05'],
      ['2026-11-07', '2026-11-10'],
    ],
    4,
    7,
  ],
  [
    'a pause that no freeze holds, after the longer run',
    [
      ['2026-10-26', '2026-10-31'],
      ['2026-11-10', '2026-11-12'],
    ],
    6,
    6,
  ],
  [
    'two pauses of a day, and a freeze of Monday for the second',
    [
      ['2026-11-04', '2026-11-05'],
      ['2026-11-07', '2026-11-09'],
      ['2026-11-11', '2026-11-11'],
    ],
    3,
    6,
  ],
] as const)('[D11 D13] the longest streak of %s is told without and with freezes', (_, dates, plain, withFreezes) => {
  const runs = dates.map(([startedOn, endedOn]) => ({ startedOn, endedOn }));
  expect([longestStreakOf(runs, false), longestStreakOf(runs, true)]).toEqual([plain, withFreezes]);
});

describe('a history with logs that are gone', () => {
  const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`;
  const entry = (logId: string, day: number, centimiles: number) => ({
    at: at(day),
    creditedOn: at(day).slice(0, 10),
    centimiles,
    logId,
    isOwnerOnly: false,
    activityType: centimiles > 0 ? 'Walking' : null,
  });
  const milesBadges = (entries: readonly LoggedEntry[]) =>
    earnedInHistory(catalogue, netOfLogs(entries)).filter(({ badgeId }) => badgeId.startsWith('miles-'));

  test('[D13] earns no badge by a log that was removed before the others were logged', () => {
    const removed = [entry('a', 20, 530), entry('a', 21, -530)];
    const kept = [entry('b', 17, 2_510), entry('c', 14, 2_240)];
    expect(milesBadges(kept.concat(removed)).map(({ badgeId }) => badgeId)).toEqual(['miles-10', 'miles-25']);
  });

  test('[D8 D13] counts each log once, those for all and those for its owner apart, and bonuses one by one', () => {
    const bonus = () => ({ ...entry('', 3, 100), logId: null, activityType: null });
    const own = { ...entry('a', 2, 50), isOwnerOnly: true };
    const entries = [entry('a', 1, 300), bonus(), entry('a', 2, -100), own, bonus(), entry('b', 4, 10)];
    expect(netOfLogs(entries)).toEqual([
      { ...entry('a', 1, 300), centimiles: 200 },
      bonus(),
      own,
      bonus(),
      entry('b', 4, 10),
    ]);
    expect(netOfLogs([])).toEqual([]);
  });

  test('[D13] dates a badge by the log, not by its correction', () => {
    const corrected = [entry('a', 10, 900), entry('a', 15, -900), entry('a', 15, 1_200)];
    expect(milesBadges(corrected)).toEqual([{ badgeId: 'miles-10', earnedAt: at(10) }]);
  });
});
