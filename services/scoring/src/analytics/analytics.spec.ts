import { addDays } from '@caravan/contracts/domain/time/local-days';
import { describe, expect, test } from 'vitest';
import { analyticsOf, type Counted, type LogsInWeek } from './analytics.ts';
import type { Team, TeamChange } from './teams.ts';

const monday = '2026-03-23';
const lastWeek = '2026-03-16';
const nothing: Counted = { teamWeeks: [], beginners: [], logs: [], teams: [], challenges: [], changes: [] };
const since = (week: string) => [{ week, people: 30, moved: {} }];
const exactly = (count: number) => ({ atLeast: count, atMost: count });
const team = (teamId: string, members: number, centimiles = 0): Team => ({
  teamId,
  members,
  centimiles,
  name: teamId,
  emoji: '⚡',
});

describe('the period', () => {
  test('is of weeks that are over, and begins when the organisation did', () => {
    const told = analyticsOf({ ...nothing, beginners: since('2026-03-09') }, { monday, weeks: 12 });
    expect([told.weeks, told.from, told.until]).toEqual([2, '2026-03-09', '2026-03-22']);
    expect(told.participation.map(({ weekStartsOn }) => weekStartsOn)).toEqual(['2026-03-09', lastWeek]);
    const long = analyticsOf({ ...nothing, beginners: since('2025-01-06') }, { monday, weeks: 4 });
    expect([long.weeks, long.from]).toEqual([4, '2026-02-23']);
  });

  test('begins with the first of all beginners, in whatever order they are listed', () => {
    const beginners = ['2026-03-16', '2026-03-02', '2026-03-09'].flatMap(since);
    expect(analyticsOf({ ...nothing, beginners }, { monday, weeks: 12 }).from).toBe('2026-03-02');
  });

  test('is empty before the first week is over', () => {
    expect(analyticsOf(nothing, { monday, weeks: 12 })).toMatchObject({ weeks: 0, members: null, participation: [] });
  });
});

test('the members of an organisation are told of from five on', () => {
  const membersOf = (...sizes: number[]) =>
    analyticsOf({ ...nothing, teams: sizes.map((members, nth) => team(`team-${nth}`, members)) }, { monday, weeks: 1 })
      .members;
  expect([membersOf(2, 3), membersOf(2, 2), membersOf(7)]).toEqual([5, null, 7]);
});

test('challenges are told by those who completed them beside the others', () => {
  const cell = (isInGroup: boolean, isAgain: boolean, times: number, people: number) => ({
    isInGroup,
    isAgain,
    times,
    people,
  });
  const challenges = [cell(true, true, 30, 10), cell(true, false, 10, 5), cell(false, false, 20, 8)];
  expect(analyticsOf({ ...nothing, challenges }, { monday, weeks: 1 }).challenges).toEqual({
    completed: { ...exactly(75), times: 40 },
    others: { ...exactly(0), times: 20 },
  });
});

test('who moved is told of all members of the week, whichever team they are in', () => {
  const teamWeeks = [
    { week: lastWeek, teamId: 'a', members: 14, moved: 9 },
    { week: lastWeek, teamId: 'b', members: 10, moved: 8 },
    { week: '2026-03-09', teamId: 'a', members: 14, moved: 14 },
    { week: '2026-03-09', teamId: 'b', members: 9, moved: 8 },
  ];
  const told = analyticsOf({ ...nothing, teamWeeks, beginners: since('2026-03-02') }, { monday, weeks: 4 });
  expect(told.participation).toEqual([
    { weekStartsOn: '2026-03-02', members: null, moved: null },
    { weekStartsOn: '2026-03-09', members: 23, moved: { atLeast: 19, atMost: 22 } },
    { weekStartsOn: lastWeek, members: 24, moved: exactly(17) },
  ]);
});

