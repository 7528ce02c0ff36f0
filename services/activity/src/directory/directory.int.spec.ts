import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { OwnLog } from '@caravan/contracts/http/movement';
import { myDataPath, myDataSchema } from '@caravan/contracts/http/my-data';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';

let activity: ActivityUnderTest;
beforeAll(async () => {
  activity = await startActivity();
});
afterAll(() => activity.close());

const juggle = { activityType: 'Juggling', durationMinutes: 30, photoPrompt: 'Three balls', location: 'The park' };
const teamsOf = async ({ orgId, userId }: Joining) =>
  (
    await activity.rows<{ team: string }>(
      orgId,
      'select team_id as team from movement_logs where org_id = $1 and user_id = $2 order by logged_at',
      userId,
    )
  ).map(({ team }) => team);

test('[D2] a member who changed the team earns for the new one; earlier logs stay with the old', async () => {
  const maya = await activity.join();
  const api = await activity.as(maya);
  expect((await api.post('/api/log', juggle)).status).toBe(200);
  const teamId = randomUUID();
  const data = { userId: maya.userId, fromTeamId: maya.teamId, teamId, movedAt: new Date().toISOString() };
  const header = await activity.tell(maya.orgId, { type: 'MemberMoved', data });
  expect((await api.post('/api/log', juggle, header)).body).toMatchObject({ totalMiles: 6 });
  expect(await teamsOf(maya)).toEqual([maya.teamId, teamId]);
});

test('[D10] a member who moved to another time zone has the days of that zone from the next log on', async () => {
  const maya = await activity.join({ timeZone: 'Pacific/Kiritimati' });
  const api = await activity.as(maya);
  await api.post('/api/log', juggle);
  const zone = { userId: maya.userId, name: 'Maya', timeZone: 'Pacific/Pago_Pago', profilePhotoUrl: null };
  const header = await activity.tell(maya.orgId, { type: 'ProfileEdited', data: zone });
  await api.post('/api/log', juggle, header);
  const { body } = await api.get<OwnLog[]>('/api/logs');
  const startedAt = new Date(body[0]?.startedAt ?? 0);
  expect(body.map(({ loggedOn }) => loggedOn)).toEqual([
    localDateOf(startedAt, 'Pacific/Pago_Pago'),
    localDateOf(new Date(body[1]?.startedAt ?? 0), 'Pacific/Kiritimati'),
  ]);
});

