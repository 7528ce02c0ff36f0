import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boardNameOf, ranksOf, scoreOf, userIdOf } from './leaderboard-entry.ts';

const instant = fc.integer({ min: 0, max: 4_102_444_800_000 }).map((milliseconds) => new Date(milliseconds));
const standing = fc.record({
  userId: fc.uuid(),
  centimiles: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 ** 40 })),
  reachedAt: fc.oneof(fc.constantFrom(new Date(1_000), new Date(1_001)), instant),
});

describe('the name of a member on the Redis board', () => {
  test('[D12] gives the member back', () => {
    fc.assert(
      fc.property(fc.uuid(), instant, (userId, reachedAt) => {
        expect(userIdOf(boardNameOf(userId, reachedAt))).toBe(userId);
      }),
    );
  });

  test('[D12] puts most miles first, then who reached them earlier, then the lower id', () => {
    const byRedis = (a: { score: number; name: string }, b: { score: number; name: string }) =>
      a.score - b.score || (a.name < b.name ? -1 : 1);
    fc.assert(
      fc.property(fc.uniqueArray(standing, { selector: ({ userId }) => userId, maxLength: 30 }), (standings) => {
        const redis = standings
          .map(({ userId, centimiles, reachedAt }) => ({
            score: scoreOf(centimiles),
            name: boardNameOf(userId, reachedAt),
          }))
          .sort(byRedis)
          .map(({ name }) => userIdOf(name));
        const rule = [...standings]
          .sort(
            (a, b) =>
              b.centimiles - a.centimiles ||
              a.reachedAt.getTime() - b.reachedAt.getTime() ||
              (a.userId < b.userId ? -1 : 1),
          )
          .map(({ userId }) => userId);
        expect(redis).toEqual(rule);
      }),
    );
  });
});

describe('ranks', () => {
  const entries = (...totals: number[]) => totals.map((centimiles) => ({ userId: '', centimiles }));

  test.each([
    [
      [900, 500, 500, 300],
      [1, 2, 2, 4],
    ],
    [
      [500, 500, 500],
      [1, 1, 1],
    ],
    [
      [3, 2, 1],
      [1, 2, 3],
    ],
    [[7], [1]],
    [[], []],
  ])('[D12] totals %j are ranked %j', (totals, ranks) => {
    expect(ranksOf({ entries: entries(...totals), above: 0, firstRank: 1 })).toEqual(ranks);
  });

  test('[D12] of any stretch are those of the whole board', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }), fc.nat(), fc.nat(), (any, a, b) => {
        const totals = any.sort((x, y) => y - x);
        const from = a % totals.length;
        const to = from + 1 + (b % (totals.length - from));
        const oracle = totals.map((total) => 1 + totals.filter((other) => other > total).length);
        const stretch = { entries: entries(...totals.slice(from, to)), above: from, firstRank: oracle[from] ?? 0 };
        expect(ranksOf(stretch)).toEqual(oracle.slice(from, to));
      }),
    );
  });
});
