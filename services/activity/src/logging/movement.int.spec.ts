import { eventually } from '@caravan/event-store/testing/eventually';
import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { movementLogged } from '@caravan/contracts/events/activity.events';
import { logAnswerSchema } from '@caravan/contracts/http/movement';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { listenTo } from '@caravan/messaging/testing/listener';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { declaredIn, migratedInto } from '@caravan/service-kit/testing/prisma-schema';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';

let activity: ActivityUnderTest;
let maya: Joining;
let api: ApiClient;
const walk = { activityType: 'Walking', durationMinutes: 30 };

beforeAll(async () => {
  activity = await startActivity();
  maya = await activity.join({ timeZone: 'Pacific/Kiritimati' });
  api = await activity.as(maya);
});
afterAll(() => activity.close());

const logsOf = ({ orgId, userId }: Joining) =>
  activity.rows<{ centimiles: number; team: string; loggedOn: string; activity: string; covered: number | null }>(
    orgId,
    `select centimiles, team_id as team, logged_on, activity, covered_centimiles as covered
     from movement_logs where org_id = $1 and user_id = $2 order by logged_at desc`,
    userId,
  );

describe('logging a movement', () => {
  test('[3.33 7.17 D5 D16] a 30-minute log earns 3 miles, at once in the total', async () => {
    const omar = await activity.join();
    const omars = await activity.as(omar);
    const first = await omars.post('/api/log', walk);
    expect(first.status).toBe(200);
    expect(logAnswerSchema.parse(first.body)).toEqual({
      id: expect.any(String),
      milesEarned: 3,
      multiplier: 1,
      totalMiles: 3,
      bonusApplied: false,
    });
    const second = await omars.post('/api/log', { ...walk, durationMinutes: 11 });
    expect(second.body).toMatchObject({ milesEarned: 1.1, totalMiles: 4.1 });
    expect(await logsOf(omar)).toMatchObject([
      { centimiles: 110, team: omar.teamId },
      { centimiles: 300, team: omar.teamId },
    ]);
  });

  test('[D5] totals are exact however many logs come at the same time', async () => {
    const many = await activity.join();
    const client = await activity.as(many);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => client.post('/api/log', { ...walk, durationMinutes: 10 + index })),
    );
    const earned = answers.map(({ body }) => body.milesEarned as number);
    const total = Math.round(earned.reduce((sum, miles) => sum + miles, 0) * 100) / 100;
    expect(new Set(answers.map(({ body }) => body.totalMiles)).size).toBe(40);
    expect(Math.max(...answers.map(({ body }) => body.totalMiles as number))).toBe(total);
    const [miles] = await activity.rows(many.orgId, 'select centimiles from member_miles where org_id = $1');
    expect(miles).toEqual({ centimiles: Math.round(total * 100) });
  });

  test("[D10] the log lies on the member's local date at its start", async () => {
    const startedAt = new Date(Date.now() - 3 * 86_400_000);
    await api.post('/api/log', { ...walk, startedAt: startedAt.toISOString(), distanceMiles: 1.25 });
    const [log] = await logsOf(maya);
    expect(log).toMatchObject({ loggedOn: localDateOf(startedAt, 'Pacific/Kiritimati'), covered: 125 });
  });

  test('[D6 D40] a timer may log a single minute', async () => {
    const { status, body } = await api.post('/api/log', { ...walk, durationMinutes: 1, source: 'timer' });
    expect([status, body.milesEarned]).toEqual([200, 0.1]);
  });

  test('[D40] an unknown bonus challenge never costs the log', async () => {
    const { status, body } = await api.post('/api/log', { ...walk, bonusChallengeId: randomUUID() });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ milesEarned: 3, multiplier: 1, bonusApplied: false, bonusReason: 'bonus/unknown' }),
    ]);
  });

  test('[D38] unknown and protected fields are ignored', async () => {
    const others = { userId: randomUUID(), orgId: randomUUID(), teamId: randomUUID(), centimiles: 9, multiplier: 5 };
    const { status, body } = await api.post('/api/log', { ...walk, ...others, totalMiles: 1e6, id: randomUUID() });
    expect([status, body.milesEarned, body.multiplier]).toEqual([200, 3, 1]);
    expect(await logsOf(maya)).toContainEqual(expect.objectContaining({ centimiles: 300, team: maya.teamId }));
  });
});

