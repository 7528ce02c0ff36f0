import { randomUUID } from '@caravan/contracts/testing/seeded';
import { importedWorkoutsSchema } from '@caravan/contracts/http/fitness';
import { movementFact } from '@caravan/contracts/testing/movement-fact';
import { eventually } from '@caravan/event-store/testing/eventually';
import { type PeerService, startPeerService } from '@caravan/messaging/testing/peer-service';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Imports } from '../ports.ts';
import { type ImportingUnderTest, type Member, startImporting } from '../testing/importing-under-test.ts';
import { Syncing } from '../syncing/index.ts';
import { deliveryOf, hoursAgo, stravaSecret } from '../testing/recording-platform.ts';

let under: ImportingUnderTest;
let activity: PeerService;
let maya: Member;
let api: ApiClient;

beforeAll(async () => {
  under = await startImporting();
  activity = await startPeerService('activity', under.env);
});
afterAll(async () => {
  await activity.close();
  await under.close();
});
beforeEach(async () => {
  maya = under.member();
  api = await under.as(maya);
});

const sync = () => api.post<{ syncedActivities: number }>('/api/fitness/sync', {});
const workouts = async () => importedWorkoutsSchema.parse((await api.get('/api/fitness/workouts')).body);
const statesOf = async () =>
  Object.fromEntries((await workouts()).map(({ provider, state, why }) => [provider, [state, why]]));
const logIdOf = async (provider: string) => (await workouts()).find((one) => one.provider === provider)?.logId ?? '';
const factsOf = ({ orgId }: Member) => under.publishedOf(orgId).facts;
const recordWorkouts = async (...providers: readonly ('strava' | 'fitbit')[]) => {
  const ids = new Map<string, string>();
  for (const provider of providers) {
    const id = await under.connect(maya, provider);
    under[provider].change(id, `${maya.userId}-${provider}`, {});
    ids.set(provider, id);
  }
  await sync();
  return (provider: string) => ids.get(provider) ?? '';
};

/** Activity tells that a log is gone, and tells it again. */
async function tell(member: Member, logId: string, actorId: string | null = member.userId) {
  const at = new Date().toISOString();
  const data = {
    logId,
    userId: member.userId,
    teamId: randomUUID(),
    durationMinutes: 30,
    centimiles: 300,
    startedAt: hoursAgo(5).toISOString(),
    loggedOn: at.slice(0, 10),
    removedAt: at,
  };
  const fact = { type: 'MovementRemoved', version: 1, orgId: member.orgId, key: member.userId, data };
  const told = await activity.publish({ ...fact, ...(actorId !== null && { actorId }) });
  await activity.redeliver(...told);
  return told;
}
/** What was told before it is heard by then, too. */
async function deleteLog(provider: string) {
  const logId = await logIdOf(provider);
  const told = await tell(maya, logId);
  await eventually(async () => expect((await workouts()).map((one) => one.logId)).not.toContain(logId));
  return told;
}
/** A later fact of the same key has been heard. */
async function everythingHeard() {
  const heard = `select from msg.applied where consumer_group = 'integrations.project-logs' and key = $1
    and position >= $2`;
  const [last] = await tell(maya, randomUUID());
  await eventually(async () => expect((await under.pool.query(heard, [maya.userId, last?.position])).rowCount).toBe(1));
}

