import type { Grant } from '../grants.ts';
import type { Answer } from '../simulator.ts';
import type { SimulatedWorkout } from '../workouts.ts';

/** As the documentation's samples have it; what Caravan must not keep (title, place, route) is there to be left out. */
export const activityJson = (workout: SimulatedWorkout, isDetailed: boolean) => ({
  resource_state: isDetailed ? 3 : 2,
  athlete: { id: Number(workout.person), resource_state: 1 },
  name: 'Happy Friday along the secret river',
  distance: workout.meters,
  moving_time: workout.movingSeconds,
  elapsed_time: workout.elapsedSeconds ?? workout.movingSeconds,
  total_elevation_gain: 12.4,
  type: workout.type,
  sport_type: workout.type,
  id: Number(workout.id),
  start_date: workout.startedAt.replace(/\.\d+Z$/, 'Z'),
  start_date_local: workout.startedAt.replace(/\.\d+Z$/, 'Z'),
  timezone: '(GMT+00:00) Europe/London',
  utc_offset: 0,
  start_latlng: [51.4545, -2.5879],
  end_latlng: [51.4545, -2.5879],
  map: {
    id: `a${workout.id}`,
    summary_polyline: 'ki{eFvqfiVqAWQIGEEKAYJgBVqDJ{BHa@jAkNJw@Pw@V{APs@',
    resource_state: 2,
  },
  manual: false,
  private: workout.isPrivate,
  visibility: workout.isPrivate ? 'only_me' : 'everyone',
  has_heartrate: workout.heartRate !== null,
  ...(workout.heartRate !== null && { average_heartrate: workout.heartRate }),
  ...(isDetailed && { calories: workout.calories ?? 0, device_name: 'Garmin Forerunner 265' }),
});

export const tokenJson = ({ accessToken, refreshToken, expiresAt }: Grant, now: number) => ({
  token_type: 'Bearer',
  expires_at: Math.floor(expiresAt / 1_000),
  expires_in: Math.floor((expiresAt - now) / 1_000),
  refresh_token: refreshToken,
  access_token: accessToken,
});

type Fault = readonly [resource: string, field: string, code: string];

export const fault = (status: number, message: string, [resource, field, code]: Fault): Answer => ({
  status,
  json: { message, errors: [{ resource, field, code }] },
});

export const eventJson = (
  subscriptionId: number,
  event: { object: 'activity' | 'athlete'; id: string; aspect: string; owner: string; updates?: object; now: number },
) => ({
  object_type: event.object,
  object_id: Number(event.id),
  aspect_type: event.aspect,
  updates: event.updates ?? {},
  owner_id: Number(event.owner),
  subscription_id: subscriptionId,
  event_time: Math.floor(event.now / 1_000),
});
