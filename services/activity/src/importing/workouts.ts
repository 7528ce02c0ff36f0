import type { workoutImported, workoutRetracted } from '@caravan/contracts/integrations.events';
import type { PublicEventOf } from '@caravan/contracts/envelope';
import { forgottenActivityName } from '@caravan/contracts/activities';
import { activityNameOf, nothingMeasured } from '../logging/index.ts';
import type { ImportMovement, MovementTexts, RetractMovement } from '../logging/index.ts';

type ImportedWorkout = PublicEventOf<typeof workoutImported>['data'];
type RetractedWorkout = PublicEventOf<typeof workoutRetracted>['data'];

export type ImportingMember = { readonly teamId: string; readonly timeZone: string };

export function commandOf(workout: ImportedWorkout, { teamId, timeZone }: ImportingMember): ImportMovement {
  const { logId, userId, revision, source, durationMinutes, meters, audience, isScored } = workout;
  return {
    type: 'ImportMovement',
    ...{ logId, userId, teamId, timeZone, revision, source, durationMinutes, audience, isScored },
    activity: activityNameOf(workout.activityType),
    startedAt: new Date(workout.startedAt),
    coveredMeters: meters,
    importedAt: new Date(workout.importedAt),
  };
}

export const retractionOf = ({ logId, userId }: RetractedWorkout): RetractMovement => ({
  ...{ type: 'RetractMovement', logId, userId },
});

/** What a platform calls an activity may be somebody's own words. */
export function textsOf(workout: ImportedWorkout | null): MovementTexts {
  const { activityType, heartRate, calories } = workout ?? { activityType: forgottenActivityName, ...nothingMeasured };
  return { activityType, caption: null, location: null, photo: null, heartRate, calories };
}
