import { fitnessWords, importedWorkoutsSchema, syncRunsSchema } from '@caravan/contracts/http/fitness';
import { myDataPath, myDataSchema } from '@caravan/contracts/http/my-data';
import { eventually } from '@caravan/event-store/testing/eventually';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Imports } from '../ports.ts';
import { ProviderFailure } from '../providers/index.ts';
import { type ImportingUnderTest, type Member, startImporting } from '../testing/importing-under-test.ts';
import { hoursAgo } from '../testing/recording-platform.ts';
import { Syncing } from './syncing.service.ts';
import { Syncs } from './syncs.job.ts';

let under: ImportingUnderTest;
let maya: Member;
let api: ApiClient;

beforeAll(async () => {
  under = await startImporting();
});
afterAll(() => under.close());
beforeEach(async () => {
  maya = under.member();
  api = await under.as(maya);
});
afterEach(() => {
  under.strava.interfere = () => undefined;
  under.fitbit.interfere = () => undefined;
});

const sync = () => api.post<{ syncedActivities: number }>('/api/fitness/sync', {});
const history = async () => syncRunsSchema.parse((await api.get('/api/fitness/history')).body);
const workouts = async () => importedWorkoutsSchema.parse((await api.get('/api/fitness/workouts')).body);
const logs = () => under.publishedOf(maya.orgId).logs;
const imports = () => under.app.get<Imports>(Imports);

describe('POST /api/fitness/sync', () => {
  test('[D42 7.24] is refused with nothing connected', async () => {
    const { status, body } = await sync();
    expect([status, body]).toEqual([409, expect.objectContaining({ message: fitnessWords.nothingConnected })]);
  });

  test('[3.38 7.24] answers how many came, and tells the others of each once', async () => {
    const id = await under.connect(maya, 'strava');
    for (const nth of [1, 2, 3, 4, 5])
      under.strava.change(id, `${maya.userId}-${nth}`, { startedAt: hoursAgo(nth * 3) });
    under.strava.change(id, `${maya.userId}-short`, { durationMinutes: 0 });
    expect(await sync()).toMatchObject({ status: 200, body: { syncedActivities: 5 } });
    expect((await sync()).body).toEqual({ syncedActivities: 0 });
    await eventually(() => expect(logs()).toHaveLength(5));
    const expected = { userId: maya.userId, source: 'strava', revision: 1, audience: 'owner', isScored: true };
    expect(logs()[0]).toMatchObject({ ...expected, activityType: 'Running', durationMinutes: 30, meters: null });
    expect(under.publishedOf(maya.orgId).facts).toHaveLength(5);
    expect(await history()).toMatchObject([
      { cause: 'asked', state: 'done', imported: 0, skipped: [], failure: null },
      { cause: 'asked', state: 'done', imported: 5, skipped: [{ why: 'too-short', count: 1 }] },
    ]);
    const status = (await api.get<{ lastSyncDate: string | null }>('/api/fitness/status')).body;
    expect(status.lastSyncDate).not.toBeNull();
  });

  test('[7.24 F11] says when to come back while the platform is away, and in the history what happened', async () => {
    await under.connect(maya, 'strava');
    under.strava.interfere = () => {
      throw new ProviderFailure('busy', 'the quota is used up', 77);
    };
    const { status, headers } = await sync();
    expect([status, headers.get('retry-after')]).toEqual([503, '77']);
    expect(await history()).toMatchObject([{ cause: 'asked', state: 'failed', failure: 'busy' }]);
  });

  test('[D35] is told to the open pages of its member once it is over', async () => {
    const live = await listenLive(under.env, maya.orgId);
    under.fitbit.change(await under.connect(maya, 'fitbit'), maya.userId, {});
    await sync();
    await eventually(() => expect([...live.kinds]).toEqual([`devices of ${maya.userId}`]));
    await live.close();
  });

  test('one platform that is away keeps nothing of the other one back', async () => {
    await under.connect(maya, 'strava');
    under.fitbit.change(await under.connect(maya, 'fitbit'), maya.userId, {});
    under.strava.interfere = () => {
      throw new ProviderFailure('unreachable', 'away');
    };
    expect(await sync()).toMatchObject({ status: 200, body: { syncedActivities: 1 } });
  });

  test('an account that is refused there is asked to be connected anew, and nobody is signed out', async () => {
    const id = await under.connect(maya, 'strava');
    under.strava.athlete(id).isRevoked = true;
    expect((await sync()).status).toBe(409);
    expect(under.tokens.refusals).toContain(`strava ${maya.userId}`);
    expect(await history()).toMatchObject([{ state: 'failed', failure: 'reconnect' }]);
  });

  test('[S25] may be asked twelve times in ten minutes', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 13; times += 1) statuses.push((await sync()).status);
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 409), 429]);
  });
});

