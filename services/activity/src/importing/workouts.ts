import type { workoutImported, workoutRetracted } from '@caravan/contracts/integrations.events';
import type { PublicEventOf } from '@caravan/contracts/envelope';
import { forgottenActivityName } from '@caravan/contracts/activities';
import type { ActivityName, ImportMovement, MovementTexts, RetractMovement } from '../logging/index.ts';

type ImportedWorkout = PublicEventOf<typeof workoutImported>['data'];
type RetractedWorkout = PublicEventOf<typeof workoutRetracted>['data'];

export type ImportingMember = { readonly teamId: string; readonly timeZone: string };

export function commandOf(
  workout: ImportedWorkout,
  { teamId, timeZone }: ImportingMember,
  activity: ActivityName,
): ImportMovement {
  const { logId, userId, revision, source, durationMinutes, meters, audience, isScored } = workout;
  return {
    type: 'ImportMovement',
    ...{ logId, userId, teamId, timeZone, revision, source, activity, durationMinutes, audience, isScored },
    startedAt: new Date(workout.startedAt),
    coveredMeters: meters,
    importedAt: new Date(workout.importedAt),
  };
}

export const retractionOf = ({ logId, userId }: RetractedWorkout): RetractMovement => ({
  ...{ type: 'RetractMovement', logId, userId },
});

const forgotten = { activityType: forgottenActivityName, heartRate: null, calories: null };

/** What a platform calls an activity may be somebody's own words. */
export function textsOf(workout: ImportedWorkout | null): MovementTexts {
  const { activityType, heartRate, calories } = workout ?? forgotten;
  return { activityType, caption: null, location: null, photo: null, heartRate, calories };
}
