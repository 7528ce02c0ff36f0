// @vitest-environment node
import type { Leaderboard } from '@caravan/contracts/http/scores';
import { expect, test } from 'vitest';
import { minutesToCatchUp, ownFirst, placesWon, ranksByWeek, sharesOf } from './weeks.ts';

const weeks = ['2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23'];
const rankOf = (weekStartsOn: string, rank: number) => ({ weekStartsOn, rank, miles: 3 });
const board = { weeks, ranks: [rankOf('2026-11-09', 9), rankOf('2026-11-16', 7)], teams: [] };

test('[D12] own ranks by week end with today’s, and a week without miles has none', () => {
  expect(ranksByWeek(board, 5)).toEqual([null, 9, 7, 5]);
  const long = { ...board, weeks: Array.from({ length: 12 }, (_, nth) => `w${nth}`) };
  expect(ranksByWeek(long, null)).toHaveLength(8);
});

test('[2.75] places won count since the last week ended; lost ones are none', () => {
  expect(placesWon(board, 5)).toBe(2);
  expect(placesWon(board, 9)).toBe(0);
  expect(placesWon(board, null)).toBe(0);
  expect(placesWon({ ...board, ranks: [rankOf('2026-11-09', 9)] }, 5)).toBe(0);
});

const team = (id: string, weeklyMiles: number): Leaderboard['teams'][number] => ({
  id,
  rank: 1,
  name: id,
  emoji: '⚡',
  memberCount: 1,
  totalMiles: 90,
  weeklyMiles,
  averageMiles: 1,
});

test('[D45] shares of the week begin with one’s own team and add up to all of it', () => {
  const { shares, together } = sharesOf(
    ['a', 'b', 'c', 'd', 'e', 'own'].map((id, nth) => team(id, nth)),
    'own',
  );
  expect(together).toBe(15);
  expect(shares.map(({ team: of, miles }) => [of?.id ?? null, miles])).toEqual([
    ['own', 5],
    ['e', 4],
    ['d', 3],
    ['c', 2],
    [null, 1],
  ]);
  expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
  expect(sharesOf([team('own', 0)], 'own')).toEqual({ shares: [], together: 0 });
  expect(ownFirst([team('a', 1), team('own', 0)], 'own', 1).map(({ id }) => id)).toEqual(['own']);
});

test('[D5 D6] ten minutes catch up a mile; less than ten cannot be logged, and hours are no answer', () => {
  expect([2.5, 2.51, 0, 0.3, 12, 12.01].map(minutesToCatchUp)).toEqual([25, 26, 10, 10, 120, null]);
});
