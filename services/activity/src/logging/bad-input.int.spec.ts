import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';

let activity: ActivityUnderTest;
let maya: Joining;
let api: ApiClient;
const walk = { activityType: 'Walking', durationMinutes: 30 };

beforeAll(async () => {
  activity = await startActivity({ READ_WAIT_MILLISECONDS: '1000' });
  maya = await activity.join();
  api = await activity.as(maya);
});
afterAll(() => activity.close());

const everything = async () => [
  await activity.rows(maya.orgId, 'select * from movement_logs where org_id = $1'),
  await activity.rows(maya.orgId, 'select * from movement_texts where org_id = $1'),
  await activity.rows(maya.orgId, 'select * from es.events where org_id = $1'),
];
const nothing = [[], [], []];
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('a body that cannot be logged', () => {
  test.each([
    [{}, 'Activity type is required'],
    [[], undefined],
    [{ durationMinutes: 30 }, 'Activity type is required'],
    [{ ...walk, activityType: '' }, 'Activity type is required'],
    [{ ...walk, activityType: ' \u200b ' }, 'Activity type is required'],
    [{ ...walk, activityType: 7 }, 'Activity type is required'],
    [{ ...walk, activityType: 'x'.repeat(61) }, 'Activity type must be at most 60 characters'],
    [{ activityType: 'Walking' }, 'Duration must be a whole number of minutes'],
    [{ ...walk, durationMinutes: '30' }, 'Duration must be a whole number of minutes'],
    [{ ...walk, durationMinutes: 30.5 }, 'Duration must be a whole number of minutes'],
    [{ ...walk, durationMinutes: 1e300 }, 'Duration must be a whole number of minutes'],
    [{ ...walk, durationMinutes: null }, 'Duration must be a whole number of minutes'],
    [{ ...walk, activityType: 'x'.repeat(500) }, 'Activity type must be at most 60 characters'],
    [{ ...walk, durationMinutes: 0 }, 'Duration must be at least 10 minutes'],
    [{ ...walk, durationMinutes: 9 }, 'Duration must be at least 10 minutes'],
    [{ ...walk, durationMinutes: -30 }, 'Duration must be at least 10 minutes'],
    [{ ...walk, durationMinutes: 1441 }, 'Duration must be at most 1440 minutes'],
    [{ ...walk, durationMinutes: 0, source: 'timer' }, 'Activity must be at least 1 minute to log.'],
    [{ ...walk, source: 'strava' }, 'Source must be timer or manual'],
    [{ ...walk, startedAt: 'yesterday' }, 'Invalid date format'],
    [{ ...walk, startedAt: '2026-13-45T00:00:00Z' }, 'Invalid date format'],
    [{ ...walk, startedAt: 1_700_000_000_000 }, 'Invalid date format'],
    [{ ...walk, startedAt: minutesAgo(-60) }, 'The start must not be in the future'],
    [{ ...walk, startedAt: minutesAgo(8 * 1440) }, 'The start must be at most 7 days ago'],
    [{ ...walk, startedAt: '0001-01-01T00:00:00Z', source: 'timer' }, 'Dates lie between 1900-01-01 and 2199-12-31'],
    [
      { ...walk, startedAt: '1901-01-01T00:00:00Z', source: 'timer' },
      'Activity must be logged within 7 days of its start.',
    ],
    [{ ...walk, distanceMiles: -1 }, 'Distance must not be negative'],
    [{ ...walk, distanceMiles: 1e9 }, 'Distance must be at most 1000 miles'],
    [{ ...walk, photoPrompt: 'x'.repeat(10_000) }, 'At most 2000 characters'],
    [{ ...walk, photoPrompt: 'a\u0007b' }, 'Control characters are not allowed'],
    [{ ...walk, location: 'x'.repeat(121) }, 'At most 120 characters'],
    [{ ...walk, photoPath: 'x'.repeat(513) }, 'At most 512 characters'],
    [{ ...walk, bonusChallengeId: 'x'.repeat(65) }, undefined],
    [{ ...walk, bonusChallengeId: { id: 1 } }, undefined],
  ])('[5.7 D6 D38] %j is answered 422 and writes nothing', async (body, message) => {
    const answer = await api.post('/api/log', body);
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    if (message !== undefined) expect(answer.body.message).toBe(message);
    expect(await everything()).toEqual(nothing);
  });

  test.each([
    ['not JSON', '{"activityType":', 'application/json', 400],
    ['nothing', '', 'application/json', 400],
    ['a form', 'activityType=Walking', 'application/x-www-form-urlencoded', 415],
    ['a text', JSON.stringify(walk), 'text/plain', 415],
    ['more than 100 KB', JSON.stringify({ ...walk, padding: 'x'.repeat(110_000) }), 'application/json', 413],
    ['broken UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'application/json', 400],
    ['NUL in a text', '{"activityType":"a\\u0000b","durationMinutes":30}', 'application/json', 422],
    ['half a character', '{"activityType":"a\\ud800b","durationMinutes":30}', 'application/json', 422],
  ])('[D38] %s is refused and writes nothing', async (_what, body, contentType, status) => {
    expect((await api.send('/api/log', body, contentType)).status).toBe(status);
    expect(await everything()).toEqual(nothing);
  });

  test.each([[''], ['x'.repeat(201)], ['with space']])('[D38] Idempotency-Key %j is refused', async (key) => {
    const answer = await api.post('/api/log', walk, { 'idempotency-key': key });
    expect([answer.status, answer.body.code]).toEqual([422, 'idempotency/bad-key']);
    expect(await everything()).toEqual(nothing);
  });

  test('[7.1] nobody logs without a token', async () => {
    expect((await activity.nobody.post('/api/log', walk)).status).toBe(401);
    expect((await activity.nobody.get('/api/logs')).status).toBe(401);
  });
});

describe('a clock that is ten minutes ahead', () => {
  test('[D6 D38 D40] costs no timed log: refused with its start, the same request without it is taken, once', async () => {
    const member = await activity.join();
    const client = await activity.as(member);
    const timed = { activityType: 'Walking', durationMinutes: 5, source: 'timer' };
    const key = { 'idempotency-key': randomUUID() };
    const ahead = await client.post('/api/log', { ...timed, startedAt: minutesAgo(-5) }, key);
    expect([ahead.status, ahead.body.code]).toEqual([422, 'movement/future-start']);
    const logsOf = () => activity.rows(member.orgId, 'select * from movement_logs where org_id = $1');
    expect(await logsOf()).toEqual([]);
    const taken = await client.post('/api/log', timed, key);
    const again = await client.post('/api/log', timed, key);
    expect([taken.status, again.status, again.body]).toEqual([200, 200, taken.body]);
    const logs = await logsOf();
    expect(logs).toHaveLength(1);
    expect(logs[0]).toMatchObject({ durationMinutes: 5, centimiles: 50 });
  });
});

describe('a member this service has not heard of', () => {
  test('[D2] is asked to try again: a log never counts for a guessed team', async () => {
    const stranger = { userId: randomUUID(), orgId: maya.orgId };
    const answer = await (await activity.as(stranger)).post('/api/log', walk);
    expect([answer.status, answer.body.code]).toEqual([503, 'member/not-ready']);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await everything()).toEqual(nothing);
  });

  test('logs as soon as the news arrives within the wait', async () => {
    const orgId = randomUUID();
    const late = { userId: randomUUID(), orgId, teamId: randomUUID(), timeZone: 'UTC' };
    const client = await activity.as(late);
    const first = await client.post('/api/log', walk);
    const [envelope] = await activity.identity.publish({
      type: 'MemberJoined',
      version: 1,
      orgId,
      key: orgId,
      data: {
        userId: late.userId,
        teamId: late.teamId,
        timeZone: 'UTC',
        role: 'member',
        name: 'Late',
        joinedOn: '2026-11-16',
        joinedAt: '2026-11-16T08:01:00.000Z',
      },
    });
    const answer = await client.post('/api/log', walk, { 'x-min-position': `identity:${envelope?.position ?? 0}` });
    expect([first.status, answer.status]).toEqual([503, 200]);
  });

  test('[D2] is also one whose latest change has not arrived', async () => {
    // Comes last: a position that never comes makes the source look silent, and nobody waits for what is silent.
    const answer = await api.post('/api/log', walk, { 'x-min-position': 'identity:999999999' });
    expect([answer.status, answer.body.code]).toEqual([503, 'member/not-ready']);
    expect(await everything()).toEqual(nothing);
  });
});
