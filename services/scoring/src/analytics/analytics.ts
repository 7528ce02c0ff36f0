import { productActivities } from '@caravan/contracts/domain/movement/activities';
import {
  type ComparedCell,
  comparisonOf,
  fewestPeople,
  isTellable,
  partsToHide,
  toldOf,
} from '@caravan/contracts/domain/movement/disclosure';
import type { Analytics } from '@caravan/contracts/http/analytics';
import { addDays, daysBetween } from '@caravan/contracts/domain/time/local-days';
import { textKey } from '@caravan/contracts/domain/text/text-key';
import { type Beginners, cohortsOf } from './cohorts.ts';
import { type Team, type TeamChange, type TeamInWeek, teamsOf } from './teams.ts';

/** The weeks that are told of: `monday` begins the one that runs, which is not among them. */
export type Period = { readonly monday: string; readonly weeks: number };
export const firstWeekOf = ({ monday, weeks }: Period): string => addDays(monday, -7 * weeks);
const weeksOf = (period: Period): string[] =>
  Array.from({ length: period.weeks }, (_, nth) => addDays(firstWeekOf(period), 7 * nth));

/** Without the weeks before anybody began. */
function livedPeriod({ monday, weeks }: Period, beginners: readonly Beginners[]): Period {
  // Stryker disable next-line EqualityOperator: of two that are the same either is.
  const first = beginners.reduce((earliest, { week }) => (week < earliest ? week : earliest), monday);
  return { monday, weeks: Math.min(weeks, daysBetween(first, monday) / 7) };
}

/** Logs of a week: by day, by activity, and all of them. */
export type LogsInWeek = {
  readonly week: string;
  readonly day: string | null;
  readonly activity: string | null;
  readonly logs: number;
  readonly people: number;
};
/** What was counted, before anything is left out. */
export type Counted = {
  readonly teamWeeks: readonly TeamInWeek[];
  readonly beginners: readonly Beginners[];
  readonly logs: readonly LogsInWeek[];
  readonly teams: readonly Team[];
  readonly challenges: readonly ComparedCell[];
  readonly changes: readonly TeamChange[];
};

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

/** Only what is about enough people leaves here (ADR 0054). */
export function analyticsOf(counted: Counted, asked: Period): Analytics {
  const period = livedPeriod(asked, counted.beginners);
  const members = sum(counted.teams, (team) => team.members);
  const { group: completed, others } = comparisonOf(counted.challenges);
  return {
    weeks: period.weeks,
    from: firstWeekOf(period),
    until: addDays(period.monday, -1),
    members: members < fewestPeople ? null : members,
    participation: participationOf(counted.teamWeeks, period),
    retention: cohortsOf(counted.beginners, period.monday),
    logs: logsOf(counted.logs, period),
    teams: teamsOf(counted, weeksOf(period)),
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
  // Stryker disable next-line ArrayDeclaration: a row without figures counts nothing.
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
    total,
    activities,
    others: total - sum(activities, ({ logs }) => logs),
  };
}

const productNames = new Map(productActivities.map((name) => [textKey(name), name]));

const isOwn = ({ activity }: LogsInWeek): boolean => activity !== null && !productNames.has(activity);

function toldWeek(weekStartsOn: string, rows: readonly LogsInWeek[]) {
  const all = rows.find(({ day, activity }) => day === null && activity === null) ?? { logs: 0, people: 0 };
  const dates = Array.from({ length: 7 }, (_, nth) => addDays(weekStartsOn, nth));
  if (!isTellable(all.people)) return { weekStartsOn, logs: null, days: dates.map(() => null), activities: [] };
  const days = dates.map((date) => rows.find(({ day }) => day === date) ?? { logs: 0, people: 0 });
  const hiddenDays = partsToHide(days);
  const named = rows.flatMap(({ activity, ...row }) => {
    // Stryker disable next-line StringLiteral: nothing that the product offers is called so.
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
    weekStartsOn,
    logs: all.logs,
    days: days.map((day) => (hiddenDays.has(day) ? null : day.logs)),
    activities: named.filter((row) => !hiddenActivities.has(row)),
  };
}