describe('a sync', () => {
  test('[F09] learns what was changed and deleted there', async () => {
    const id = await under.connect(maya, 'strava');
    for (const nth of [1, 2, 3, 4]) under.strava.change(id, `${maya.userId}-${nth}`, { startedAt: hoursAgo(nth * 3) });
    await sync();
    await eventually(() => expect(logs()).toHaveLength(4));
    under.strava.change(id, `${maya.userId}-1`, { durationMinutes: 50 });
    under.strava.change(id, `${maya.userId}-2`, null);
    await sync();
    await eventually(() => {
      expect(logs()).toHaveLength(3);
      expect(logs().find(({ revision }) => revision === 2)).toMatchObject({ durationMinutes: 50 });
    });
    expect((await history())[0]).toMatchObject({ imported: 0, updated: 1, removed: 1 });
    const gone = await under.rows(
      maya.orgId,
      `select raw, started_at from imported_workouts where org_id = $1 and state = 'gone'`,
    );
    expect(gone).toEqual([{ raw: null, startedAt: null }]);
  });

  test('after connecting fetches 30 days, and says how far it is', async () => {
    const id = await under.connect(maya, 'fitbit', { connectedAt: new Date() });
    for (let days = 0; days < 33; days += 1)
      under.fitbit.change(id, `${maya.userId}-${days}`, { startedAt: hoursAgo(days * 24 + 1) });
    const seen: unknown[] = [];
    under.fitbit.interfere = async (call, moment) => {
      if (call.startsWith('list') && moment === 'before')
        seen.push((await imports().figuresOf({ ...maya, provider: 'fitbit' })).backfill);
    };
    await imports().begin({ ...maya, provider: 'fitbit' });
    await eventually(async () =>
      expect(await history()).toMatchObject([{ cause: 'connect', state: 'done', imported: 30 }]),
    );
    expect(seen).toEqual(expect.arrayContaining([0, 10, 20].map((daysDone) => ({ daysDone, days: 30 }))));
    expect(await imports().figuresOf({ ...maya, provider: 'fitbit' })).toEqual({ importCount: 30, backfill: null });
    await eventually(() => expect(logs()).toHaveLength(30));
    expect((await api.get('/api/fitness/workouts?limit=20')).headers.get('link')).toContain('rel="next"');
  });

  test('[D34] tells its member once of trouble that nobody waits for, when it is over, and what came after connecting', async () => {
    const account = { ...maya, provider: 'fitbit' } as const;
    under.fitbit.change(await under.connect(maya, 'fitbit', { connectedAt: hoursAgo(50) }), maya.userId, {});
    const run = async () => {
      const ref = await under.app.get(Syncing).begin(account, 'nightly');
      await under.app.get(Syncing).carryOn(ref ?? { orgId: '', runId: '' });
    };
    under.fitbit.interfere = () => {
      throw new ProviderFailure('scope', 'not allowed any more');
    };
    expect((await sync()).status).toBe(503);
    for (let nights = 0; nights < 3; nights += 1) await run();
    under.fitbit.interfere = () => undefined;
    for (let nights = 0; nights < 2; nights += 1) await run();
    await imports().begin(account);
    const about = { userId: maya.userId, source: 'fitbit' };
    await eventually(() =>
      expect(under.publishedOf(maya.orgId).others.map(({ type, data }) => ({ type, data }))).toMatchObject([
        { type: 'SyncFailed', data: { ...about, why: 'reconnect' } },
        { type: 'SyncRecovered', data: about },
        { type: 'FirstSyncCompleted', data: { ...about, workouts: 0 } },
      ]),
    );
  });

  test('at night looks at each account once, spread over the night', async () => {
    const members = Array.from({ length: 20 }, () => under.member());
    for (const member of members) await under.connect(member, 'fitbit', { connectedAt: hoursAgo(50) });
    const syncs = under.app.get<Syncs>(Syncs);
    // Due in a night to come, so that none of them runs.
    const sweepAt = (minutes: number) => syncs.sweepAt(new Date(Date.parse('2040-05-01') + minutes * 60_000));
    const nightly = `select from sync_runs where org_id = $1 and cause = 'nightly'`;
    const count = async () => (await Promise.all(members.map(({ orgId }) => under.rows(orgId, nightly)))).flat().length;
    await sweepAt(59);
    expect(await count()).toBe(0);
    await sweepAt(60 + 150);
    const half = await count();
    expect([half > 2, half < 18]).toEqual([true, true]);
    for (const minutes of [360, 361, 900]) await sweepAt(minutes);
    expect(await count()).toBe(20);
  });
});

