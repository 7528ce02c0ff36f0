import { randomUUID } from '@caravan/contracts/testing/seeded';
import { movementCorrected, movementRemoved } from '@caravan/contracts/events/activity.events';
import { ownLogSchema } from '@caravan/contracts/http/movement';
import type { OwnLog } from '@caravan/contracts/http/movement';
import { createPatientPool, withTenant } from '@caravan/event-store/postgres/connections';
import { listenTo } from '@caravan/messaging/testing/listener';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';

let activity: ActivityUnderTest;
let maya: Joining;
let api: ApiClient;
const juggle = { activityType: 'Juggling', durationMinutes: 30, photoPrompt: 'Three balls', location: 'Park' };

beforeAll(async () => {
  activity = await startActivity();
  maya = await activity.join({ timeZone: 'UTC' });
  api = await activity.as(maya);
});
afterAll(() => activity.close());

const createLog = async (client = api, body: object = juggle) =>
  (await client.post('/api/log', body)).body['id'] as string;
const totalOf = async ({ orgId, userId }: Joining) =>
  (
    await activity.rows<{ centimiles: number }>(
      orgId,
      'select centimiles from member_miles where org_id = $1 and user_id = $2',
      userId,
    )
  )[0]?.centimiles;
const own = async (client: ApiClient, query = '') => (await client.get<OwnLog[]>(`/api/logs${query}`)).body;

/** Makes a log eight days older, as no role of the service could. */
async function age(orgId: string, logId: string): Promise<void> {
  const owner = createPatientPool(activity.ownerUrl);
  await withTenant(owner, orgId, (tx) =>
    tx.query(
      `update es.events set data = data || jsonb_build_object('loggedAt', to_char(now() - interval '8 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
       where org_id = $1 and stream_id = $2`,
      [orgId, `movement-${logId}`],
    ),
  );
  await owner.end();
}

