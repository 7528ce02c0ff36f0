import type { Answer } from '../simulator.ts';
import type { SimulatedWorkout } from '../workouts.ts';

const civil = (instant: string) => {
  const time = new Date(instant);
  return {
    date: { year: time.getUTCFullYear(), month: time.getUTCMonth() + 1, day: time.getUTCDate() },
    time: { hours: time.getUTCHours(), minutes: time.getUTCMinutes() },
  };
};

const endOf = ({ startedAt, movingSeconds, elapsedSeconds = movingSeconds }: SimulatedWorkout): string =>
  new Date(Date.parse(startedAt) + elapsedSeconds * 1_000).toISOString();

/** As the documentation's samples have it: numbers of 64 bits are strings, others are not. */
export const dataPointJson = (workout: SimulatedWorkout) => ({
  name: `users/${workout.person}/dataTypes/exercise/dataPoints/${workout.id}`,
  dataSource: { recordingMethod: 'AUTOMATICALLY_DETECTED', platform: 'FITBIT', device: { displayName: 'Charge 6' } },
  exercise: {
    interval: {
      startTime: workout.startedAt,
      endTime: endOf(workout),
      startUtcOffset: '0s',
      endUtcOffset: '0s',
      civilStartTime: civil(workout.startedAt),
    },
    exerciseType: workout.type,
    displayName: 'Along the river with Lena',
    activeDuration: `${workout.movingSeconds}s`,
    metricsSummary: {
      ...(workout.meters > 0 && { distanceMillimeters: workout.meters * 1_000 }),
      ...(workout.calories !== null && { caloriesKcal: workout.calories }),
      ...(workout.heartRate !== null && { averageHeartRateBeatsPerMinute: String(workout.heartRate) }),
      steps: '4210',
    },
    updateTime: workout.changedAt,
  },
});

/** What is told of a change names its time, not the workout. */
export const noticeJson = (workout: SimulatedWorkout, operation: 'UPSERT' | 'DELETE') => ({
  data: {
    version: '1',
    clientProvidedSubscriptionName: 'caravan',
    healthUserId: workout.person,
    operation,
    dataType: 'exercise',
    intervals: [{ physicalTimeInterval: { startTime: workout.startedAt, endTime: endOf(workout) } }],
  },
});

export const oauthFault = (status: number, error: string): Answer => ({
  status,
  json: { error, error_description: 'Simulated' },
});

export const apiFault = (code: number, status: string): Answer => ({
  status: code,
  json: { error: { code, message: 'Simulated', status } },
});
