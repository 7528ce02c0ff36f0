import { productActivities } from '@caravan/contracts/activities';
import {
  type ComparedCell,
  comparisonOf,
  fewestPeople,
  isTellable,
  partsTold,
  partsToHide,
  type Told,
  toldOf,
  toldOfParts,
} from '@caravan/contracts/disclosure';
import type { Analytics } from '@caravan/contracts/http/analytics';
import { addDays, daysBetween } from '@caravan/contracts/local-days';
import { type Beginners, cohortsOf } from './cohorts.ts';

/** The weeks that are told of: `monday` begins the one that runs, which is not among them. */
export type Period = { readonly monday: string; readonly weeks: number };
export const firstWeekOf = ({ monday, weeks }: Period): string => addDays(monday, -7 * weeks);
const weeksOf = (period: Period): string[] =>
  Array.from({ length: period.weeks }, (_, nth) => addDays(firstWeekOf(period), 7 * nth));

/** Without the weeks before anybody began. */
function livedPeriod({ monday, weeks }: Period, beginners: readonly Beginners[]): Period {
  const first = beginners.reduce((earliest, { week }) => (week < earliest ? week : earliest), monday);
  return { monday, weeks: Math.min(weeks, daysBetween(first, monday) / 7) };
}

/** Of those who are members of the team now: how many were there in the week, and how many of them moved. */
export type TeamInWeek = {
  readonly week: string;
  readonly teamId: string;
  readonly members: number;
  readonly moved: number;
};
/** Logs of a week: by day, by activity, and all of them. */
export type LogsInWeek = {
  readonly week: string;
  readonly day: string | null;
  readonly activity: string | null;
  readonly logs: number;
  readonly people: number;
};
export type Team = {
  readonly teamId: string;
  readonly name: string;
  readonly emoji: string;
  readonly members: number;
  readonly centimiles: number;
};
/** What was counted, before anything is left out. */
export type Counted = {
  readonly teamWeeks: readonly TeamInWeek[];
  readonly beginners: readonly Beginners[];
  readonly logs: readonly LogsInWeek[];
  readonly teams: readonly Team[];
  readonly challenges: readonly ComparedCell[];
};

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

/** Only what is about enough people leaves here (ADR 0054). */
export function analyticsOf(counted: Counted, asked: Period): Analytics {
  const period = livedPeriod(asked, counted.beginners);
  const members = sum(counted.teams, (team) => team.members);
  const { group: completed, others } = comparisonOf(counted.challenges);
  return {
    ...{ weeks: period.weeks, from: firstWeekOf(period), until: addDays(period.monday, -1) },
    members: members < fewestPeople ? null : members,
    participation: participationOf(counted.teamWeeks, period),
    retention: cohortsOf(counted.beginners, period.monday),
    logs: logsOf(counted.logs, period),
    teams: teamsOf(counted, period),
    challenges: { completed, others },
  };
}

function participationOf(teamWeeks: readonly TeamInWeek[], period: Period): Analytics['participation'] {
  const byWeek = Map.groupBy(teamWeeks, ({ week }) => week);
  return weeksOf(period).map((weekStartsOn) => {
    const rows = byWeek.get(weekStartsOn) ?? [];
    const members = sum(rows, (row) => row.members);
    const moved = toldOf(
      sum(rows, (row) => row.moved),
      members,
    );
    return { weekStartsOn, members: moved && members, moved };
  });
}

/** Sums are made of what is told of weeks: none of them holds a week, day or activity that is not. */
function logsOf(all: readonly LogsInWeek[], period: Period): Analytics['logs'] {
  const byWeek = Map.groupBy(all, ({ week }) => week);
  const told = weeksOf(period).map((week) => toldWeek(week, byWeek.get(week) ?? []));
  const total = sum(told, ({ logs }) => logs ?? 0);
  const byActivity = Map.groupBy(
    told.flatMap(({ activities }) => activities),
    ({ activity }) => activity,
  );
  const activities = [...byActivity]
    .map(([activity, rows]) => ({ activity, logs: sum(rows, ({ logs }) => logs) }))
    .sort((one, other) => other.logs - one.logs || one.activity.localeCompare(other.activity));
  return {
    weeks: told.map(({ weekStartsOn, logs, days }) => ({ weekStartsOn, logs, days })),
    ...{ total, activities, others: total - sum(activities, ({ logs }) => logs) },
  };
}

