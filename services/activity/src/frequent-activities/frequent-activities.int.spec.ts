import { frequentActivitiesSchema, frequentActivitySchema } from '@caravan/contracts/http/movement';
import type { FrequentActivity } from '@caravan/contracts/http/movement';
import { myDataPath } from '@caravan/contracts/http/my-data';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';

let activity: ActivityUnderTest;
beforeAll(async () => {
  activity = await startActivity();
});
afterAll(() => activity.close());

const path = '/api/user-activities';

async function person(joining: Partial<Joining> = {}) {
  const member = await activity.join(joining);
  const api = await activity.as(member);
  const track = (activityName: unknown) => api.post(`${path}/track`, { activityName });
  const list = async () => frequentActivitiesSchema.parse((await api.get<FrequentActivity[]>(`${path}/frequent`)).body);
  return { member, api, track, list };
}

describe('frequent activities', () => {
  test('[3.31 7.15 7.16] are counted, the most frequent first, whatever the case of their letters', async () => {
    const { track, list } = await person();
    for (const name of ['Yoga', 'Juggling', 'juggling', 'JUGGLING', 'Golf', 'yoga']) await track(name);
    expect((await list()).map(({ activityName, usageCount }) => [activityName, usageCount])).toEqual([
      ['JUGGLING', 3],
      ['yoga', 2],
      ['Golf', 1],
    ]);
    const { status, body } = await track('Golf');
    expect([status, frequentActivitySchema.parse(body)]).toEqual([200, expect.objectContaining({ usageCount: 2 })]);
  });

  test('[3.31] are one with any apostrophe, any space and characters that are not seen', async () => {
    const { track, list } = await person();
    for (const name of ['Dad’s walk', "dad's\u00a0walk", 'Dad`s  walk\u200b', 'Ma’s walk']) await track(name);
    expect((await list()).map(({ usageCount }) => usageCount)).toEqual([3, 1]);
  });

  test('[3.12] are kept with whose they are, since when, when last and how often, once at first', async () => {
    const { member, track } = await person();
    const readStored = async () => {
      const [row] = await activity.rows<{ id: string; createdAt: Date; lastUsedAt: Date }>(
        member.orgId,
        `select activity_id as id, user_id, activity_name, usage_count,
           used_at as last_used_at, uuid_extract_timestamp(activity_id) as created_at
         from frequent_activities where org_id = $1`,
      );
      return row;
    };
    await track('Juggling');
    const first = await readStored();
    expect(first).toMatchObject({ userId: member.userId, activityName: 'Juggling', usageCount: 1 });
    await track('Juggling');
    const second = await readStored();
    expect(second).toMatchObject({ id: first?.id, createdAt: first?.createdAt, usageCount: 2 });
    expect(second?.lastUsedAt.getTime()).toBeGreaterThan(first?.lastUsedAt.getTime() ?? Infinity);
  });

  test('[7.16] are counted exactly when many are tracked at the same time', async () => {
    const { track, list } = await person();
    await Promise.all(Array.from({ length: 20 }, () => track('Juggling')));
    expect(await list()).toMatchObject([{ activityName: 'Juggling', usageCount: 20 }]);
  });

  test('[7.15] are ten at most', async () => {
    const { track, list } = await person();
    for (let nth = 0; nth < 12; nth += 1) await track(`Sport ${nth}`);
    const found = await list();
    expect(found).toHaveLength(10);
    expect(found[0]).toMatchObject({ activityName: 'Sport 11' });
  });

  test('[D17] are the member’s own: not a colleague’s, not another organisation’s', async () => {
    const { member, track } = await person();
    await track('Juggling');
    expect(await (await person({ orgId: member.orgId })).list()).toEqual([]);
    expect(await (await person({ userId: member.userId })).list()).toEqual([]);
    expect((await activity.nobody.get(`${path}/frequent`)).status).toBe(401);
    expect((await activity.nobody.post(`${path}/track`, { activityName: 'Yoga' })).status).toBe(401);
  });

  test.each([
    [undefined, 'Activity type is required'],
    [' ', 'Activity type is required'],
    [7, 'Activity type is required'],
    ['x'.repeat(500), 'Activity type must be at most 60 characters'],
    ['a\u0000b', undefined],
  ])('[D38] a name like %j is refused', async (name, message) => {
    const { track, list } = await person();
    const { status, body } = await track(name);
    expect(status).toBe(422);
    if (message !== undefined) expect(body['message']).toBe(message);
    expect(await list()).toEqual([]);
  });

  test('[D18 D32] go with their member and are in the export before', async () => {
    const { member, api, track, list } = await person();
    await track('Juggling');
    const { body } = await api.get<{ files: Record<string, unknown[]> }>(myDataPath);
    expect(body.files['frequent-activities']).toEqual([
      { activityName: 'Juggling', usageCount: 1, lastUsedAt: expect.stringMatching(/Z$/) },
    ]);
    const data = { userId: member.userId, teamId: member.teamId, wasActive: true, erasedAt: new Date().toISOString() };
    const header = await activity.tell(member.orgId, { type: 'MemberErased', data });
    expect((await api.get(`${path}/frequent`, header)).body).toEqual([]);
    expect((await track('Juggling')).status).toBe(503);
    expect(await list()).toEqual([]);
  });
});
