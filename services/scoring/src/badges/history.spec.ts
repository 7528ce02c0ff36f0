import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { earned, type Figures } from './badges.ts';
import { catalogue } from './catalogue.ts';
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

  test('[D13] earns what looking after every single entry would have earned', () => {
    const day = fc
      .integer({ min: 0, max: 40 })
      .map((n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10));
    const past = fc.tuple(
      day,
      fc.integer({ min: 10, max: 2_000 }),
      fc.constantFrom('A', 'a', 'B', 'C', 'D', 'E', null),
    );
    fc.assert(
      fc.property(fc.array(past, { maxLength: 60 }), (list) => {
        const history = list.map(([on, centimiles, type]) => walked(on, centimiles, type));
        const sorted = history.toSorted((a, b) => a.at.localeCompare(b.at));
        const expected = new Map<string, string>();
        sorted.forEach(({ at }, index) => {
          for (const id of earned(catalogue, figuresOf(sorted.slice(0, index + 1))))
            if (!expected.has(id)) expected.set(id, at);
        });
        const found = earnedInHistory(catalogue, history);
        expect(new Map(found.map(({ badgeId, earnedAt }) => [badgeId, earnedAt]))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

/** The plain way: everything counted anew. */
function figuresOf(entries: readonly PastEntry[]): Figures {
  const logs = entries.filter(({ activityType }) => activityType !== null);
  const days = [...new Set(logs.map(({ creditedOn }) => Date.parse(creditedOn) / 86_400_000))].sort((a, b) => a - b);
  let [streakDays, run] = [0, 0];
  days.forEach((at, index) => {
    run = index > 0 && days[index - 1] === at - 1 ? run + 1 : 1;
    streakDays = Math.max(streakDays, run);
  });
  return {
    miles: entries.reduce((sum, { centimiles }) => sum + centimiles, 0) / 100,
    logs: logs.length,
    activities: new Set(logs.map(({ activityType }) => activityType?.toLowerCase())).size,
    streakDays,
  };
}

test('[4.37] a log of today or yesterday earns when it is logged, an older one when it was done', () => {
  const loggedAt = new Date('2026-11-16T20:00:00.000Z');
  const yesterday = new Date('2026-11-15T21:00:00.000Z');
  const before = new Date('2026-11-14T21:00:00.000Z');
  expect(earnedAtOf(yesterday, loggedAt)).toBe(loggedAt);
  expect(earnedAtOf(before, loggedAt)).toBe(before);
});