describe('what leaves the service', () => {
  test('[7.17] is the fact with what was typed, while the log itself holds none of it', async () => {
    const texts = { activityType: 'Jonglage à 🎪', photoPrompt: 'Line one\nline two 👟', location: 'Canal, Köln' };
    const { body } = await api.post('/api/log', { ...walk, ...texts });
    const listener = await listenTo('activity', activity.env);
    try {
      const fact = await vi.waitUntil(
        () => listener.heard.find(({ data }) => (data as { logId: string }).logId === body.id),
        20_000,
      );
      expect(fact).toMatchObject({ type: 'MovementLogged', orgId: maya.orgId, key: maya.userId, actorId: maya.userId });
      expect(movementLogged.data.parse(fact.data)).toMatchObject({
        activityType: texts.activityType,
        caption: texts.photoPrompt,
        location: texts.location,
        userId: maya.userId,
        teamId: maya.teamId,
        centimiles: 300,
        source: 'manual',
      });
    } finally {
      await listener.close();
    }
    const [event] = await activity.rows<{ data: Record<string, unknown> }>(
      maya.orgId,
      `select data from es.events where org_id = $1 and stream_id = $2`,
      `movement-${body.id as string}`,
    );
    expect(event?.data).toMatchObject({ activity: 'custom' });
    expect(JSON.stringify(event)).not.toMatch(/Jonglage|Line one|Canal/);
  });

  test('the answer says how far the log has come, and for whom', async () => {
    const { headers } = await api.post('/api/log', walk);
    expect(headers.get('x-event-position')).toMatch(/^activity:\d+@\d+$/);
    expect(headers.get('x-event-subject')).toBe(maya.userId);
  });
});

describe('a history', () => {
  const longAgo = () => ({
    ...walk,
    source: 'timer',
    startedAt: new Date(Date.now() - 700 * 86_400_000).toISOString(),
  });

  test('[D6] older than a week is no log of a member, however it was measured', async () => {
    const refused = await api.post('/api/log', longAgo());
    expect([refused.status, refused.body['code']]).toEqual([422, 'movement/kept-too-long']);
    expect(refused.body['message']).toBe('Activity must be logged within 7 days of its start.');
  });

  test('[D6 S39] is taken from whoever shows the service credential beside the member, and counts like any log', async () => {
    const body = longAgo();
    const token = await activity.tokenFor(maya);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answers = await Promise.all(
      [{}, { 'x-service-credential': 'a guess' }].map((guess) =>
        fetch(`${activity.url}/internal/movements`, {
          method: 'POST',
          headers: { ...headers, ...guess },
          body: JSON.stringify(body),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect((await activity.nobody.post('/internal/movements', body)).status).toBe(401);
    const first = await api.post('/internal/movements', body, { 'idempotency-key': 'history-1' });
    const again = await api.post('/internal/movements', body, { 'idempotency-key': 'history-1' });
    expect([first.status, first.body['milesEarned'], again.body]).toEqual([200, 3, first.body]);
    const refused = await api.post('/internal/movements', { ...body, durationMinutes: 0 });
    expect(refused.status).toBe(422);
  });
});

test('[S18] no row of one organisation is visible to another', async () => {
  await api.post('/api/log', { ...walk, photoPrompt: 'Mine' });
  expect(await tenancyOf(activity.pool, randomUUID())).toEqual({
    unguarded: [],
    leaking: [],
    proven: ['member_miles', 'members', 'movement_logs', 'movement_texts'],
  });
});

test('the Prisma schema declares exactly the columns and keys that the migrations make', async () => {
  const declared = declaredIn(resolve(import.meta.dirname, '../../prisma/schema.prisma'));
  expect(declared).toEqual(await migratedInto(activity.pool));
});

test('[D35] the open pages of who logged hear of it, and no others', async () => {
  const pages = await listenLive(activity.env, maya.orgId);
  try {
    await api.post('/api/log', walk);
    await eventually(() => expect([...pages.kinds]).toEqual([`logs of ${maya.userId}`]));
  } finally {
    await pages.close();
  }
});

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'a-log-of-today' };

  test('[D38] gives the same answer again and logs once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post('/api/log', walk, key)));
    const later = await api.post('/api/log', walk, key);
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set([...answers, later].map(({ body }) => body.id)).size).toBe(1);
    expect(later.body).toEqual(answers[0]?.body);
  });

  test('[D38] with another body is refused and logs nothing', async () => {
    const before = await logsOf(maya);
    const { status, body } = await api.post('/api/log', { ...walk, durationMinutes: 60 }, key);
    expect([status, body.code]).toEqual([422, 'idempotency/key-reused']);
    expect(await logsOf(maya)).toHaveLength(before.length);
  });

  test('[D38] is not used up by a refused request', async () => {
    const fresh = { 'idempotency-key': 'refused-first' };
    const future = { ...walk, startedAt: new Date(Date.now() + 3_600_000).toISOString() };
    expect((await api.post('/api/log', future, fresh)).status).toBe(422);
    expect((await api.post('/api/log', walk, fresh)).status).toBe(200);
  });

  test('[D38] belongs to its member: the same key of another logs for that one', async () => {
    const omars = await activity.as(await activity.join());
    const mine = await api.post('/api/log', walk, key);
    const others = await omars.post('/api/log', walk, key);
    expect(others.status).toBe(200);
    expect(others.body.id).not.toBe(mine.body.id);
  });
});