const productNames = new Map(productActivities.map((name) => [name.toLowerCase(), name]));

const isOwn = ({ activity }: LogsInWeek): boolean => activity !== null && !productNames.has(activity);

function toldWeek(weekStartsOn: string, rows: readonly LogsInWeek[]) {
  const all = rows.find(({ day, activity }) => day === null && activity === null) ?? { logs: 0, people: 0 };
  const dates = Array.from({ length: 7 }, (_, nth) => addDays(weekStartsOn, nth));
  if (!isTellable(all.people)) return { weekStartsOn, logs: null, days: dates.map(() => null), activities: [] };
  const days = dates.map((date) => rows.find(({ day }) => day === date) ?? { logs: 0, people: 0 });
  const hiddenDays = partsToHide(days);
  const named = rows.flatMap(({ activity, ...row }) => {
    const name = productNames.get(activity ?? '');
    return name === undefined ? [] : [{ ...row, activity: name }];
  });
  // Names of members' own are among the others: at least as many people as the most common of them has.
  const own = { people: Math.max(0, ...rows.flatMap((row) => (isOwn(row) ? row.people : []))) };
  const isCovered = own.people >= fewestPeople;
  const hiddenActivities = isCovered
    ? new Set(named.filter(({ people }) => !isTellable(people)))
    : partsToHide([...named, own]);
  return {
    ...{ weekStartsOn, logs: all.logs },
    days: days.map((day) => (hiddenDays.has(day) ? null : day.logs)),
    activities: named.filter((row) => !hiddenActivities.has(row)),
  };
}

function teamsOf({ teams, teamWeeks }: Counted, period: Period): Analytics['teams'] {
  const groups = partsTold(teams.map(({ members }) => members)).map((indexes) =>
    indexes.flatMap((at) => teams[at] ?? []),
  );
  const byWeek = Map.groupBy(teamWeeks, ({ week }) => week);
  const told = weeksOf(period).map((week) => {
    const parts = groups.map((group) => {
      const rows = (byWeek.get(week) ?? []).filter(({ teamId }) => group.some((team) => team.teamId === teamId));
      return { count: sum(rows, ({ moved }) => moved), of: sum(rows, ({ members }) => members) };
    });
    return toldOfParts(parts).map((range, at) => ({ range, of: parts[at]?.of ?? 0 }));
  });
  return groups.map((group, at) => {
    const members = sum(group, (team) => team.members);
    const weeks = told.flatMap((parts) => parts[at] ?? []);
    const centimiles = sum(group, (team) => team.centimiles);
    return {
      names: group.map(({ name, emoji }) => ({ name, emoji })),
      members,
      participation: meanOf(weeks),
      milesPerMemberAndWeek: weeks.some(({ range }) => range !== null)
        ? Math.round(centimiles / members / period.weeks) / 100
        : null,
    };
  });
}

/** In per cent of all who were there in the weeks that are told. */
function meanOf(weeks: readonly { readonly range: Told | null; readonly of: number }[]): Told | null {
  const told = weeks.flatMap(({ range, of }) => (range === null ? [] : [{ ...range, of }]));
  const people = sum(told, ({ of }) => of);
  if (people === 0) return null;
  const percent = (count: number) => Math.round((100 * count) / people);
  return {
    atLeast: percent(sum(told, ({ atLeast }) => atLeast)),
    atMost: percent(sum(told, ({ atMost }) => atMost)),
  };
}
