import { z } from 'zod';
import { activityOfGoogle } from './activity-names.ts';
import type { Notice, Workout, WorkoutPage } from './provider.ts';

/** int64 and double alike: the first come as strings. */
const figure = z
  .union([z.number(), z.string().regex(/^\d{1,15}(\.\d{1,9})?$/)])
  .transform(Number)
  .pipe(z.number().nonnegative().max(1e12));
const seconds = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9})?s$/)
  .transform((text) => Number(text.slice(0, -1)));
const instant = z.iso.datetime({ offset: true });
const userId = z.string().min(1).max(200);

export const googleTokensSchema = z.object({
  access_token: z.string().min(1).max(4_000),
  expires_in: z.number().int().positive().max(31_536_000),
  /** Only with the first ones. */
  refresh_token: z.string().min(1).max(4_000).optional(),
  scope: z.string().max(4_000).default(''),
});
export const googleIdentitySchema = z.object({ healthUserId: userId });

const exerciseSchema = z.object({
  exerciseType: z.string().max(100).default(''),
  displayName: z.string().max(500).default(''),
  activeDuration: seconds.optional(),
  interval: z.object({ startTime: instant, endTime: instant, startUtcOffset: z.string().max(20).optional() }),
  metricsSummary: z
    .object({
      distanceMillimeters: figure.optional(),
      caloriesKcal: figure.optional(),
      averageHeartRateBeatsPerMinute: figure.optional(),
    })
    .default({}),
  updateTime: instant.optional(),
});

/** `name` ends with the id: users/{user}/dataTypes/exercise/dataPoints/{id}. */
export const dataPointSchema = z.object({
  name: z.string().regex(/\/dataPoints\/[^/]{1,200}$/),
  dataSource: z.object({ recordingMethod: z.string().max(100).optional() }).optional(),
  exercise: exerciseSchema,
});
type DataPoint = z.infer<typeof dataPointSchema>;

export const dataPointsSchema = z.object({
  dataPoints: z.array(z.unknown()).max(1_000).default([]),
  nextPageToken: z.string().max(4_000).optional(),
});

const intervalSchema = z.object({
  physicalTimeInterval: z.object({ startTime: instant.optional(), endTime: instant.optional() }).optional(),
});
export const googleDeliverySchema = z.array(
  z.object({
    data: z.object({
      healthUserId: userId,
      dataType: z.string(),
      operation: z.string(),
      intervals: z.array(intervalSchema).max(1_000).default([]),
    }),
  }),
);

const measureOf = (amount: number | undefined): number | null =>
  amount === undefined || Math.round(amount) === 0 ? null : Math.round(amount);

export function workoutOfGoogle({ name, dataSource, exercise }: DataPoint): Workout {
  const { interval, metricsSummary, activeDuration, updateTime } = exercise;
  const startedAt = new Date(interval.startTime);
  const elapsedSeconds = Math.max(0, (Date.parse(interval.endTime) - startedAt.getTime()) / 1_000);
  const { distanceMillimeters, averageHeartRateBeatsPerMinute, caloriesKcal } = metricsSummary;
  // What its owner calls it is nobody's business: it may be anything (D21).
  const { displayName, ...kept } = exercise;
  return {
    externalId: name.slice(name.lastIndexOf('/') + 1),
    activityType: activityOfGoogle(exercise.exerciseType, displayName),
    startedAt,
    durationMinutes: Math.floor((activeDuration ?? elapsedSeconds) / 60),
    meters: measureOf(distanceMillimeters === undefined ? undefined : distanceMillimeters / 1_000),
    heartRate: measureOf(averageHeartRateBeatsPerMinute),
    calories: measureOf(caloriesKcal),
    changedAt: updateTime === undefined ? null : new Date(updateTime),
    raw: { recordingMethod: dataSource?.recordingMethod, exercise: kept },
  };
}

/** One that cannot be read does not hold the others back; what began outside of the time asked for is left out. */
export function pageOfGoogle(
  { dataPoints, nextPageToken }: z.infer<typeof dataPointsSchema>,
  { from, to }: { from: Date; to: Date },
): WorkoutPage {
  const read = dataPoints.map((each) => dataPointSchema.safeParse(each));
  const all = read.flatMap(({ data }) => (data ? [workoutOfGoogle(data)] : []));
  const workouts = all.filter(({ startedAt }) => startedAt >= from && startedAt < to);
  const next = nextPageToken !== undefined && nextPageToken !== '' ? { next: nextPageToken } : {};
  return { workouts, unreadable: read.length - all.length, ...next };
}

const hourMilliseconds = 3_600_000;

/** Google names the time of a change, not the workout; without a time it is about the last hours. */
export function noticesOfGoogle(delivery: unknown, now: Date): readonly Notice[] {
  const { data: all } = googleDeliverySchema.safeParse(delivery);
  return (all ?? []).flatMap(({ data }): Notice[] => {
    if (data.dataType.toLowerCase() !== 'exercise') return [];
    const times = data.intervals.flatMap(({ physicalTimeInterval: { startTime, endTime } = {} }) =>
      [startTime, endTime].flatMap((time) => (time === undefined ? [] : [Date.parse(time)])),
    );
    const first = Math.min(...times);
    const last = Math.max(...times);
    const isTold = times.length > 0;
    return [
      {
        kind: data.operation === 'DELETE' ? 'deleted' : 'changed',
        providerUserId: data.healthUserId,
        externalId: null,
        from: new Date(isTold ? first : now.getTime() - 24 * hourMilliseconds),
        // Some intervals name their start alone; what is asked for ends before `to`.
        to: new Date(isTold ? Math.max(last, first + 24 * hourMilliseconds) : now.getTime()),
        at: now,
      },
    ];
  });
}
