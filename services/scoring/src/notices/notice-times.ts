import { addDays, localDateOf, minutesOfDay, weekStartOf } from '@caravan/contracts/domain/time/local-days';

/** A reminder's two hours of the local day, in minutes after midnight. What is missed then is not sent later. */
type Hours = { readonly from: number; readonly until: number };

const morning: Hours = { from: 8 * 60, until: 10 * 60 };
const noon: Hours = { from: 12 * 60, until: 14 * 60 };
const evening: Hours = { from: 18 * 60, until: 20 * 60 };

export type Round = { readonly timeZone: string; readonly on: string };

/** Zones in which it is time for `StreakAtRisk`: the evening of any day. */
export const streakRounds = (zones: readonly string[], at: Date): Round[] => roundsIn(zones, at, evening);

/** Zones in which it is time for `WeeklyGoalNear`: Friday's noon. */
export const goalRounds = (zones: readonly string[], at: Date): Round[] =>
  roundsIn(zones, at, noon).filter(({ on }) => on === addDays(weekStartOf(on), 4));

/** Zones in which it is time for `ChallengeEndingToday` of what ends at `end`: the last morning that leaves time for it. */
export const endingRounds = (zones: readonly string[], at: Date, end: Date): Round[] =>
  at >= end ? [] : roundsIn(zones, at, morning).filter(({ timeZone, on }) => on === lastMorningBefore(end, timeZone));

/** The local date of the last morning that is over before `end`. */
export function lastMorningBefore(end: Date, timeZone: string): string {
  const on = localDateOf(end, timeZone);
  return minutesOfDay(end, timeZone) > morning.until ? on : addDays(on, -1);
}

function roundsIn(zones: readonly string[], at: Date, { from, until }: Hours): Round[] {
  return zones.flatMap((timeZone) => {
    const minutes = minutesOfDay(at, timeZone);
    return minutes >= from && minutes < until ? [{ timeZone, on: localDateOf(at, timeZone) }] : [];
  });
}