describe('imported workouts', () => {
  test('[D25] one of two platforms counts once, until its member says that it is another one', async () => {
    const onStrava = await under.connect(maya, 'strava');
    const onFitbit = await under.connect(maya, 'fitbit');
    under.strava.change(onStrava, `${maya.userId}-s`, { activityType: 'Run' });
    under.fitbit.change(onFitbit, `${maya.userId}-f`, { activityType: 'Jogging' });
    await sync();
    const shown = await workouts();
    const same = { provider: 'fitbit', activityType: 'Jogging' };
    expect(shown.find(({ provider }) => provider === 'strava')).toMatchObject({
      state: 'duplicate',
      why: 'duplicate',
      logId: null,
      sameAs: same,
    });
    const doubled = shown.find(({ state }) => state === 'duplicate');
    const patch = (counts: boolean, by = api) => by.patch(`/api/fitness/workouts/${doubled?.id}`, { counts });
    expect(await patch(true)).toMatchObject({ status: 200, body: { state: 'counted', sameAs: null } });
    await eventually(() => expect(logs()).toHaveLength(2));
    expect(await patch(false)).toMatchObject({ status: 200, body: { state: 'duplicate', sameAs: same } });
    await eventually(() => expect(logs()).toMatchObject([{ source: 'fitbit' }]));
    const other = await under.as({ ...maya, userId: under.member().userId });
    expect((await patch(true, other)).status).toBe(404);
    expect((await patch(true, await under.as(under.member()))).status).toBe(404);
  });

  test('what cannot count is not made to', async () => {
    under.strava.change(await under.connect(maya, 'strava'), maya.userId, { durationMinutes: 0 });
    await sync();
    const [short] = await workouts();
    expect(short).toMatchObject({ state: 'skipped', why: 'too-short', logId: null });
    expect((await api.patch(`/api/fitness/workouts/${short?.id}`, { counts: true })).status).toBe(409);
  });

  test('[D21] earn from the moment of consent on, those before too, and no longer when it is taken back', async () => {
    under.strava.change(await under.connect(maya, 'strava', { isScored: false }), maya.userId, {});
    await sync();
    expect(await workouts()).toMatchObject([{ state: 'unscored' }]);
    const rescore = (isScored: boolean) => imports().rescore({ ...maya, provider: 'strava' }, isScored);
    await rescore(true);
    await eventually(() => expect(logs()).toMatchObject([{ isScored: true, revision: 2 }]));
    await rescore(false);
    await eventually(() => expect(logs()).toMatchObject([{ isScored: false, revision: 3 }]));
  });

  test('[D24] go when they are taken back, and what they stood for at another platform counts', async () => {
    const onStrava = await under.connect(maya, 'strava');
    const onFitbit = await under.connect(maya, 'fitbit');
    under.strava.change(onStrava, `${maya.userId}-s`, {});
    under.fitbit.change(onFitbit, `${maya.userId}-f`, {});
    await sync();
    await eventually(() => expect(logs()).toMatchObject([{ source: 'fitbit' }]));
    expect(await imports().retractAll({ ...maya, provider: 'fitbit' })).toBe(1);
    expect(await imports().retractAll({ ...maya, provider: 'fitbit' })).toBe(0);
    await eventually(() => expect(logs()).toMatchObject([{ source: 'strava' }]));
    expect(await workouts()).toMatchObject([{ provider: 'strava', state: 'counted' }]);
  });

  test('[S18] of a colleague’s account are not counted for a second member', async () => {
    const colleague = { orgId: maya.orgId, userId: under.member().userId };
    under.strava.change(await under.connect(maya, 'strava'), 'shared', {});
    await sync();
    under.strava.change(await under.connect(colleague, 'strava'), 'shared', {});
    const answer = await (await under.as(colleague)).post('/api/fitness/sync', {});
    expect(answer.body).toEqual({ syncedActivities: 0 });
  });

  test('[D21] what the platform answered is gone after six days', async () => {
    under.strava.change(await under.connect(maya, 'strava'), maya.userId, {});
    await sync();
    const raw = () =>
      under.rows(maya.orgId, 'select raw, meters is not null as has_meters from imported_workouts where org_id = $1');
    const syncs = under.app.get<Syncs>(Syncs);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    await syncs.purgeAt(inDays(5.9));
    expect(await raw()).toEqual([{ raw: { id: maya.userId }, hasMeters: true }]);
    await syncs.purgeAt(inDays(6.1));
    expect(await raw()).toEqual([{ raw: null, hasMeters: false }]);
  });

  test('[D32] are in the export of their member, with what was synced', async () => {
    under.strava.change(await under.connect(maya, 'strava'), maya.userId, {});
    await sync();
    const { files } = myDataSchema.parse((await api.get(myDataPath)).body);
    expect(files['imported-workouts']).toMatchObject([{ idAtProvider: maya.userId, durationMinutes: 30 }]);
    expect(files['synced-workouts']).toMatchObject([{ cause: 'asked', imported: 1 }]);
    const other = await under.as({ ...maya, userId: under.member().userId });
    const nothing = myDataSchema.parse((await other.get(myDataPath)).body).files;
    expect([nothing['imported-workouts'], nothing['synced-workouts']]).toEqual([[], []]);
  });

  test('[I12] go with an erased member, and the history too', async () => {
    under.strava.change(await under.connect(maya, 'strava'), maya.userId, {});
    await sync();
    const data = {
      userId: maya.userId,
      teamId: under.member().userId,
      wasActive: true,
      erasedAt: new Date().toISOString(),
    };
    const fact = { type: 'MemberErased', version: 1, orgId: maya.orgId, key: maya.orgId, data };
    await under.peer.publish(fact, fact);
    const left = `select (select count(*) from imported_workouts where org_id = $1)
      + (select count(*) from sync_runs where org_id = $1) as count`;
    await eventually(async () => expect(await under.rows(maya.orgId, left)).toEqual([{ count: 0 }]));
  });
});
