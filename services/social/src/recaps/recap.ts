import { addDays, minutesOfDay, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import {
  organisationDateOf,
  organisationWeekOf,
  organisationZoneAt,
  type ZoneHistory,
} from '@caravan/contracts/domain/time/organisation-zone';

/** A recap is told from six on Monday morning, by the organisation's clock (D28). */
const toldFromMinutes = 6 * 60;
/** Weeks before these stay untold: nobody waits for the story of a day long ago. */
const mostMissedWeeks = 8;

type Organisation = {
  readonly zones: ZoneHistory;
  readonly foundedAt: Date;
  /** Monday of the latest week that has a recap. */
  readonly latestWeek: string | null;
};

/** The Mondays of the weeks whose story is due and untold, oldest first. */
export function dueWeeks({ zones, foundedAt, latestWeek }: Organisation, at: Date): string[] {
  const today = organisationDateOf(zones, at);
  const monday = weekStartOf(today);
  const isTooEarly = today === monday && minutesOfDay(at, organisationZoneAt(zones, at)) < toldFromMinutes;
  const last = addDays(monday, isTooEarly ? -14 : -7);
  const oldest = addDays(last, -7 * (mostMissedWeeks - 1));
  const founded = organisationWeekOf(zones, foundedAt);
  const next = latestWeek === null ? founded : addDays(latestWeek, 7);
  const weeks: string[] = [];
  for (let week = next < oldest ? oldest : next; week <= last; week = addDays(week, 7)) weeks.push(week);
  return weeks;
}

export const weekEndOf = (startsOn: string): string => addDays(startsOn, 6);

type Team = { readonly teamId: string; readonly centimiles: number; readonly previousCentimiles: number };
type Improved = { readonly userId: string; readonly centimiles: number; readonly previousCentimiles: number };

export type Checkpoint = {
  readonly teamId: string;
  readonly name: string;
  readonly routeName: string;
  readonly mileMark: number;
  readonly isLast: boolean;
};

/** What is kept of a week. Whoever it speaks of is an id: what they are called, and whether one may know, is read each time. */
export type Story = {
  readonly previousCentimiles: number;
  readonly teams: readonly Team[];
  readonly improved: readonly Improved[];
  readonly streaks: { readonly kept: number; readonly longestDays: number };
  readonly checkpoints: readonly Checkpoint[];
  readonly challenges: readonly { readonly name: string; readonly completions: number }[];
  readonly bonusCompletions: number;
  readonly badgesEarned: number;
  /** The post whose caption is featured. */
  readonly quotedLogId: string | null;
  /** The post whose photo is featured. */
  readonly picturedLogId: string | null;
};

export type Week = {
  readonly orgId: string;
  readonly startsOn: string;
  readonly endsOn: string;
  readonly zones: ZoneHistory;
};

/** Members who moved of those who could have, in per cent with one decimal. */
export function participationOf(moved: number, active: number): number {
  return active === 0 ? 0 : Math.round((1_000 * Math.min(moved, active)) / active) / 10;
}