describe('a log that its owner deletes by hand', () => {
  test('[D8 D35] is told so in the list at once, on open pages too, and nothing is retracted that is gone', async () => {
    await recordWorkouts('fitbit');
    const live = await listenLive(under.env, maya.orgId);
    await deleteLog('fitbit');
    expect(await workouts()).toMatchObject([{ state: 'removed', why: 'removed', logId: null, sameAs: null }]);
    await eventually(() => expect([...live.kinds]).toEqual([`devices of ${maya.userId}`]));
    await live.close();
    await everythingHeard();
    await eventually(() => expect(factsOf(maya).map(({ type }) => type)).toEqual(['WorkoutImported']));
    const figures = await under.app.get<Imports>(Imports).figuresOf({ ...maya, provider: 'fitbit' });
    expect(figures.importCount).toBe(0);
  });

  test('[F09] is not imported again by a sync, a notice of its platform, a night or a consent', async () => {
    const id = (await recordWorkouts('strava'))('strava');
    await deleteLog('strava');
    const name = `${maya.userId}-strava`;
    under.strava.change(id, name, { durationMinutes: 44 });
    expect((await sync()).body).toEqual({ syncedActivities: 0 });
    const body = deliveryOf(under.strava.change(id, name, { durationMinutes: 45 }));
    const headers = { 'content-type': 'application/json' };
    await fetch(`${under.url}/api/webhooks/strava/${stravaSecret}`, { method: 'POST', body, headers });
    await under.hurry(maya);
    await eventually(async () => expect(await workouts()).toMatchObject([{ durationMinutes: 45, state: 'removed' }]));
    const syncing = under.app.get<Syncing>(Syncing);
    const night = await syncing.begin({ ...maya, provider: 'strava' }, 'nightly');
    expect(night && (await syncing.carryOn(night))).toEqual({ imported: 0, failure: null });
    await under.app.get<Imports>(Imports).rescore({ ...maya, provider: 'strava' }, false);
    await eventually(async () => expect([(await workouts())[0]?.state, factsOf(maya).length]).toEqual(['removed', 1]));
  });

  test('[D25] lets the same workout of the other platform count, whenever that comes', async () => {
    await recordWorkouts('strava');
    await deleteLog('strava');
    under.fitbit.change(await under.connect(maya, 'fitbit'), `${maya.userId}-f`, {});
    expect((await sync()).body).toEqual({ syncedActivities: 1 });
    expect(await statesOf()).toEqual({ strava: ['removed', 'removed'], fitbit: ['counted', null] });
    await eventually(() => expect(under.publishedOf(maya.orgId).logs.at(-1)).toMatchObject({ source: 'fitbit' }));
  });

  test('[D25] takes the place of the deleted one by what was stored uncounted', async () => {
    await recordWorkouts('strava', 'fitbit');
    expect(await statesOf()).toEqual({ strava: ['duplicate', 'duplicate'], fitbit: ['counted', null] });
    await deleteLog('fitbit');
    await eventually(async () =>
      expect(await statesOf()).toEqual({ strava: ['counted', null], fitbit: ['removed', 'removed'] }),
    );
    await eventually(() => expect(under.publishedOf(maya.orgId).logs.at(-1)).toMatchObject({ source: 'strava' }));
  });

  test('[D25] counts again as one other log when its owner says so, however often that and the deletion are told', async () => {
    await recordWorkouts('strava', 'fitbit');
    const told = await deleteLog('fitbit');
    const [removed] = (await workouts()).filter(({ provider }) => provider === 'fitbit');
    const count = () => api.patch(`/api/fitness/workouts/${removed?.id}`, { counts: true });
    expect(await count()).toMatchObject({ status: 200, body: { state: 'counted', why: null } });
    expect(await count()).toMatchObject({ status: 200, body: { state: 'counted' } });
    await activity.redeliver(...told);
    await everythingHeard();
    expect(await statesOf()).toEqual({ strava: ['duplicate', 'duplicate'], fitbit: ['counted', null] });
    await eventually(async () => {
      const imported = factsOf(maya).filter(({ type }) => type === 'WorkoutImported');
      const logIds = new Set(imported.map(({ data }) => (data as { logId: string }).logId));
      // The first was that of Strava or Fitbit, by which of them was fetched first.
      expect(imported.length).toBe(logIds.size);
      expect(imported.at(-1)?.data).toMatchObject({ source: 'fitbit', revision: 1, logId: await logIdOf('fitbit') });
    });
    const other = await under.as({ ...maya, userId: randomUUID() });
    expect((await other.patch(`/api/fitness/workouts/${removed?.id}`, { counts: true })).status).toBe(404);
  });

  test('counts on where it was retracted by nobody’s hand, belongs to somebody else, or was typed in', async () => {
    await recordWorkouts('strava');
    const logId = await logIdOf('strava');
    const colleague = { ...maya, userId: randomUUID() };
    await tell(maya, logId, null);
    await tell(colleague, logId);
    await tell({ ...maya, orgId: randomUUID() }, logId);
    await tell(maya, randomUUID());
    await everythingHeard();
    expect(await statesOf()).toEqual({ strava: ['counted', null] });
  });

  test('[I12] goes with an erased member, and news of it that come later leave nothing', async () => {
    await recordWorkouts('strava');
    const logId = await logIdOf('strava');
    await deleteLog('strava');
    const erasedAt = new Date().toISOString();
    const data = { userId: maya.userId, teamId: randomUUID(), wasActive: true, erasedAt };
    const fact = { type: 'MemberErased', version: 1, orgId: maya.orgId, key: maya.orgId, data };
    await under.peer.publish(fact, fact);
    const left = () => under.rows(maya.orgId, 'select from imported_workouts where org_id = $1');
    await eventually(async () => expect(await left()).toEqual([]));
    await tell(maya, logId);
    await everythingHeard();
    expect(await left()).toEqual([]);
  });
});

