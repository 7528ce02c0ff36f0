import { addDays } from '@caravan/contracts/local-days';
import { describe, expect, test } from 'vitest';
import { analyticsOf, type Counted, type LogsInWeek, type Team } from './analytics.ts';

const monday = '2026-03-23';
const lastWeek = '2026-03-16';
const nothing: Counted = { teamWeeks: [], beginners: [], logs: [], teams: [], challenges: [] };
const since = (week: string) => [{ week, people: 30, moved: {} }];
const exactly = (count: number) => ({ atLeast: count, atMost: count });
const team = (teamId: string, members: number, centimiles = 0): Team => ({
  ...{ teamId, members, centimiles, name: teamId, emoji: '⚡' },
});

describe('the period', () => {
  test('is of weeks that are over, and begins when the organisation did', () => {
    const told = analyticsOf({ ...nothing, beginners: since('2026-03-09') }, { monday, weeks: 12 });
    expect([told.weeks, told.from, told.until]).toEqual([2, '2026-03-09', '2026-03-22']);
    expect(told.participation.map(({ weekStartsOn }) => weekStartsOn)).toEqual(['2026-03-09', lastWeek]);
    const long = analyticsOf({ ...nothing, beginners: since('2025-01-06') }, { monday, weeks: 4 });
    expect([long.weeks, long.from]).toEqual([4, '2026-02-23']);
  });

  test('is empty before the first week is over', () => {
    expect(analyticsOf(nothing, { monday, weeks: 12 })).toMatchObject({ weeks: 0, members: null, participation: [] });
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
  const told = (logs: readonly Partial<LogsInWeek>[]) =>
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
    const { weeks, total } = told([
      { logs: 60, people: 20 },
      ...[onDay(0, 30, 15), onDay(1, 8, 6), onDay(2, 2, 2), onDay(4, 20, 9)],
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
    expect(told(few)).toEqual({
      weeks: [
        { weekStartsOn: '2026-03-09', logs: 7, days: [0, 0, 0, 0, 0, 0, 0] },
        { weekStartsOn: lastWeek, logs: null, days: [null, null, null, null, null, null, null] },
      ],
      ...{ total: 7, activities: [{ activity: 'Walking', logs: 7 }], others: 0 },
    });
  });

  test('of what few people do are among the others, with the smallest of the rest, as are names of members’ own', () => {
    const one = told([
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

  test('of an own name that many use need nobody else beside them', () => {
    const one = told([
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
    const both = told([...week(lastWeek, 6), ...week('2026-03-09', 2)]);
    const late = told(week(lastWeek, 6));
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
        ...{ names: [{ name: 'a', emoji: '⚡' }], members: 20 },
        ...{ participation: exactly(60), milesPerMemberAndWeek: 20 },
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
      { names: [{ name: 'c' }, { name: 'b' }], members: 11, participation: exactly(55), milesPerMemberAndWeek: 1 },
    ]);
  });

  test('of an organisation of fewer than ten are not told', () =>
    expect(toldOf([team('a', 5), team('b', 4)])).toEqual([]));
});
