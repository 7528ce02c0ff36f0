import type { workoutImported, workoutRetracted } from '@caravan/contracts/events/integrations.events';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import { forgottenActivityName } from '@caravan/contracts/domain/movement/activities';
import type { Recording } from '@caravan/contracts/domain/movement/same-workout';
import { importedStartOf } from '@caravan/contracts/domain/movement/movement-end';
import type { ImportMovement, MovementTexts, RetractMovement } from '../logging/index.ts';

type ImportedWorkout = PublicEventOf<typeof workoutImported>['data'];
type RetractedWorkout = PublicEventOf<typeof workoutRetracted>['data'];

export type ImportingMember = { readonly teamId: string; readonly timeZone: string };

export function commandOf(
  workout: ImportedWorkout,
  { teamId, timeZone }: ImportingMember,
  { activity, notCounted }: Pick<ImportMovement, 'activity' | 'notCounted'>,
): ImportMovement {
  const { logId, userId, revision, source, durationMinutes, meters, audience, isScored } = workout;
  return {
    type: 'ImportMovement',
    logId,
    userId,
    teamId,
    timeZone,
    revision,
    source,
    activity,
    durationMinutes,
    audience,
    isScored,
    startedAt: new Date(workout.startedAt),
    coveredMeters: meters,
    importedAt: new Date(workout.importedAt),
    creditableAt: creditableAtOf(workout),
    countsBeside: workout.countsBeside === true,
    notCounted,
  };
}

const creditableAtOf = ({ creditableAt, importedAt }: ImportedWorkout): Date => new Date(creditableAt ?? importedAt);

/** The workout as the rule of the same workout looks at it. */
export function recordingOfWorkout(workout: ImportedWorkout): Recording {
  const { logId, source, durationMinutes, audience, isScored } = workout;
  return {
    id: logId,
    source,
    durationMinutes,
    audience,
    isScored,
    creditableAt: creditableAtOf(workout),
    startedAt: importedStartOf(new Date(workout.startedAt), new Date(workout.importedAt)),
    override: workout.countsBeside === true ? true : null,
  };
}

export const retractionOf = ({ logId, userId }: RetractedWorkout): RetractMovement => ({
  type: 'RetractMovement',
  logId,
  userId,
});

const forgotten = { activityType: forgottenActivityName, heartRate: null, calories: null };

/** What a platform calls an activity may be somebody's own words. */
export function textsOf(workout: ImportedWorkout | null): MovementTexts {
  const { activityType, heartRate, calories } = workout ?? forgotten;
  return { activityType, caption: null, location: null, perceivedEffort: null, photo: null, heartRate, calories };
}
