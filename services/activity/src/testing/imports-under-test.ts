import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type { workoutImported } from '@caravan/contracts/events/integrations.events';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import type { ActivityUnderTest, Joining } from './activity-under-test.ts';

export type Workout = PublicEventOf<typeof workoutImported>['data'];

/** Thirty minutes of running that Strava measured. */
export function workoutOf({ userId }: Pick<Joining, 'userId'>, changes: Partial<Workout> = {}): Workout {
  return {
    logId: randomUUID(),
    userId,
    source: 'strava',
    revision: 1,
    activityType: 'Running',
    durationMinutes: 30,
    startedAt: '2026-10-20T22:30:00.000Z',
    importedAt: '2026-11-16T17:45:00.000Z',
    meters: 5210,
    audience: 'owner',
    isScored: true,
    heartRate: 148,
    calories: 310,
    ...changes,
  };
}

/** Integrations as the test plays it: whatever it tells comes twice and then once more backwards. */
export async function startImports(activity: Pick<ActivityUnderTest, 'env'>) {
  const integrations = await startPeerService('integrations', activity.env);
  const tell = async (orgId: string, ...facts: readonly { type: string; data: { userId: string } }[]) => {
    const full = facts.map((fact) => ({ version: 1, orgId, key: fact.data.userId, ...fact }));
    const told = await integrations.publish(...full.flatMap((fact) => [fact, fact]));
    await integrations.redeliver(...told.toReversed());
    return { 'x-min-position': `integrations:${told.at(-1)?.position ?? 0}` };
  };
  return {
    /** Answers the header that waits for them. */
    publishImported: (orgId: string, ...workouts: readonly Workout[]) =>
      tell(orgId, ...workouts.map((data) => ({ type: 'WorkoutImported', data }))),
    publishRetracted: (orgId: string, ...workouts: readonly Pick<Workout, 'logId' | 'userId'>[]) =>
      tell(
        orgId,
        ...workouts.map(({ logId, userId }) => ({
          type: 'WorkoutRetracted',
          data: { logId, userId, why: 'deleted', retractedAt: new Date().toISOString() },
        })),
      ),
    close: () => integrations.close(),
  };
}
