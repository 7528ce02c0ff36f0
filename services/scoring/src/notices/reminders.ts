import { addDays } from '@caravan/contracts/domain/time/local-days';
import { standingAt, type StreakRun, type StreakStart, streakOn } from '@caravan/contracts/domain/movement/streak';
import type { Target } from '../weekly-challenges/index.ts';
import { challengeEndingToday, streakAtRisk, weeklyGoalNear } from './public-events.ts';

export type ReminderKind = 'streak-at-risk' | 'goal-near' | 'challenge-ending' | 'rank-lost';

/** To be told once on that local date, whatever else is found of its kind. */
export type Reminder = {
  readonly kind: ReminderKind;
  readonly userId: string;
  readonly on: string;
  readonly event: { readonly type: string; readonly version: number; readonly data: object };
};

/** 9.5: miles of a week that a person sets out for. */
export const weeklyGoalCentimiles = 500;
/** From here on a person is near. */
export const nearGoalCentimiles = 0.8 * weeklyGoalCentimiles;

/** One active day is no streak that somebody would miss. */
const leastDays = 2;

export type RunningStreak = {
  readonly userId: string;
  readonly on: string;
  readonly run: StreakRun;
  readonly start: StreakStart | null;
};

/** Empty where something was logged on that date, and where a freeze would hold the streak (D11). */
export function streakReminder(streak: RunningStreak, hasFreezes: boolean): Reminder[] {
  const { userId, on, run, start } = streak;
  const standing = hasFreezes && start?.startedOn === run.startedOn ? standingAt(start, run.endedOn) : undefined;
  const { days } = streakOn(run, on, standing);
  if (run.endedOn >= on || days < leastDays || streakOn(run, addDays(on, 1), standing).days > 0) return [];
  return [{ kind: 'streak-at-risk', userId, on, event: streakAtRisk({ userId, on, days }) }];
}

export type WeekSoFar = {
  readonly userId: string;
  readonly on: string;
  readonly centimiles: number;
  readonly weekStartsOn: string;
};

export function goalReminder({ userId, on, centimiles, weekStartsOn }: WeekSoFar): Reminder[] {
  if (centimiles < nearGoalCentimiles || centimiles >= weeklyGoalCentimiles) return [];
  const missingCentimiles = weeklyGoalCentimiles - centimiles;
  return [{ kind: 'goal-near', userId, on, event: weeklyGoalNear({ userId, weekStartsOn, missingCentimiles }) }];
}

export type Begun = {
  readonly challenge: Target & { readonly challengeId: string; readonly name: string };
  /** In the challenge's own unit. */
  readonly done: number;
};

/** Of those that somebody began and has not completed the one that is nearest, if it can still be reached that day. */
export function endingReminder(
  { userId, on }: { readonly userId: string; readonly on: string },
  begun: readonly Begun[],
): Reminder[] {
  const open = begun
    .filter(({ challenge, done }) => done > 0 && done < challenge.targetValue)
    .filter(({ challenge, done }) => challenge.targetUnit !== 'days' || challenge.targetValue - done <= 1)
    .toSorted((one, other) => other.done / other.challenge.targetValue - one.done / one.challenge.targetValue);
  const [nearest] = open;
  return nearest ? [endingToday({ userId, on }, 'weekly', nearest.challenge)] : [];
}

export function endingToday(
  { userId, on }: { readonly userId: string; readonly on: string },
  kind: 'weekly' | 'bonus',
  { challengeId, name }: { readonly challengeId: string; readonly name: string },
): Reminder {
  const event = challengeEndingToday({ userId, kind, challengeId, name, on });
  return { kind: 'challenge-ending', userId, on, event };
}
