import { randomUUID } from '@caravan/contracts/testing/seeded';
import { movementCorrected, movementLogged, movementRemoved } from '@caravan/contracts/events/activity.events';
import type { OwnLog } from '@caravan/contracts/http/movement';
import { ownLogSchema } from '@caravan/contracts/http/movement';
import { myDataPath, type MyData } from '@caravan/contracts/http/my-data';
import { eventually } from '@caravan/event-store/testing/eventually';
import { listenTo, type Listener } from '@caravan/messaging/testing/listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberJoined, startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';
import { startImports, workoutOf } from '../testing/imports-under-test.ts';

let activity: ActivityUnderTest;
let integrations: Awaited<ReturnType<typeof startImports>>;
let listener: Listener;
beforeAll(async () => {
  activity = await startActivity();
  integrations = await startImports(activity);
  listener = await listenTo('activity', activity.env);
});
afterAll(async () => {
  await listener.close();
  await integrations.close();
  await activity.close();
});

const logsOf = async (member: Joining, header: Record<string, string> = {}) =>
  (await (await activity.as(member)).get<OwnLog[]>('/api/logs?limit=50', header)).body;
const totalOf = async ({ orgId, userId }: Joining) =>
  (
    await activity.rows<{ centimiles: number }>(
      orgId,
      'select centimiles from member_miles where org_id = $1 and user_id = $2',
      userId,
    )
  ).map(({ centimiles }) => centimiles);
const factsOf = ({ userId }: Joining) => listener.heard.filter(({ key }) => key === userId);
const eventsOf = (member: Joining, logId: string) =>
  activity.rows<{ type: string }>(
    member.orgId,
    'select type from es.events where org_id = $1 and stream_id = $2 order by version',
    `movement-${logId}`,
  );

describe('a workout that integrations imported', () => {
  test('[3.10 D5 D10 D21 F09] is logged once, for its team and local day, and told with what was measured', async () => {
    const maya = await activity.join();
    const workout = workoutOf(maya);
    const [log, ...others] = await logsOf(maya, await integrations.publishImported(maya.orgId, workout));
    expect([ownLogSchema.parse(log), others]).toEqual([
      {
        id: workout.logId,
        activityType: 'Running',
        durationMinutes: 30,
        distanceMiles: 3,
        multiplier: 1,
        source: 'strava',
        isImported: true,
        importSource: 'strava',
        audience: 'owner',
        heartRate: 148,
        calories: 310,
        perceivedEffort: null,
        caption: null,
        location: null,
        photoPath: null,
        photoUrl: null,
        photo: null,
        isCounted: true,
        countsByWord: null,
        sameAs: null,
        startedAt: workout.startedAt,
        loggedOn: '2026-10-21',
        createdAt: workout.importedAt,
      },
      [],
    ]);
    expect(await totalOf(maya)).toEqual([300]);
    await eventually(() => expect(factsOf(maya)).toHaveLength(1));
    expect([factsOf(maya)[0]?.version, movementLogged.data.parse(factsOf(maya)[0]?.data)]).toEqual([
      1,
      expect.objectContaining({
        logId: workout.logId,
        teamId: maya.teamId,
        source: 'strava',
        centimiles: 300,
        audience: 'owner',
        heartRate: 148,
        calories: 310,
        loggedOn: '2026-10-21',
      }),
    ]);
  });

  test('[D6 D21] is not scored without consent, is taken from a minute on, and keeps its own name beside the log', async () => {
    const maya = await activity.join();
    const workout = workoutOf(maya, { isScored: false, durationMinutes: 1, activityType: 'E-Bike Ride' });
    const logs = await logsOf(maya, await integrations.publishImported(maya.orgId, workout));
    expect(logs).toMatchObject([{ distanceMiles: 0, durationMinutes: 1, activityType: 'E-Bike Ride' }]);
    expect(await totalOf(maya)).toEqual([0]);
    const events = await activity.rows(maya.orgId, 'select data from es.events where org_id = $1');
    expect(JSON.stringify(events)).not.toMatch(/E-Bike|[:,"](148|310)[",}]/);
  });

  test('[D8 D21] follows later revisions and changes of consent from 0 to n and back; older ones change nothing', async () => {
    const maya = await activity.join();
    const first = workoutOf(maya, { isScored: false });
    const told = [
      { ...first },
      { ...first, revision: 2, isScored: true, durationMinutes: 40, heartRate: null },
      { ...first, revision: 1, durationMinutes: 99 },
      { ...first, revision: 3, durationMinutes: 40, heartRate: null },
    ];
    const figures: unknown[] = [];
    for (const workout of told) {
      const [log] = await logsOf(maya, await integrations.publishImported(maya.orgId, workout));
      figures.push([log?.distanceMiles, log?.durationMinutes, log?.heartRate, ...(await totalOf(maya))]);
    }
    expect(figures).toEqual([
      [0, 30, 148, 0],
      [4, 40, null, 400],
      [4, 40, null, 400],
      [0, 40, null, 0],
    ]);
    await eventually(() => expect(factsOf(maya)).toHaveLength(3));
    const corrections = factsOf(maya).slice(1);
    expect(corrections.map(({ data }) => movementCorrected.data.parse(data))).toMatchObject([
      { revision: 2, centimiles: 400, previous: { centimiles: 0, durationMinutes: 30 } },
      { revision: 3, centimiles: 0, previous: { centimiles: 400, durationMinutes: 40 } },
    ]);
  });

  test('[D24 D25] goes when it is retracted, with what was measured, and does not come again', async () => {
    const maya = await activity.join();
    const gone = workoutOf(maya);
    const kept = workoutOf(maya);
    await logsOf(maya, await integrations.publishImported(maya.orgId, gone, kept));
    await integrations.publishRetracted(maya.orgId, gone);
    const late = await integrations.publishImported(maya.orgId, { ...gone, revision: 7 });
    expect((await logsOf(maya, late)).map(({ id }) => id)).toEqual([kept.logId]);
    expect(await totalOf(maya)).toEqual([300]);
    const texts = await activity.rows(maya.orgId, 'select log_id as id from movement_texts where org_id = $1');
    expect(texts).toEqual([{ id: kept.logId }]);
    await eventually(() => expect(factsOf(maya)).toHaveLength(3));
    const removal = factsOf(maya).find(({ type }) => type === 'MovementRemoved');
    expect(movementRemoved.data.parse(removal?.data)).toMatchObject({ logId: gone.logId, centimiles: 300 });
    expect(removal?.actorId).toBeNull();
  });

  test('[F09] that was retracted before it came is never there, in one batch or in two', async () => {
    const maya = await activity.join();
    const early = workoutOf(maya);
    const alike = workoutOf(maya);
    await logsOf(maya, await integrations.publishRetracted(maya.orgId, early));
    await integrations.publishImported(maya.orgId, early, alike);
    expect(await logsOf(maya, await integrations.publishRetracted(maya.orgId, alike))).toEqual([]);
    expect(await eventsOf(maya, early.logId)).toEqual([{ type: 'MovementForestalled' }]);
    expect((await eventsOf(maya, alike.logId)).at(-1)?.type).toMatch(/^Movement(Forestalled|Removed)$/);
  });

  test('[D2] of a member who is not known yet waits for the news of their team', async () => {
    const maya = { userId: randomUUID(), orgId: randomUUID(), teamId: randomUUID(), timeZone: 'Asia/Tokyo' };
    const header = await integrations.publishImported(maya.orgId, workoutOf(maya));
    expect(await activity.rows(maya.orgId, 'select from movement_logs where org_id = $1')).toEqual([]);
    await activity.identity.publish(memberJoined(maya));
    await eventually(async () => expect(await logsOf(maya, header)).toMatchObject([{ loggedOn: '2026-10-21' }]));
    expect(await activity.rows(maya.orgId, 'select team_id as team from movement_logs where org_id = $1')).toEqual([
      { team: maya.teamId },
    ]);
  });

  test('[D43 I12] of who was erased is dropped and holds nobody up; what was measured before is forgotten', async () => {
    const maya = await activity.join();
    const omar = await activity.join({ orgId: maya.orgId });
    await logsOf(maya, await integrations.publishImported(maya.orgId, workoutOf(maya)));
    const erasedAt = new Date().toISOString();
    const erased = { userId: maya.userId, teamId: maya.teamId, wasActive: true, erasedAt };
    const header = await activity.tell(maya.orgId, { type: 'MemberErased', data: erased });
    await logsOf(omar, header);
    await integrations.publishImported(maya.orgId, workoutOf(maya));
    await integrations.publishRetracted(maya.orgId, workoutOf(maya));
    expect(await logsOf(omar, await integrations.publishImported(maya.orgId, workoutOf(omar)))).toHaveLength(1);
    const kept = 'select user_id as id from movement_texts where org_id = $1';
    expect(await activity.rows(maya.orgId, kept)).toEqual([{ id: omar.userId }]);
    const logs = 'select from movement_logs where org_id = $1 and user_id = $2';
    expect(await activity.rows(maya.orgId, logs, maya.userId)).toHaveLength(1);
    const parked = await activity.pool.query('select from msg.parked where key = any($1)', [
      [maya.userId, omar.userId],
    ]);
    expect(parked.rows).toEqual([]);
  });
});

