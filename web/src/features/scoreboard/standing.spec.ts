// @vitest-environment node
import type { Leaderboard } from '@caravan/contracts/http/scores';
import { expect, test } from 'vitest';
import { placeOf, standingOf, surroundings } from './standing.ts';

const user = (id: string, rank: number, totalMiles: number) => ({
  id,
  rank,
  name: id.toUpperCase(),
  teamName: '',
  teamEmoji: '',
  photoUrl: null,
  totalMiles,
  weeklyMiles: 0,
});

const board = (
  users: Leaderboard['users'],
  around: Leaderboard['around'],
  userPosition: number | null,
): Leaderboard => ({
  users,
  around,
  userPosition,
  teams: [],
  teamPosition: null,
});

const [ada, yuki, maya, lena] = [
  user('ada', 1, 212.6),
  user('yuki', 2, 198.1),
  user('maya', 3, 128.4),
  user('lena', 4, 127.6),
];
const all = [ada, yuki, maya, lena];

test('[2.75] one is so far behind first place, and so far from those next to one', () => {
  expect(standingOf(board(all, all, 3), 'maya')).toEqual({
    own: maya,
    milesBehindFirst: 84.2,
    leadMiles: null,
    above: { name: 'YUKI', miles: 69.7 },
    below: { name: 'LENA', miles: 0.8 },
  });
});

test('[2.75] who leads has a lead, and nobody above', () => {
  expect(standingOf(board(all, all, 1), 'ada')).toMatchObject({ milesBehindFirst: 0, leadMiles: 14.5, above: null });
});

test('[D12] who shares first place is 0 miles behind it', () => {
  const tied = [ada, user('bea', 1, 212.6)];
  expect(standingOf(board(tied, tied, 1), 'bea')).toMatchObject({ milesBehindFirst: 0, above: { miles: 0 } });
});

test('[D12] without miles one is not on the board', () => {
  expect(standingOf(board(all, [], null), 'omar')).toBeNull();
  expect(standingOf(board([], [], null), 'omar')).toBeNull();
});

test('[9.10] beyond the first 20 one still sees one’s surroundings', () => {
  const far = [user('x', 40, 9), user('omar', 41, 8.5), user('z', 42, 8)];
  expect(standingOf(board(all, far, 41), 'omar')).toMatchObject({ milesBehindFirst: 204.1, above: { miles: 0.5 } });
  expect(surroundings(board(all, far, 41), 'omar')).toBe(far);
  expect(surroundings(board(all, all, 3), 'maya')).toEqual([]);
});

test.each([
  [1, 1],
  [3, 3],
  [4, undefined],
  [null, undefined],
])('[2.76 9.10] rank %j wears badge %j', (rank, place) => {
  expect(placeOf(rank)).toBe(place);
});
