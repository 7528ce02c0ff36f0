import type { Me } from '@caravan/contracts/http/accounts';
import type { Journey } from '@caravan/contracts/http/journeys';

/** Streaks that have a night of their own. */
export const milestones = [7, 14, 30, 60, 100, 365] as const;
export type Milestone = (typeof milestones)[number];

type Days = readonly { readonly on: string; readonly movements: number }[];

/**
 * The milestone that this log reached: the streak has such a length, and this was the first movement of today.
 * @param today in the organisation's time zone
 */
export function milestoneOf(
  { streakCount, streakState }: Pick<Me, 'streakCount' | 'streakState'>,
  { today, days }: { today: string; days: Days },
  on: string,
): Milestone | null {
  const milestone = milestones.find((length) => length === streakCount);
  const movements = days.find((day) => day.on === today)?.movements;
  return milestone !== undefined && streakState === 'lit' && on === today && movements === 1 ? milestone : null;
}

/** One lantern a day; from sixty on one a week. */
export const lanternsFor = (milestone: Milestone): number => (milestone < 60 ? milestone : Math.round(milestone / 7));

/** True when these miles brought the week over its goal. */
export const reachesGoal = (weekMiles: number, goal: number, miles: number): boolean =>
  weekMiles >= goal && weekMiles - miles < goal;

/** The stop that the team passed with these miles; null: none. */
export function passedStop(
  checkpoints: Journey['route']['checkpoints'],
  teamMiles: number,
  miles: number,
): string | null {
  const passed = checkpoints.findLast(({ mileMark }) => mileMark <= teamMiles && mileMark > teamMiles - miles);
  return passed?.name ?? null;
}