describe('a member who was erased', () => {
  const erasedFact = ({ userId, teamId }: Joining) => ({
    type: 'MemberErased',
    data: { userId, teamId, wasActive: true, erasedAt: new Date().toISOString() },
  });

  test('[D18 D32] leaves ids and numbers, and nothing that was typed; colleagues keep theirs', async () => {
    const maya = await activity.join();
    const omar = await activity.join({ orgId: maya.orgId });
    const api = await activity.as(maya);
    const omars = await activity.as(omar);
    await api.post('/api/log', juggle, { 'idempotency-key': 'once' });
    await omars.post('/api/log', juggle);
    const answers = 'select from es.requests where org_id = $1 and owner = $2::text';
    expect(await activity.rows(maya.orgId, answers, maya.userId)).toHaveLength(1);
    const header = await activity.tell(maya.orgId, erasedFact(maya));
    expect((await omars.get<OwnLog[]>('/api/logs', header)).body).toMatchObject([{ caption: 'Three balls' }]);
    const rows = (table: string) =>
      activity.rows(maya.orgId, `select * from ${table} where org_id = $1 and user_id = $2`, maya.userId);
    expect([await rows('members'), await rows('movement_texts')]).toEqual([[], []]);
    expect(await rows('movement_logs')).toMatchObject([{ activity: 'custom', centimiles: 300 }]);
    expect(await rows('member_miles')).toMatchObject([{ centimiles: 300 }]);
    const log = await activity.rows(maya.orgId, `select * from es.events where org_id = $1 and $2 <> ''`, maya.userId);
    expect(log).toHaveLength(2);
    expect(JSON.stringify(log)).not.toMatch(/Juggling|Three balls|park/);
    expect(await activity.rows(maya.orgId, answers, maya.userId)).toEqual([]);
  });

  test('[D43 S25] leaves nothing typed in messages that Kafka refused; colleagues keep theirs', async () => {
    const maya = await activity.join();
    const omar = await activity.join({ orgId: maya.orgId });
    // As the relay puts them aside: the message that was too large, one behind it, and a colleague's.
    const texts = { activityType: 'Juggling', caption: 'Three balls', location: 'The park', durationMinutes: 30 };
    const refused = [
      ['MovementLogged', maya],
      ['MovementCorrected', maya],
      ['MovementLogged', omar],
    ] as const;
    for (const [nth, [type, { userId, orgId }]] of refused.entries())
      await activity.pool.query(
        `insert into es.refused (pos, shard, partition_key, event_id, org_id, type, version, data, causes, occurred_at)
          values ($1, 0, $2, gen_random_uuid(), $3, $4, 1, $5, '[]', now())`,
        [1_000_000 + nth, userId, orgId, type, JSON.stringify({ ...texts, userId })],
      );
    await activity.tell(maya.orgId, erasedFact(maya));
    const dataOf = async ({ userId }: Joining) => {
      const text = 'select data from es.refused where partition_key = $1 order by pos';
      return (await activity.pool.query<{ data: object }>(text, [userId])).rows.map(({ data }) => data);
    };
    const forgotten = { activityType: 'Custom activity', caption: null, location: null };
    const scrubbed = { ...texts, ...forgotten, userId: maya.userId };
    await expect.poll(() => dataOf(maya)).toEqual([scrubbed, scrubbed]);
    expect(await dataOf(omar)).toEqual([{ ...texts, userId: omar.userId }]);
    await activity.pool.query('delete from es.refused where org_id = $1', [maya.orgId]);
  });

  test('[D43] as the last one leaves of the closed organisation ids and numbers, nothing else', async () => {
    const maya = await activity.join();
    await (await activity.as(maya)).post('/api/log', juggle, { 'idempotency-key': 'last' });
    const closed = { type: 'OrganisationClosed', data: { closedAt: new Date().toISOString() } };
    await activity.tell(maya.orgId, erasedFact(maya));
    await activity.tell(maya.orgId, closed);
    for (const table of ['members', 'movement_texts', 'frequent_activities', 'bonus_windows', 'es.requests'])
      await expect.poll(() => activity.rows(maya.orgId, `select from ${table} where org_id = $1`)).toEqual([]);
    const logs = await activity.rows(maya.orgId, 'select centimiles from movement_logs where org_id = $1');
    expect(logs).toEqual([{ centimiles: 300 }]);
  });

  test('[D32] logs no more, and logs that were on their way leave no texts either', async () => {
    const maya = await activity.join();
    const api = await activity.as(maya);
    const racing = Promise.all(Array.from({ length: 12 }, () => api.post('/api/log', juggle)));
    const header = await activity.tell(maya.orgId, erasedFact(maya));
    await racing;
    const late = await api.post('/api/log', juggle, header);
    expect([late.status, late.body.code]).toEqual([503, 'member/not-ready']);
    expect(
      await activity.rows(maya.orgId, 'select from movement_texts where org_id = $1 and user_id = $2', maya.userId),
    ).toEqual([]);
  });
});

test('[D32] the export holds everything of the member who asks and nothing of anybody else', async () => {
  const maya = await activity.join({ timeZone: 'UTC' });
  const omar = await activity.join({ orgId: maya.orgId });
  const namesake = await activity.join({ userId: maya.userId });
  const startedAt = new Date(Date.now() - 3_600_000).toISOString();
  for (const person of [omar, namesake])
    await (await activity.as(person)).post('/api/log', { ...juggle, photoPrompt: 'Not hers' });
  const { body: logged } = await (
    await activity.as(maya)
  ).post('/api/log', { ...juggle, startedAt, distanceMiles: 1.5, perceivedEffort: 4 }, { 'idempotency-key': 'hers' });
  const { status, body } = await (await activity.as(maya)).get(myDataPath);
  expect([status, myDataSchema.parse(body)]).toEqual([
    200,
    {
      files: {
        movements: [
          {
            logId: logged.id,
            activityType: 'Juggling',
            durationMinutes: 30,
            miles: 3,
            multiplier: 1,
            audience: 'organisation',
            heartRate: null,
            calories: null,
            perceivedEffort: 4,
            source: 'manual',
            caption: 'Three balls',
            location: 'The park',
            coveredMiles: 1.5,
            startedAt,
            loggedAt: expect.stringMatching(/Z$/),
            loggedOn: startedAt.slice(0, 10),
            timeZone: 'UTC',
            earnedForTeamId: maya.teamId,
          },
        ],
        'movement-membership': [{ teamId: maya.teamId, timeZone: 'UTC', totalMiles: 3 }],
        'frequent-activities': [],
        photos: [],
        uploads: [],
        'movement-answers': [
          {
            idempotencyKey: 'hers',
            answer: expect.objectContaining({ id: logged.id }),
            answeredAt: expect.stringMatching(/Z$/),
          },
        ],
      },
      pictures: [],
    },
  ]);
  expect((await activity.nobody.get(myDataPath)).status).toBe(401);
});