describe('logs', () => {
  const disclosedLogs = (logs: readonly Partial<LogsInWeek>[]) =>
    analyticsOf(
      {
        ...nothing,
        logs: logs.map((row) => ({ week: lastWeek, day: null, activity: null, logs: 0, people: 0, ...row })),
        beginners: since('2026-03-09'),
      },
      { monday, weeks: 4 },
    ).logs;
  const onDay = (nth: number, logs: number, people: number) => ({ day: addDays(lastWeek, nth), logs, people });

  test('of a day with one to four people are not told, nor those of the smallest of the other days', () => {
    const { weeks, total } = disclosedLogs([
      { logs: 60, people: 20 },
      onDay(0, 30, 15),
      onDay(1, 8, 6),
      onDay(2, 2, 2),
      onDay(4, 20, 9),
    ]);
    expect(weeks.at(-1)).toEqual({ weekStartsOn: lastWeek, logs: 60, days: [30, null, null, 0, 20, 0, 0] });
    expect(total).toBe(60);
  });

  test('of a week with one to four people are in no sum', () => {
    const few = [
      { logs: 9, people: 3 },
      { activity: 'walking', logs: 9, people: 3 },
      { week: '2026-03-09', logs: 7, people: 6 },
      { week: '2026-03-09', activity: 'walking', logs: 7, people: 6 },
    ];
    expect(disclosedLogs(few)).toEqual({
      weeks: [
        { weekStartsOn: '2026-03-09', logs: 7, days: [0, 0, 0, 0, 0, 0, 0] },
        { weekStartsOn: lastWeek, logs: null, days: [null, null, null, null, null, null, null] },
      ],
      total: 7,
      activities: [{ activity: 'Walking', logs: 7 }],
      others: 0,
    });
  });

  test('of what few people do are among the others, with the smallest of the rest, as are names of members’ own', () => {
    const one = disclosedLogs([
      { logs: 60, people: 20 },
      { activity: 'walking', logs: 30, people: 12 },
      { activity: 'running', logs: 20, people: 9 },
      { activity: 'yoga', logs: 6, people: 5 },
      { activity: 'surfing', logs: 3, people: 1 },
      { activity: 'sword juggling', logs: 1, people: 1 },
    ]);
    expect(one.activities).toEqual([
      { activity: 'Walking', logs: 30 },
      { activity: 'Running', logs: 20 },
    ]);
    expect(one.others).toBe(10);
  });

  test('of an own name that five use cover what a few do, and of one that four use do not', () => {
    const ofOwn = (people: number) =>
      disclosedLogs([
        { logs: 60, people: 20 },
        { activity: 'walking', logs: 30, people: 12 },
        { activity: 'running', logs: 20, people: 9 },
        { activity: 'yoga', logs: 3, people: 2 },
        { activity: 'lunch lap', logs: 7, people },
        { activity: 'stairs', logs: 1, people: 1 },
      ]).activities.map(({ activity }) => activity);
    expect(ofOwn(10)).toEqual(['Walking', 'Running']);
    expect(ofOwn(5)).toEqual(['Walking', 'Running']);
    expect(ofOwn(4)).toEqual(['Walking']);
  });

  test('of an own name that five use cover a few beside an activity of five', () => {
    const one = disclosedLogs([
      { logs: 60, people: 20 },
      { activity: 'running', logs: 20, people: 5 },
      { activity: 'yoga', logs: 3, people: 2 },
      { activity: 'lunch lap', logs: 7, people: 5 },
    ]);
    expect(one.activities.map(({ activity }) => activity)).toEqual(['Running']);
  });

  test('are told alike in whatever order they are listed', () => {
    const rows = [
      { logs: 60, people: 20 },
      onDay(0, 30, 15),
      onDay(1, 8, 6),
      onDay(2, 2, 2),
      onDay(4, 20, 9),
      { activity: 'walking', logs: 30, people: 12 },
      { activity: 'running', logs: 20, people: 9 },
    ];
    expect(disclosedLogs(rows.toReversed())).toEqual(disclosedLogs(rows));
  });

  test('of a week without any are none, on every day', () => {
    expect(disclosedLogs([]).weeks).toEqual([
      { weekStartsOn: '2026-03-09', logs: 0, days: [0, 0, 0, 0, 0, 0, 0] },
      { weekStartsOn: lastWeek, logs: 0, days: [0, 0, 0, 0, 0, 0, 0] },
    ]);
  });

  test('of equally frequent activities stand in the order of their names', () => {
    const one = disclosedLogs([
      { logs: 40, people: 20 },
      { activity: 'yoga', logs: 10, people: 8 },
      { activity: 'walking', logs: 20, people: 9 },
      { activity: 'running', logs: 10, people: 8 },
    ]);
    expect(one.activities.map(({ activity }) => activity)).toEqual(['Walking', 'Running', 'Yoga']);
    expect(one.others).toBe(0);
  });

  test('of an activity that five do are told, and of a day on which five did anything', () => {
    const one = disclosedLogs([
      { logs: 40, people: 20 },
      { activity: 'walking', logs: 35, people: 20 },
      { activity: 'yoga', logs: 5, people: 5 },
      onDay(0, 35, 18),
      onDay(6, 5, 5),
    ]);
    expect(one.activities.map(({ activity }) => activity)).toEqual(['Walking', 'Yoga']);
    expect(one.weeks.at(-1)?.days).toEqual([35, 0, 0, 0, 0, 0, 5]);
  });

  test('of an own name that many use need nobody else beside them', () => {
    const one = disclosedLogs([
      { logs: 40, people: 20 },
      { activity: 'walking', logs: 30, people: 12 },
      { activity: 'lunch lap', logs: 10, people: 8 },
    ]);
    expect([one.activities, one.others]).toEqual([[{ activity: 'Walking', logs: 30 }], 10]);
  });

  test('every figure of a period is a sum of what is told of its weeks, so that periods may be subtracted', () => {
    const week = (start: string, yoga: number) => [
      { week: start, logs: 30 + yoga, people: 12 },
      { week: start, activity: 'walking', logs: 20, people: 12 },
      { week: start, activity: 'running', logs: 10, people: 7 },
      { week: start, activity: 'yoga', logs: yoga, people: yoga },
    ];
    const both = disclosedLogs([...week(lastWeek, 6), ...week('2026-03-09', 2)]);
    const late = disclosedLogs(week(lastWeek, 6));
    const yogaOf = ({ activities }: typeof both) => activities.find(({ activity }) => activity === 'Yoga')?.logs;
    expect([yogaOf(both), yogaOf(late), both.others]).toEqual([6, 6, 12]);
  });
});

