import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { TestPerson } from '@caravan/auth/testing/identity-double';
import { importedWorkoutsSchema, syncRunsSchema } from '@caravan/contracts/http/fitness';
import { eventually } from '@caravan/event-store/testing/eventually';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startWithSimulators } from '../testing/integrations-under-test.ts';
import { connectThere, webhookSettings } from '../testing/platforms.ts';
import { hoursAgo } from '../testing/recording-platform.ts';

let service: Awaited<ReturnType<typeof startWithSimulators>>;
let platforms: typeof service.platforms;
let maya: TestPerson;
let api: ApiClient;

beforeAll(async () => {
  service = await startWithSimulators();
  ({ platforms } = service);
  const { STRAVA_SUBSCRIPTION_ID: id, STRAVA_WEBHOOK_SECRET: secret } = webhookSettings;
  platforms.google.subscriber = {
    url: `${service.url}/api/webhooks/google-health`,
    secret: webhookSettings.GOOGLE_HEALTH_WEBHOOK_SECRET,
  };
  platforms.strava.subscription = { url: `${service.url}/api/webhooks/strava/${secret}`, id: Number(id) };
});
afterAll(() => service.close());
beforeEach(async () => {
  maya = { userId: randomUUID(), orgId: randomUUID() };
  api = await service.as(maya);
});

const connect = (provider: 'strava' | 'fitbit', person: string) => connectThere({ ...service, api }, provider, person);

const workouts = async () => importedWorkoutsSchema.parse((await api.get('/api/fitness/workouts')).body);
const history = async () => syncRunsSchema.parse((await api.get('/api/fitness/history')).body);

describe('[S33] with a simulated Strava', () => {
  test('what is there comes with connecting, what is told comes once, and all goes with the permission', async () => {
    const person = '90001';
    const { strava } = platforms;
    const run = (hours: number) => ({
      person,
      type: 'Run',
      movingSeconds: 1_830,
      startedAt: hoursAgo(hours).toISOString(),
    });
    for (const hours of [30, 60, 300, 690, 800]) strava.addWorkout(run(hours));
    await connect('strava', person);
    await eventually(async () => expect(await workouts()).toHaveLength(4));
    expect(await workouts()).toMatchObject([
      { activityType: 'Running', durationMinutes: 30, state: 'counted' },
      {},
      {},
      {},
    ]);
    const added = [2, 4, 6].map((hours) => strava.addWorkout(run(hours)));
    strava.changeWorkout(added[0]?.id ?? '', { movingSeconds: 3_000 });
    strava.deleteWorkout(added[1]?.id ?? '');
    const delivered = await strava.deliver({ copies: 5, order: 'shuffled' });
    expect(delivered.every(({ attempts }) => attempts.length === 1 && (attempts[0]?.milliseconds ?? 0) < 2_000)).toBe(
      true,
    );
    await eventually(async () => expect(await workouts()).toHaveLength(6));
    expect((await workouts())[0]).toMatchObject({ durationMinutes: 50 });
    expect(await history()).toMatchObject([
      { cause: 'notice', imported: 2 },
      { cause: 'connect', imported: 4 },
    ]);
    strava.revoke(person);
    await strava.deliver();
    await eventually(async () => expect(await workouts()).toEqual([]));
    expect((await api.get('/api/fitness/status')).body).toMatchObject({ strava: { connected: false } });
  });

  test('[F11] the quota being used up is told with the time to come back', async () => {
    await connect('strava', '90002');
    platforms.strava.setFault({ kind: 429 });
    const { status, headers } = await api.post('/api/fitness/sync', {});
    platforms.strava.setFault(undefined);
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true]);
  });
});

test('[D22] with a simulated Google Health workouts come as those of Fitbit', async () => {
  const person = '80001';
  const { google } = platforms;
  const walk = (hours: number) => ({
    person,
    type: 'WALKING',
    movingSeconds: 1_300,
    startedAt: hoursAgo(hours).toISOString(),
  });
  for (let hours = 1; hours < 31; hours += 1) google.addWorkout(walk(hours * 2));
  await connect('fitbit', person);
  await eventually(async () => expect((await api.get('/api/fitness/workouts?limit=50')).body).toHaveLength(30));
  expect(await workouts()).toMatchObject(
    Array.from({ length: 20 }, () => ({ provider: 'fitbit', durationMinutes: 21 })),
  );
  const [first] = google.listWorkouts().filter((one) => one.person === person);
  google.changeWorkout(first?.id ?? '', { movingSeconds: 2_400 });
  const delivered = await google.deliver({ copies: 3 });
  expect(delivered.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual([[204], [204], [204]]);
  await eventually(async () => expect((await workouts())[0]).toMatchObject({ durationMinutes: 40 }));
  google.deleteWorkout(first?.id ?? '');
  await google.deliver();
  await eventually(async () => expect((await api.get('/api/fitness/workouts?limit=50')).body).toHaveLength(29));
});
