import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalogue, type Metric } from './catalogue.ts';
import { earnedAtOf, earnedInHistory, type PastEntry } from './history.ts';

const walked = (on: string, centimiles = 100, activityType: string | null = 'Walking'): PastEntry => ({
  at: `${on}T12:00:00.000Z`,
  centimiles,
  creditedOn: on,
  activityType,
});

describe('a history that nobody has looked at', () => {
  test('[4.37 D13] earns its badges with the instant at which each condition was met', () => {
    const days = ['2026-01-05', '2026-01-06', '2026-01-07', '2026-03-01'].map((day) => walked(day, 300));
    expect(earnedInHistory(catalogue, days.toReversed())).toEqual([
      { badgeId: 'first-log', earnedAt: '2026-01-05T12:00:00.000Z' },
      { badgeId: 'mile-1', earnedAt: '2026-01-05T12:00:00.000Z' },
      { badgeId: 'streak-3', earnedAt: '2026-01-07T12:00:00.000Z' },
      { badgeId: 'miles-10', earnedAt: '2026-03-01T12:00:00.000Z' },
    ]);
  });

  test('[D13] counts bonus miles as miles, not as a log or a day', () => {
    expect(earnedInHistory(catalogue, [walked('2026-01-05', 100, null)]).map(({ badgeId }) => badgeId)).toEqual([
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
        const history = list.map(([on, centimiles, type]) => walked(on, centimiles, type));
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
});