describe('teams', () => {
  const teamWeeks = [
    { week: lastWeek, teamId: 'a', members: 20, moved: 12 },
    { week: lastWeek, teamId: 'b', members: 16, moved: 14 },
    { week: lastWeek, teamId: 'c', members: 12, moved: 6 },
  ];
  const toldOf = (teams: readonly Team[], weeks = teamWeeks) =>
    analyticsOf({ ...nothing, teams, teamWeeks: weeks, beginners: since(lastWeek) }, { monday, weeks: 4 }).teams;

  test('are told by the share of weeks with a log, and one that could be reckoned is less exact', () => {
    const teams = [team('a', 20, 40_000), team('b', 16), team('c', 12)];
    expect(toldOf(teams)).toEqual([
      {
        names: [{ name: 'a', emoji: '⚡' }],
        members: 20,
        participation: exactly(60),
        milesPerMemberAndWeek: 20,
      },
      expect.objectContaining({ members: 16, participation: { atLeast: 0, atMost: 100 } }),
      expect.objectContaining({ members: 12, participation: { atLeast: 0, atMost: 100 } }),
    ]);
  });

  test('of fewer than ten members are told together', () => {
    const teams = [team('a', 20), team('b', 6, 900), team('c', 5, 200)];
    const weeks = [
      { week: lastWeek, teamId: 'a', members: 20, moved: 10 },
      { week: lastWeek, teamId: 'b', members: 6, moved: 1 },
      { week: lastWeek, teamId: 'c', members: 5, moved: 5 },
    ];
    expect(toldOf(teams, weeks)).toMatchObject([
      { names: [{ name: 'a' }], participation: exactly(50) },
      { names: [{ name: 'b' }, { name: 'c' }], members: 11, participation: exactly(55), milesPerMemberAndWeek: 1 },
    ]);
  });

  test('of an organisation of fewer than ten are not told', () =>
    expect(
      toldOf(
        [team('a', 5), team('b', 4)],
        [
          { week: lastWeek, teamId: 'a', members: 5, moved: 5 },
          { week: lastWeek, teamId: 'b', members: 4, moved: 0 },
        ],
      ),
    ).toEqual([]));

  const weekBefore = '2026-03-09';
  const two = [
    { week: weekBefore, teamId: 'a', members: 20, moved: 10 },
    { week: weekBefore, teamId: 'b', members: 15, moved: 7 },
    { week: weekBefore, teamId: 'c', members: 12, moved: 5 },
    { week: lastWeek, teamId: 'a', members: 20, moved: 10 },
    { week: lastWeek, teamId: 'b', members: 14, moved: 6 },
    { week: lastWeek, teamId: 'c', members: 13, moved: 6 },
  ];
  const namesAndShares = (changes: readonly TeamChange[]) =>
    analyticsOf(
      {
        ...nothing,
        teams: [team('a', 20), team('b', 14), team('c', 13)],
        teamWeeks: two,
        beginners: since(weekBefore),
        changes,
      },
      { monday, weeks: 4 },
    ).teams.map(({ names, members, participation }) => [names.map(({ name }) => name).join(), members, participation]);

  test('[D3] between which somebody went within the period are told together', () => {
    expect(namesAndShares([])).toEqual([
      ['a', 20, exactly(50)],
      ['b', 14, exactly(45)],
      ['c', 13, exactly(44)],
    ]);
    expect(namesAndShares([{ week: lastWeek, from: 'b', to: 'c' }])).toEqual([
      ['b,c', 27, exactly(44)],
      ['a', 20, exactly(50)],
    ]);
    // A member who left before the first week began is in one team all the time.
    expect(namesAndShares([{ week: weekBefore, from: 'b', to: 'c' }])).toHaveLength(3);
  });

  test('[D3] are all told in steps of five per cent where somebody joined or left within the period', () => {
    for (const change of [
      { week: lastWeek, from: null, to: 'c' },
      { week: lastWeek, from: 'b', to: null },
    ])
      expect(namesAndShares([change])).toEqual([
        ['a', 20, { atLeast: 50, atMost: 55 }],
        ['b', 14, { atLeast: 45, atMost: 50 }],
        ['c', 13, { atLeast: 40, atMost: 45 }],
      ]);
  });
});
