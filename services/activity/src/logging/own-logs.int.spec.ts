import { randomUUID } from '@caravan/contracts/testing/seeded';
import { ownLogsSchema } from '@caravan/contracts/http/movement';
import type { OwnLog } from '@caravan/contracts/http/movement';
import type { Answer, ApiClient } from '@caravan/service-kit/testing/api-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';

let activity: ActivityUnderTest;
let maya: Joining;
let api: ApiClient;
const ids: string[] = [];

beforeAll(async () => {
  activity = await startActivity();
  maya = await activity.join();
  api = await activity.as(maya);
  for (let minutes = 10; minutes < 67; minutes += 1) {
    const { body } = await api.post('/api/log', { activityType: 'Walking', durationMinutes: minutes });
    ids.unshift(body.id as string);
  }
});
afterAll(() => activity.close());

async function pages(path: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer<OwnLog[]> = await api.get(next);
    expect(answer.status).toBe(200);
    found.push(ownLogsSchema.parse(answer.body).map(({ id }) => id));
    next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return found;
}

describe('own logs', () => {
  test('[D32] come newest first with everything that was said', async () => {
    const startedAt = new Date(Date.now() - 5 * 3_600_000).toISOString();
    const said = {
      activityType: 'Juggling',
      photoPrompt: 'Three balls',
      location: 'Park',
      perceivedEffort: 4,
      startedAt,
    };
    await api.post('/api/log', { ...said, durationMinutes: 45, source: 'timer' });
    const { body } = await api.get<OwnLog[]>('/api/logs?limit=1');
    expect(ownLogsSchema.parse(body)).toEqual([
      {
        id: expect.any(String),
        activityType: 'Juggling',
        durationMinutes: 45,
        distanceMiles: 4.5,
        multiplier: 1,
        source: 'timer',
        isImported: false,
        importSource: null,
        audience: 'organisation',
        heartRate: null,
        calories: null,
        perceivedEffort: 4,
        caption: 'Three balls',
        location: 'Park',
        startedAt,
        photoPath: null,
        photoUrl: null,
        photo: null,
        isCounted: true,
        countsByWord: null,
        sameAs: null,
        loggedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        createdAt: expect.any(String),
      },
    ]);
    ids.unshift(body[0]?.id ?? '');
  });

  test('[D17 D38] are read page by page, each once, ten at a time', async () => {
    const found = await pages('/api/logs');
    expect(found.map((page) => page.length)).toEqual([10, 10, 10, 10, 10, 8]);
    expect(found.flat()).toEqual(ids);
  });

  test('[D17 D38] keep their place when new ones arrive between two pages', async () => {
    const first = await api.get('/api/logs?limit=3');
    const { body } = await api.post('/api/log', { activityType: 'Walking', durationMinutes: 10 });
    const next = /<(.+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect((await api.get<OwnLog[]>(next)).body.map(({ id }) => id)).toEqual(ids.slice(3, 6));
    ids.unshift(body.id as string);
  });

  test.each([
    ['50', 50],
    ['51', 50],
    ['100000', 50],
    ['1', 1],
  ])('[D38] limit=%s gives %i', async (limit, count) => {
    expect((await api.get(`/api/logs?limit=${limit}`)).body).toHaveLength(count);
  });

  test.each(['limit=0', 'limit=-1', 'limit=ten', 'limit=1.5', 'limit=', 'limit=1&limit=2'])(
    '[D38] %s is refused',
    async (query) => {
      expect((await api.get(`/api/logs?${query}`)).status).toBe(422);
    },
  );

  test.each([
    'x',
    Buffer.from('[]').toString('base64url'),
    Buffer.from(`["infinity","${randomUUID()}"]`).toString('base64url'),
    Buffer.from(`["2026-01-01T00:00:00Z","' or 1=1"]`).toString('base64url'),
    'x'.repeat(201),
  ])('[D38] cursor %j is refused', async (cursor) => {
    expect((await api.get(`/api/logs?cursor=${cursor}`)).status).toBe(422);
  });

  test('[D17] of nobody else: not of the same organisation, not of another', async () => {
    const colleague = await activity.join({ orgId: maya.orgId });
    const namesake = await activity.join({ userId: maya.userId });
    for (const person of [colleague, namesake])
      expect((await (await activity.as(person)).get('/api/logs')).body).toEqual([]);
  });
});

test('[D40] what identity says twice changes nothing, what is broken stops nobody else', async () => {
  const member = await activity.join();
  const [again] = await activity.identity.publish({
    type: 'TeamFormed',
    version: 1,
    orgId: member.orgId,
    key: member.orgId,
    data: { teamId: member.teamId, name: 'Thunder', emoji: '⚡', formedAt: '2026-11-16T08:00:00.000Z' },
  });
  if (again) await activity.identity.redeliver(again, again);
  await activity.identity.publishRaw(randomUUID(), 'not an envelope');
  const next = await activity.join({ orgId: member.orgId });
  const known = await activity.rows(member.orgId, 'select team_id from members where org_id = $1');
  expect(known).toHaveLength(2);
  expect((await (await activity.as(next)).post('/api/log', { activityType: 'Yoga', durationMinutes: 10 })).status).toBe(
    200,
  );
});