const logOf = (changes: object = {}) => ({
  ...movementFact({ userId: maya.userId, teamId: randomUUID(), source: 'timer' }),
  startedAt: hoursAgo(5).toISOString(),
  durationMinutes: 30,
  ...changes,
});
/** Activity tells of a log of the timer or by hand, and tells it again. */
async function tellLog(type: 'MovementLogged' | 'MovementCorrected', data: object) {
  const fact = { type, version: 1, orgId: maya.orgId, key: maya.userId, actorId: maya.userId, data };
  await activity.redeliver(...(await activity.publish(fact)));
}

let theLog: string;
const correctionOf = (changes: object) => ({
  ...logOf({ logId: theLog, ...changes }),
  revision: 2,
  correctedAt: new Date().toISOString(),
  previous: { durationMinutes: 30, centimiles: 300, loggedOn: hoursAgo(5).toISOString().slice(0, 10) },
});

describe('[D25] a log of the timer or by hand and the same workout of a platform', () => {
  test('count once in both orders, and the list names the log that counts', async () => {
    await recordWorkouts('strava');
    const logId = randomUUID();
    await tellLog('MovementLogged', logOf({ logId }));
    await eventually(async () => expect(await statesOf()).toEqual({ strava: ['duplicate', 'duplicate'] }));
    expect((await workouts())[0]?.sameAs).toMatchObject({ provider: 'timer', activityType: 'Walking' });
    await eventually(() => expect(factsOf(maya).at(-1)?.data).toMatchObject({ why: 'duplicate' }));
    maya = under.member();
    api = await under.as(maya);
    await tellLog('MovementLogged', logOf({ logId: randomUUID() }));
    await everythingHeard();
    await recordWorkouts('strava');
    expect(await statesOf()).toEqual({ strava: ['duplicate', 'duplicate'] });
    expect(factsOf(maya)).toEqual([]);
  });

  test.each([
    ['is removed', () => tell(maya, theLog)],
    ['is corrected to another time', () => tellLog('MovementCorrected', correctionOf({ startedAt: hoursAgo(9) }))],
    [
      'does not count by the word of its member',
      () => tellLog('MovementCorrected', correctionOf({ countsByWord: false })),
    ],
  ])('the workout counts in the place of a log that %s', async (_, end) => {
    theLog = randomUUID();
    await tellLog('MovementLogged', logOf({ logId: theLog }));
    await everythingHeard();
    await recordWorkouts('strava');
    expect(await statesOf()).toEqual({ strava: ['duplicate', 'duplicate'] });
    await end();
    await eventually(async () => expect(await statesOf()).toEqual({ strava: ['counted', null] }));
  });

  test('the member lets both count, and the log’s service is told that the import counts beside', async () => {
    await tellLog('MovementLogged', logOf({ logId: randomUUID() }));
    await everythingHeard();
    await recordWorkouts('strava');
    const [workout] = await workouts();
    await api.patch(`/api/fitness/workouts/${workout?.id}`, { counts: true });
    expect(await statesOf()).toEqual({ strava: ['counted', null] });
    await eventually(() => expect(under.publishedOf(maya.orgId).logs).toMatchObject([{ countsBeside: true }]));
  });

  test('[I12] its row goes with an erased member, and is not written again', async () => {
    await tellLog('MovementLogged', logOf({ logId: randomUUID() }));
    await everythingHeard();
    const erasedAt = new Date().toISOString();
    const data = { userId: maya.userId, teamId: randomUUID(), wasActive: true, erasedAt };
    const fact = { type: 'MemberErased', version: 1, orgId: maya.orgId, key: maya.orgId, data };
    await under.peer.publish(fact, fact);
    const left = () => under.rows(maya.orgId, 'select from own_logs where org_id = $1');
    await eventually(async () => expect(await left()).toEqual([]));
    await tellLog('MovementLogged', logOf({ logId: randomUUID() }));
    await everythingHeard();
    expect(await left()).toEqual([]);
  });
});
