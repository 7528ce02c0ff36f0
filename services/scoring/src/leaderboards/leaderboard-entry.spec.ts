import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boardNameOf, boardsOf, type Credit, ranksOf, scoreOf, teamsOf, userIdOf } from './leaderboard-entry.ts';

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

describe('credits on their boards', () => {
  const credit = (userId: string, changes: Partial<Credit> = {}): Credit => ({
    userId,
    centimiles: 700,
    reachedAt: new Date('2026-11-18T08:00:00.000Z'),
    version: 7,
    weekStartsOn: '2026-11-16',
    weekCentimiles: 300,
    weekReachedAt: new Date('2026-11-17T08:00:00.000Z'),
    weekVersion: 3,
    teamId: 'thunder',
    currentTeamId: null,
    ...changes,
  });
  const total = (userId: string) => ({
    userId,
    centimiles: 700,
    version: 7,
    reachedAt: new Date('2026-11-18T08:00:00.000Z'),
  });
  const ofWeek = (userId: string) => ({
    userId,
    centimiles: 300,
    version: 3,
    reachedAt: new Date('2026-11-17T08:00:00.000Z'),
  });

  test('[D12] stand on the board of all miles and on the board of their week', () => {
    expect(boardsOf('org', [credit('ada'), credit('bo', { weekStartsOn: '2026-11-09' })])).toEqual([
      { board: { orgId: 'org', weekStartsOn: null }, totals: [total('ada'), total('bo')] },
      { board: { orgId: 'org', weekStartsOn: '2026-11-16' }, totals: [ofWeek('ada')] },
      { board: { orgId: 'org', weekStartsOn: '2026-11-09' }, totals: [ofWeek('bo')] },
    ]);
    expect(boardsOf('org', [])).toEqual([]);
  });

  test('[D12] of one member leave the latest total', () => {
    const [all, week] = boardsOf('org', [credit('ada', { centimiles: 600, weekCentimiles: 200 }), credit('ada')]);
    expect([all?.totals, week?.totals]).toEqual([[total('ada')], [ofWeek('ada')]]);
  });

  test('[D2 D12] concern the team that earned them and the team that the member is in now, each once', () => {
    expect(teamsOf([credit('ada'), credit('bo', { currentTeamId: 'blazers' }), credit('cy')])).toEqual([
      'thunder',
      'blazers',
    ]);
  });
});

test('[D12] a name on the board leads with twelve hexadecimal digits, so that early instants come first', () => {
  expect(boardNameOf('ada', new Date(255))).toBe('0000000000ffada');
  expect([boardNameOf('a', new Date(16)), boardNameOf('b', new Date(9))].toSorted()).toEqual([
    '000000000009b',
    '000000000010a',
  ]);
});

test('[D12] no miles score nothing, and more of them score lower', () => {
  expect([scoreOf(1), scoreOf(250)]).toEqual([-1, -250]);
});
