// @vitest-environment node
import type { Leaderboard } from '@caravan/contracts/http/scores';
import { expect, test } from 'vitest';
import { neighboursOf, placeOf, rowsAround, standingOf } from './standing.ts';

const user = (id: string, rank: number, totalMiles: number) => ({
  id,
  profileId: id,
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

const ada = user('ada', 1, 212.6);
const yuki = user('yuki', 2, 198.1);
const maya = user('maya', 3, 128.4);
const lena = user('lena', 4, 127.6);
const all = [ada, yuki, maya, lena];

test('[2.75] one is so far behind first place', () => {
  expect(standingOf(board(all, all, 3), 'maya', 'all')).toEqual({
    own: maya,
    milesBehindFirst: 84.2,
    leadMiles: null,
    sharedWith: [],
  });
});

test('[2.75] who leads has a lead', () => {
  expect(standingOf(board(all, all, 1), 'ada', 'all')).toMatchObject({ milesBehindFirst: 0, leadMiles: 14.5 });
  expect(standingOf(board([ada], [ada], 1), 'ada', 'all')).toMatchObject({ milesBehindFirst: 0, leadMiles: null });
});

test('[D12] who shares first place is 0 miles behind it', () => {
  const tied = [ada, user('bea', 1, 212.6)];
  expect(standingOf(board(tied, tied, 1), 'bea', 'all')).toMatchObject({
    milesBehindFirst: 0,
    leadMiles: 0,
    sharedWith: [ada.name],
  });
});

test('[D12 2.75] this week one is as far behind as this week’s miles say, whatever stands in all', () => {
  const week = [
    { ...maya, rank: 1, weeklyMiles: 4.3 },
    { ...ada, rank: 2, weeklyMiles: 4 },
    { ...lena, rank: 3, weeklyMiles: 0.5 },
  ];
  expect(standingOf(board(week, week, 2), 'ada', 'week')).toMatchObject({ milesBehindFirst: 0.3, leadMiles: null });
  expect(standingOf(board(week, week, 1), 'maya', 'week')).toMatchObject({ milesBehindFirst: 0, leadMiles: 0.3 });
  expect(neighboursOf(week, 'ada', 'week')).toEqual({
    above: [{ id: 'maya', rank: 1, name: 'MAYA', milesAhead: 0.3 }],
    below: [{ id: 'lena', rank: 3, name: 'LENA', milesAhead: -3.5 }],
  });
});

test('[D12] without miles one is not on the board', () => {
  expect(standingOf(board(all, [], null), 'omar', 'all')).toBeNull();
  expect(standingOf(board([], [], null), 'omar', 'all')).toBeNull();
});

test('[2.75] two on each side are named with what lies between', () => {
  const five = [...all, user('omar', 5, 120)];
  expect(neighboursOf(five, 'maya', 'all')).toEqual({
    above: [
      { id: 'ada', rank: 1, name: 'ADA', milesAhead: 84.2 },
      { id: 'yuki', rank: 2, name: 'YUKI', milesAhead: 69.7 },
    ],
    below: [
      { id: 'lena', rank: 4, name: 'LENA', milesAhead: -0.8 },
      { id: 'omar', rank: 5, name: 'OMAR', milesAhead: -8.4 },
    ],
  });
  expect(neighboursOf(five, 'ada', 'all').above).toEqual([]);
  expect(neighboursOf(five, 'nobody', 'all')).toEqual({ above: [], below: [] });
});

test('[9.10] beyond the first 20 one still sees one’s surroundings', () => {
  const far = [user('x', 40, 9), user('omar', 41, 8.5), user('z', 42, 8)];
  expect(standingOf(board(all, far, 41), 'omar', 'all')).toMatchObject({ milesBehindFirst: 204.1 });
  expect(rowsAround(board(all, far, 41), 'omar')).toBe(far);
  expect(rowsAround(board(all, [], 3), 'maya')).toBe(all);
});

test.each([
  [1, 1],
  [3, 3],
  [4, undefined],
  [null, undefined],
])('[2.76 9.10] rank %j wears badge %j', (rank, place) => {
  expect(placeOf(rank)).toBe(place);
});
