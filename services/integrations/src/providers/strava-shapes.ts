import { z } from 'zod';
import { activityOfStrava } from './activity-names.ts';
import type { Notice, Workout, WorkoutPage } from './provider.ts';

/** Seconds since 1970. */
const epochSeconds = z.number().int().nonnegative().max(8_640_000_000_000);
const id = z.number().int().positive();
const amount = z.number().nonnegative().max(1e9);

export const stravaTokensSchema = z.object({
  access_token: z.string().min(1).max(2_000),
  refresh_token: z.string().min(1).max(2_000),
  expires_at: epochSeconds,
});
export const stravaFirstTokensSchema = stravaTokensSchema.extend({ athlete: z.object({ id }) });

/** What is read of an activity: neither title nor place nor route (D21). */
export const stravaActivitySchema = z.object({
  id,
  sport_type: z.string().max(100).default(''),
  start_date: z.iso.datetime(),
  timezone: z.string().max(100).nullish(),
  moving_time: amount,
  elapsed_time: amount.nullish(),
  distance: amount.nullish(),
  average_heartrate: amount.nullish(),
  calories: amount.nullish(),
  manual: z.boolean().nullish(),
  private: z.boolean().nullish(),
  device_name: z.string().max(200).nullish(),
});
type StravaActivity = z.infer<typeof stravaActivitySchema>;

export const stravaActivitiesSchema = z.array(z.unknown()).max(200);

export const stravaDeliverySchema = z.object({
  object_type: z.string(),
  object_id: id,
  aspect_type: z.string(),
  updates: z.record(z.string(), z.unknown()).nullish(),
  owner_id: id,
  subscription_id: id,
  event_time: epochSeconds,
});

/** Undefined and 0 are what Strava says where nothing was measured. */
const measureOf = (figure: number | null | undefined): number | null =>
  figure == null || Math.round(figure) === 0 ? null : Math.round(figure);

export function workoutOfStrava(activity: StravaActivity): Workout {
  return {
    externalId: String(activity.id),
    activityType: activityOfStrava(activity.sport_type),
    startedAt: new Date(activity.start_date),
    durationMinutes: Math.floor(activity.moving_time / 60),
    meters: measureOf(activity.distance),
    heartRate: measureOf(activity.average_heartrate),
    calories: measureOf(activity.calories),
    changedAt: null,
    raw: activity,
  };
}

/** One that cannot be read does not hold the others back. */
export function pageOfStrava(activities: readonly unknown[], page: number): WorkoutPage {
  const read = activities.map((each) => stravaActivitySchema.safeParse(each));
  const workouts = read.flatMap(({ data }) => (data ? [workoutOfStrava(data)] : []));
  // A page may have fewer than were asked for though others follow: only an empty one is the last.
  const next = activities.length > 0 ? { next: String(page + 1) } : {};
  return { workouts, unreadable: read.length - workouts.length, ...next };
}

export function noticesOfStrava(delivery: unknown): readonly Notice[] {
  const { data: event } = stravaDeliverySchema.safeParse(delivery);
  if (!event) return [];
  const providerUserId = String(event.owner_id);
  const at = new Date(event.event_time * 1_000);
  if (event.object_type === 'athlete')
    return isDeauthorised(event.updates) ? [{ kind: 'revoked', providerUserId, at }] : [];
  if (event.object_type !== 'activity') return [];
  const kind = event.aspect_type === 'delete' ? 'deleted' : 'changed';
  return [{ kind, providerUserId, externalId: String(event.object_id), from: null, to: null, at }];
}

/** The documentation says "false", the sample next to it says false. */
const isDeauthorised = (updates: Readonly<Record<string, unknown>> | null | undefined): boolean =>
  String(updates?.['authorized']) === 'false';
