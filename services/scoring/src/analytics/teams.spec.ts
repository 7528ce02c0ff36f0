import { describe, expect, test } from 'vitest';
import { type Team, type TeamChange, type TeamInWeek, teamsOf } from './teams.ts';

const first = '2026-03-02';
const second = '2026-03-09';
const third = '2026-03-16';
const weeks = [first, second, third];
const team = (teamId: string, centimiles = 0): Team => ({
  teamId,
  name: teamId.toUpperCase(),
  emoji: '⚡',
  members: 20,
  centimiles,
});
const inWeek = (week: string, teamId: string, members: number, moved: number): TeamInWeek => ({
  week,
  teamId,
  members,
  moved,
});
const disclosedTeams = (
  teams: readonly Team[],
  teamWeeks: readonly TeamInWeek[],
  changes: readonly TeamChange[] = [],
) => teamsOf({ teams, teamWeeks, changes }, weeks);
const rowsOf = (...of: Parameters<typeof disclosedTeams>) =>
  disclosedTeams(...of).map(({ names, members, participation, milesPerMemberAndWeek }) => [
    names.map(({ name }) => name).join('+'),
    members,
    participation && `${participation.atLeast}-${participation.atMost}`,
    milesPerMemberAndWeek,
  ]);

test('a team is told by its name, its latest size, and the mean of all that were there in the weeks', () => {
  const teamWeeks = [inWeek(first, 'a', 10, 0), inWeek(second, 'a', 20, 15), inWeek(third, 'a', 10, 5)];
  expect(disclosedTeams([team('a', 8_000)], teamWeeks)).toEqual([
    {
      names: [{ name: 'A', emoji: '⚡' }],
      members: 10,
      participation: { atLeast: 50, atMost: 50 },
      milesPerMemberAndWeek: 2,
    },
  ]);
});

test('of no weeks and of no teams nothing is told', () => {
  expect(disclosedTeams([], [])).toEqual([]);
  expect(disclosedTeams([team('a')], [])).toEqual([]);
});

describe('a week in which a team was small', () => {
  test('is told of no team where the whole was small, and stays out of the mean', () => {
    const teamWeeks = [inWeek(first, 'a', 9, 9), inWeek(second, 'a', 20, 10), inWeek(third, 'a', 20, 10)];
    expect(rowsOf([team('a', 4_900)], teamWeeks)).toEqual([['A', 20, '50-50', 1]]);
  });

  test('has its teams told together in every other week, too', () => {
    const teamWeeks = [
      inWeek(first, 'a', 20, 10),
      inWeek(first, 'b', 20, 10),
      inWeek(first, 'c', 4, 0),
      inWeek(second, 'a', 20, 10),
      inWeek(second, 'b', 30, 15),
      inWeek(second, 'c', 20, 10),
    ];
    expect(rowsOf([team('a'), team('b'), team('c')], teamWeeks).map(([names]) => names)).toEqual(['B+C', 'A']);
  });

  test('is not one in which it was not there: its latest size is that of its latest week', () => {
    const teamWeeks = [inWeek(first, 'a', 20, 20), inWeek(third, 'b', 10, 0)];
    expect(rowsOf([team('a'), team('b')], teamWeeks)).toEqual([
      ['A', 20, '100-100', 0],
      ['B', 10, '0-0', 0],
    ]);
  });
});

test('equal teams of the only week stand in the order of the teams', () => {
  const teamWeeks = ['c', 'b', 'a'].map((teamId) => inWeek(third, teamId, 12, 6));
  expect(rowsOf([team('b'), team('c'), team('a')], teamWeeks).map(([names]) => names)).toEqual(['B', 'C', 'A']);
});

test('the largest team of the latest week stands first, equal ones in the order of the teams', () => {
  const teamWeeks = [
    inWeek(second, 'a', 40, 20),
    inWeek(second, 'b', 10, 5),
    inWeek(second, 'c', 10, 5),
    inWeek(third, 'c', 12, 6),
    inWeek(third, 'b', 12, 6),
    inWeek(third, 'a', 11, 6),
  ];
  expect(rowsOf([team('b'), team('c'), team('a')], teamWeeks).map(([names]) => names)).toEqual(['B', 'C', 'A']);
});

describe('a member who changes teams', () => {
  const teamWeeks = weeks.flatMap((week) =>
    ['a', 'b', 'c', 'd'].map((teamId, nth) => inWeek(week, teamId, 20 + nth, 10)),
  );
  const teams = ['a', 'b', 'c', 'd'].map((teamId) => team(teamId));
  const change = (week: string, from: string | null, to: string | null): TeamChange => ({ week, from, to });
  const namesWith = (...changes: readonly TeamChange[]) => rowsOf(teams, teamWeeks, changes).map(([names]) => names);

  test('[D3] joins the two of them, and all that are joined already', () => {
    expect(namesWith(change(second, 'a', 'b'))).toEqual(['A+B', 'D', 'C']);
    expect(namesWith(change(second, 'a', 'b'), change(third, 'b', 'd'))).toEqual(['A+B+D', 'C']);
    expect(namesWith(change(second, 'a', 'b'), change(third, 'c', 'd'))).toEqual(['C+D', 'A+B']);
  });

  test('[D3] joins none before the weeks, in the first of them or after them', () => {
    for (const week of ['2026-02-23', first, '2026-03-23'])
      expect(namesWith(change(week, 'a', 'b'), change(week, null, 'c'))).toEqual(['D', 'C', 'B', 'A']);
  });

  test('[D3] joins no teams into which, or from which, different people came or went', () => {
    expect(namesWith(change(third, null, 'c'), change(third, null, 'd'))).toEqual(['D', 'C', 'B', 'A']);
    expect(namesWith(change(third, 'a', null), change(third, 'b', null))).toEqual(['D', 'C', 'B', 'A']);
    expect(namesWith(change(third, null, 'c'), change(third, 'd', null))).toEqual(['D', 'C', 'B', 'A']);
  });

  test('[D3] between teams that nobody counted is told of nowhere', () => {
    expect(namesWith(change(second, 'x', 'y'))).toEqual(['D', 'C', 'B', 'A']);
  });

  test('[D3] rounds all shares to steps of five where somebody joined or left, within nothing and all', () => {
    const shares = (moved: number, ...changes: readonly TeamChange[]) =>
      rowsOf([team('a')], [inWeek(third, 'a', 100, moved)], changes).map(([, , share]) => share);
    const joined = change(third, null, 'a');
    expect([0, 52, 55, 100].flatMap((moved) => shares(moved, joined))).toEqual(['0-5', '50-55', '55-60', '95-100']);
    expect(shares(52, change(third, 'a', null))).toEqual(['50-55']);
    expect(shares(52)).toEqual(['52-52']);
    const ranges = [inWeek(second, 'a', 20, 2), inWeek(third, 'a', 20, 10)];
    expect(rowsOf([team('a')], ranges, [joined])).toEqual([['A', 20, '25-35', 0]]);
  });
});

test('miles are told for each member and week, to a hundredth', () => {
  const teamWeeks = weeks.map((week) => inWeek(week, 'a', 10, 5));
  expect(rowsOf([team('a', 10_000)], teamWeeks)).toEqual([['A', 10, '50-50', 3.33]]);
});

test('the mean of weeks that are told as ranges is a range', () => {
  const teamWeeks = [inWeek(second, 'a', 20, 2), inWeek(third, 'a', 20, 10)];
  expect(rowsOf([team('a')], teamWeeks)).toEqual([['A', 20, '28-35', 0]]);
});