describe('correcting a log', () => {
  test('[7.17 D8] answers the log as it is now; list and total follow at once', async () => {
    const omar = await activity.join();
    const omars = await activity.as(omar);
    const id = await createLog(omars);
    const correction = { durationMinutes: 20, activityType: 'Walking', photoPrompt: null, location: 'The river' };
    const { status, body } = await omars.patch(`/api/logs/${id}`, correction);
    expect([status, ownLogSchema.parse(body)]).toEqual([
      200,
      expect.objectContaining({
        id,
        durationMinutes: 20,
        distanceMiles: 2,
        activityType: 'Walking',
        caption: null,
        location: 'The river',
      }),
    ]);
    expect(await own(omars)).toEqual([body]);
    expect(await totalOf(omar)).toBe(200);
  });

  test('[D38] with an Idempotency-Key is made once', async () => {
    const id = await createLog();
    const key = { 'idempotency-key': `correct-${id}` };
    const answers = await Promise.all([1, 2, 3].map(() => api.patch(`/api/logs/${id}`, { durationMinutes: 50 }, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const events = await activity.rows(
      maya.orgId,
      'select from es.events where org_id = $1 and stream_id = $2',
      `movement-${id}`,
    );
    expect(events).toHaveLength(2);
    const other = await api.patch(`/api/logs/${id}`, { durationMinutes: 60 }, key);
    expect([other.status, other.body['code']]).toEqual([422, 'idempotency/key-reused']);
  });

  test.each([
    [{ durationMinutes: 0 }, 'Duration must be at least 10 minutes'],
    [{ durationMinutes: -5 }, 'Duration must be at least 10 minutes'],
    [{ durationMinutes: 10.5 }, 'Duration must be a whole number of minutes'],
    [{ durationMinutes: 1441 }, 'Duration must be at most 1440 minutes'],
    [{ activityType: ' ' }, 'Activity type is required'],
    [{ activityType: 'x'.repeat(500) }, 'Activity type must be at most 60 characters'],
    [{ startedAt: 'yesterday' }, 'Invalid date format'],
    [{ startedAt: new Date(Date.now() + 3_600_000).toISOString() }, 'The start must not be in the future'],
    [
      { startedAt: new Date(Date.now() - 8 * 86_400_000).toISOString() },
      'The start must be at most 7 days before the log was made',
    ],
    [{ distanceMiles: -1 }, 'Distance must not be negative'],
  ])('[5.7 D6 D8 D38] to %j is answered 422 and changes nothing', async (correction, message) => {
    const id = await createLog();
    const before = await own(api, '?limit=1');
    const total = await totalOf(maya);
    const { status, body } = await api.patch(`/api/logs/${id}`, correction);
    expect([status, body['message']]).toEqual([422, message]);
    expect([await own(api, '?limit=1'), await totalOf(maya)]).toEqual([before, total]);
  });
});

describe('taking a log back', () => {
  test('[D8 D32] makes it vanish with what was typed; a second time there is nothing', async () => {
    const omar = await activity.join();
    const omars = await activity.as(omar);
    const kept = await createLog(omars);
    const gone = await createLog(omars);
    const first = await omars.delete(`/api/logs/${gone}`);
    expect([first.status, first.body]).toEqual([200, { removed: true }]);
    expect((await omars.delete(`/api/logs/${gone}`)).status).toBe(404);
    expect((await omars.patch(`/api/logs/${gone}`, { durationMinutes: 20 })).status).toBe(404);
    expect((await own(omars)).map(({ id }) => id)).toEqual([kept]);
    expect(await totalOf(omar)).toBe(300);
    expect(await activity.rows(omar.orgId, 'select log_id as id from movement_texts where org_id = $1')).toEqual([
      { id: kept },
    ]);
  });

  test('[D8] by many at the same time happens once', async () => {
    const omar = await activity.join();
    const omars = await activity.as(omar);
    const id = await createLog(omars);
    const answers = await Promise.all(Array.from({ length: 8 }, () => omars.delete(`/api/logs/${id}`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(404)]);
    expect(await totalOf(omar)).toBe(0);
  });
});

test('[D4 D8] a log of a colleague, of another organisation or of nobody does not exist', async () => {
  const id = await createLog();
  const colleague = await activity.join({ orgId: maya.orgId });
  const namesake = await activity.join({ userId: maya.userId });
  const total = await totalOf(maya);
  for (const person of [colleague, namesake]) {
    const client = await activity.as(person);
    expect((await client.patch(`/api/logs/${id}`, { durationMinutes: 20 })).status).toBe(404);
    expect((await client.delete(`/api/logs/${id}`)).status).toBe(404);
  }
  for (const unknown of [randomUUID(), 'x']) expect((await api.delete(`/api/logs/${unknown}`)).status).toBe(404);
  expect((await activity.nobody.delete(`/api/logs/${id}`)).status).toBe(401);
  expect(await totalOf(maya)).toBe(total);
});

test('[D8] after 7 days a log stays as it is', async () => {
  const id = await createLog();
  await age(maya.orgId, id);
  for (const answer of [
    await api.patch(`/api/logs/${id}`, { durationMinutes: 20 }),
    await api.delete(`/api/logs/${id}`),
  ])
    expect([answer.status, answer.body['message']]).toEqual([422, 'A log can be changed for 7 days.']);
});

test('[D8] the facts leave in order with what is typed, and the log holds none of it', async () => {
  const listener = await listenTo('activity', activity.env);
  try {
    const id = await createLog();
    await api.patch(`/api/logs/${id}`, { photoPrompt: 'Four clubs', durationMinutes: 40 });
    await api.delete(`/api/logs/${id}`);
    const facts = () => listener.heard.filter(({ data }) => (data as { logId: string }).logId === id);
    await expect
      .poll(() => facts().map(({ type }) => type))
      .toEqual(['MovementLogged', 'MovementCorrected', 'MovementRemoved']);
    expect(movementCorrected.data.parse(facts()[1]?.data)).toMatchObject({
      caption: 'Four clubs',
      activityType: 'Juggling',
      centimiles: 400,
      revision: 2,
      previous: { centimiles: 300, durationMinutes: 30 },
    });
    expect(movementRemoved.data.parse(facts()[2]?.data)).toMatchObject({ centimiles: 400, userId: maya.userId });
    const log = await activity.rows(
      maya.orgId,
      'select data from es.events where org_id = $1 and stream_id = $2',
      `movement-${id}`,
    );
    expect(log).toHaveLength(3);
    expect(JSON.stringify(log)).not.toMatch(/Juggling|balls|clubs|Park/);
  } finally {
    await listener.close();
  }
});

test('[D32] own logs are found by activity and dates', async () => {
  const lena = await activity.join({ timeZone: 'UTC' });
  const lenas = await activity.as(lena);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  for (const days of [1, 3, 5])
    await createLog(lenas, { activityType: 'Walking', durationMinutes: 10 + days, startedAt: daysAgo(days) });
  await createLog(lenas, { ...juggle, startedAt: daysAgo(3) });
  const date = (days: number) => daysAgo(days).slice(0, 10);
  const minutes = async (query: string) => (await own(lenas, query)).map(({ durationMinutes }) => durationMinutes);
  expect(await minutes('?activityType=juggling')).toEqual([30]);
  expect(await minutes(`?from=${date(3)}&to=${date(3)}`)).toEqual([30, 13]);
  expect(await minutes(`?from=${date(4)}&activityType=Walking`)).toEqual([13, 11]);
  expect(await minutes(`?to=${date(4)}`)).toEqual([15]);
  for (const query of ['?from=yesterday', '?to=2026-02-30'])
    expect((await lenas.get(`/api/logs${query}`)).status).toBe(422);
  const first = await lenas.get<OwnLog[]>(`/api/logs?activityType=Walking&from=${date(6)}&limit=2`);
  const next = /<(.+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect((await lenas.get<OwnLog[]>(next)).body.map(({ durationMinutes }) => durationMinutes)).toEqual([11]);
});
