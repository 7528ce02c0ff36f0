import { type FitnessProvider, oldestFetchedOf, type SkipReason } from '@caravan/contracts/http/fitness';
import { mendedText } from '@caravan/contracts/domain/text/text';
import type { Workout } from '../providers/index.ts';

/** What a platform said of a workout when it was asked, or that it has none of that id. */
export type Observation = {
  readonly externalId: string;
  /** When the asking began, by the clock of the database, which all processes share. */
  readonly seenAt: Date;
  readonly workout: Workout | null;
};

const minute = 60_000;

const mostAheadMinutes = 10;
const longestMinutes = 1_440;

export type Judged = {
  readonly activityType: string;
  readonly startedAt: Date;
  readonly durationMinutes: number;
  readonly meters: number | null;
  readonly heartRate: number | null;
  readonly calories: number | null;
  /** Why it can count for nothing; null when it can. */
  readonly why: SkipReason | null;
};

/** An observation as it is kept. */
export type Seen = {
  readonly externalId: string;
  readonly seenAt: Date;
  /** By the platform's word. */
  readonly changedAt: Date | null;
  /** Null: it is gone; what is left is a tombstone. */
  readonly judged: Judged | null;
};

export const seenWorkout = ({ externalId, seenAt, workout }: Observation, connectedAt: Date): Seen => ({
  externalId,
  seenAt,
  changedAt: workout?.changedAt ?? null,
  judged: workout && judgeWorkout(workout, { seenAt, connectedAt }),
});

/** Which of two of the same workout is kept: whatever order they come in, the same one. */
export function isNewer(one: Seen, other: Seen): boolean {
  const left = orderOf(one);
  const right = orderOf(other);
  const nth = left.findIndex((value, index) => value !== right[index]);
  // Stryker disable next-line StringLiteral: of two that are the same neither text is greater.
  return (left[nth] ?? '') > (right[nth] ?? '');
}

/** When both were asked for at one moment: what changed later, what is gone, and then any, but always the same. */
const orderOf = ({ seenAt, changedAt, judged: known }: Seen): string[] => [
  seenAt.toISOString(),
  changedAt?.toISOString() ?? '',
  String(known === null),
  JSON.stringify(known),
];

/** What a workout is to us, and whether it can count. A measured minute counts; one that was not moved never does (D6). */
function judgeWorkout(workout: Workout, { seenAt, connectedAt }: { seenAt: Date; connectedAt: Date }): Judged {
  const isReadable = Number.isFinite(workout.startedAt.getTime()) && Number.isFinite(workout.durationMinutes);
  const startedAt = isReadable ? workout.startedAt : seenAt;
  const durationMinutes = isReadable ? Math.min(longestMinutes, Math.max(0, Math.floor(workout.durationMinutes))) : 0;
  return {
    activityType: nameOf(workout.activityType),
    startedAt,
    durationMinutes,
    meters: measureOf(workout.meters, 0),
    heartRate: measureOf(workout.heartRate, 1),
    calories: measureOf(workout.calories, 0),
    why: isReadable ? whyNot(startedAt, durationMinutes, { seenAt, connectedAt }) : 'unreadable',
  };
}

function whyNot(startedAt: Date, minutes: number, at: { seenAt: Date; connectedAt: Date }): SkipReason | null {
  if (startedAt.getTime() > at.seenAt.getTime() + mostAheadMinutes * minute) return 'in-future';
  if (startedAt < oldestFetchedOf(at.connectedAt)) return 'too-old';
  return minutes < 1 ? 'too-short' : null;
}

const longestName = 60;

/** The platform's name of the workout, normalised by the rule of texts. */
function nameOf(activityType: string): string {
  return mendedText(activityType, { maxCharacters: longestName }) || 'Workout';
}

/** Whole, and none where what was measured cannot be. */
function measureOf(value: number | null, least: number): number | null {
  // Stryker disable next-line ConditionalExpression,LogicalOperator: null is not finite either.
  if (value === null || !Number.isFinite(value)) return null;
  const whole = Math.round(value);
  return whole >= least && whole <= 2_147_483_647 ? whole : null;
}

/** What a platform's workouts are here. */
export type Source = {
  readonly provider: FitnessProvider;
  readonly audience: 'organisation' | 'owner';
  /** False: it earns nothing, as its owner has not consented (D21). */
  readonly isScored: boolean;
};