describe('the owner of an imported log', () => {
  test('[D8] is told that it is corrected where it was recorded, and can remove it for good by their own hand', async () => {
    const maya = await activity.join();
    const api = await activity.as(maya);
    // The week begins when it came.
    const workout = workoutOf(maya, { importedAt: new Date().toISOString() });
    const header = await integrations.publishImported(maya.orgId, workout);
    await logsOf(maya, header);
    const refused = await api.patch(`/api/logs/${workout.logId}`, { photoPrompt: 'By the river' });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'movement/imported',
        message: 'This workout was imported. Correct it where it was recorded, or remove it here.',
      },
    ]);
    const omar = await activity.join({ orgId: maya.orgId });
    for (const verb of ['patch', 'delete'] as const)
      expect((await (await activity.as(omar))[verb](`/api/logs/${workout.logId}`, {})).status).toBe(404);
    expect((await api.delete(`/api/logs/${workout.logId}`)).status).toBe(200);
    // By this integrations knows it from what was retracted.
    await eventually(() =>
      expect(factsOf(maya).at(-1)).toMatchObject({ type: 'MovementRemoved', actorId: maya.userId }),
    );
    expect(await logsOf(maya, await integrations.publishImported(maya.orgId, { ...workout, revision: 2 }))).toEqual([]);
  });

  test('[D32] exports what was measured', async () => {
    const maya = await activity.join();
    await logsOf(maya, await integrations.publishImported(maya.orgId, workoutOf(maya, { source: 'fitbit' })));
    const { body } = await (await activity.as(maya)).get<MyData>(myDataPath);
    expect(body.files['movements']).toMatchObject([
      { source: 'fitbit', audience: 'owner', heartRate: 148, calories: 310, coveredMiles: null },
    ]);
  });
});
