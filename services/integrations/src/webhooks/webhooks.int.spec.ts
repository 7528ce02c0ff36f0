import { eventually } from '@caravan/event-store/testing/eventually';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Notice, ProviderFailure } from '../providers/index.ts';
import { googleSecret, type ImportingUnderTest, type Member, startImporting } from '../testing/importing-under-test.ts';
import { deliveryOf, hoursAgo, stravaSecret } from '../testing/recording-platform.ts';
import { NoticeJobs } from './notices.job.ts';

let under: ImportingUnderTest;
let maya: Member;
let id: string;

beforeAll(async () => {
  under = await startImporting();
});
afterAll(() => under.close());
beforeEach(async () => {
  maya = under.member();
  id = await under.connect(maya, 'strava');
});
afterEach(() => {
  under.strava.interfere = () => undefined;
});

const strava = `/api/webhooks/strava/${stravaSecret}`;
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${under.url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
const deliver = async (...notices: readonly Notice[]) => {
  for (const notice of notices) expect((await post(strava, deliveryOf(notice))).status).toBe(200);
};
const get = async (path: string) => {
  const answer = await fetch(`${under.url}${path}`);
  return { status: answer.status, body: await answer.text() };
};
const logs = () => under.publishedOf(maya.orgId).logs;
const inbox = () =>
  under.rows<{ isDone: boolean }>(
    maya.orgId,
    'select handled_at is not null as is_done from webhook_inbox where org_id = $1',
  );
const allRead = () =>
  eventually(async () => {
    const rows = await inbox();
    expect(rows.length > 0 && rows.every(({ isDone }) => isDone)).toBe(true);
  });
const change = (externalId: string, one: Parameters<typeof under.strava.change>[2]) =>
  under.strava.change(id, `${maya.userId}-${externalId}`, one);

describe('[S33] a platform that asks whether deliveries are wanted', () => {
  const verifyEndpoint = (token: string, path = strava) =>
    get(`${path}?hub.mode=subscribe&hub.challenge=15f7d1a91c1f40f8a748fd134752feb3&hub.verify_token=${token}`);

  test('is answered where it shows the secret: Strava', async () => {
    const challenge = { 'hub.challenge': '15f7d1a91c1f40f8a748fd134752feb3' };
    expect(await verifyEndpoint(stravaSecret)).toEqual({ status: 200, body: JSON.stringify(challenge) });
    expect((await verifyEndpoint('guessed')).status).toBe(404);
    expect((await verifyEndpoint(stravaSecret, '/api/webhooks/strava/guessed')).status).toBe(404);
    expect((await get(strava)).status).toBe(404);
  });

  test('is answered where it shows the secret: Google, twice, once without', async () => {
    const verify = (headers: Record<string, string>) =>
      post('/api/webhooks/google-health', '{"type":"verification"}', headers).then(({ status }) => status);
    expect(await verify({ authorization: googleSecret })).toBe(201);
    expect([await verify({}), await verify({ authorization: 'guessed' })]).toEqual([401, 401]);
  });

  test('is answered where it shows the code: Fitbit', async () => {
    const statuses = ['?verify=as-agreed', '?verify=guessed', ''].map((query) => get(`/api/webhooks/fitbit${query}`));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([204, 404, 404]);
  });
});

describe('a delivery', () => {
  test('[S33] is kept and answered before anything is asked, and read a moment later', async () => {
    under.strava.calls.length = 0;
    await deliver(change('1', { activityType: 'Ride' }));
    expect([await inbox(), under.strava.calls]).toEqual([[{ isDone: false }], []]);
    await eventually(() => expect(logs()).toMatchObject([{ activityType: 'Ride', userId: maya.userId }]));
    await deliver(change('1', { durationMinutes: 44 }));
    await eventually(() => expect(logs()).toMatchObject([{ durationMinutes: 44, revision: 2 }]));
    await deliver(change('1', null));
    await eventually(() => expect(logs()).toEqual([]));
    const told = [{ removed: 1 }, { updated: 1 }, { imported: 1 }].map((one) => ({ cause: 'notice', ...one }));
    const reader = await under.as(maya);
    // Told before it is over.
    await eventually(async () => expect((await reader.get('/api/fitness/history')).body).toMatchObject(told));
  });

  test('[F08] that comes five times is read once', async () => {
    under.strava.calls.length = 0;
    const notices = [1, 2, 3].map((nth) => change(`${nth}`, { startedAt: hoursAgo(nth * 2) }));
    for (let times = 0; times < 5; times += 1) await deliver(...notices);
    await allRead();
    for (let times = 0; times < 5; times += 1) await deliver(...notices);
    await under.app.get<NoticeJobs>(NoticeJobs).sweepAt(new Date(Date.now() + 5_000));
    await eventually(() => expect(logs()).toHaveLength(3));
    expect(under.strava.calls).toHaveLength(3);
    expect(under.publishedOf(maya.orgId).facts).toHaveLength(3);
  });

  test('[S33 F08] that arrives with others is kept once beside them, and one that cannot be kept is refused alone', async () => {
    const notices = Array.from({ length: 30 }, (_, nth) => change(`${nth}`, { startedAt: hoursAgo(nth) }));
    const broken: Notice = { ...change('broken', {}), externalId: 'no\0text' } as Notice;
    const all = [...notices, broken, ...notices];
    const statuses = await Promise.all(all.map(async (one) => (await post(strava, deliveryOf(one))).status));
    expect(statuses.toSpliced(30, 1)).toEqual(Array.from({ length: 60 }, () => 200));
    expect(statuses[30]).toBeGreaterThanOrEqual(400);
    expect(await inbox()).toHaveLength(30);
    await allRead();
  });

  test('[F09] tells of what is so, whatever order they come in', async () => {
    const news = [1, 2, 3, 4].flatMap((nth) => [
      change(`${nth}`, { startedAt: hoursAgo(nth * 2) }),
      change(`${nth}`, { durationMinutes: 10 + nth }),
      ...(nth > 2 ? [change(`${nth}`, null)] : []),
    ]);
    await deliver(...news.toReversed(), ...news);
    await allRead();
    await eventually(() =>
      expect(
        logs()
          .map(({ durationMinutes }) => durationMinutes)
          .sort(),
      ).toEqual([11, 12]),
    );
  });

  test('[S33] that is forged is refused, and one about nobody here is dropped without a word', async () => {
    const body = deliveryOf(change('1', {}));
    expect((await post('/api/webhooks/strava/guessed', body)).status).toBe(404);
    expect((await post(strava, 'forged')).status).toBe(404);
    expect((await post(strava, '')).status).toBe(404);
    expect((await post('/api/webhooks/google-health', '["forged"]')).status).toBe(401);
    expect((await post('/api/webhooks/fitbit', '["forged"]')).status).toBe(404);
    expect((await post(strava, body, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(strava, deliveryOf(under.strava.change('nobody', '1', {})))).status).toBe(200);
    expect(await inbox()).toEqual([]);
  });

  test('[S33] that says falsely that something is gone changes nothing', async () => {
    await deliver(change('1', {}));
    await eventually(() => expect(logs()).toHaveLength(1));
    const externalId = `${maya.userId}-1`;
    const span = { from: null, to: null, at: new Date() };
    await deliver(
      { kind: 'deleted', providerUserId: id, externalId, ...span },
      { kind: 'revoked', providerUserId: id, at: new Date() },
    );
    await allRead();
    expect([logs().length, under.publishedOf(maya.orgId).facts.length]).toEqual([1, 1]);
    expect(await (await under.as(maya)).get('/api/fitness/status')).toMatchObject({
      body: { strava: { connected: true } },
    });
  });

  test('of Google names a time only: what is there is fetched, and what is no longer goes', async () => {
    const onFitbit = await under.connect(maya, 'fitbit');
    const externalIdOf = (nth: number) => `${maya.userId}-${nth}`;
    for (const nth of [1, 2]) under.fitbit.change(onFitbit, externalIdOf(nth), { startedAt: hoursAgo(nth * 2) });
    const at = new Date();
    const notice: Notice = {
      kind: 'changed',
      providerUserId: onFitbit,
      externalId: null,
      from: hoursAgo(10),
      to: hoursAgo(1),
      at,
    };
    expect((await post('/api/webhooks/google-health', deliveryOf(notice))).status).toBe(204);
    await eventually(() => expect(logs()).toMatchObject([{ source: 'fitbit' }, { audience: 'organisation' }]));
    under.fitbit.change(onFitbit, externalIdOf(2), null);
    const later: Notice = { ...notice, kind: 'deleted', at: new Date(at.getTime() + 1) };
    expect((await post('/api/webhooks/google-health', deliveryOf(later))).status).toBe(204);
    await eventually(() => expect(logs()).toHaveLength(1));
  });

  test('[F11] waits for a platform that is away', async () => {
    let isAway = true;
    under.strava.interfere = () => {
      if (isAway) throw new ProviderFailure('unreachable', 'away', 1);
    };
    under.strava.calls.length = 0;
    await deliver(change('1', {}));
    await eventually(() => expect(under.strava.calls).not.toEqual([]));
    await eventually(async () =>
      expect(await under.rows(maya.orgId, 'select leased_until from webhook_inbox where org_id = $1')).toEqual([
        { leasedUntil: null },
      ]),
    );
    isAway = false;
    await under.hurry(maya);
    await under.app.get<NoticeJobs>(NoticeJobs).sweepAt(new Date(Date.now() + 2_000));
    await eventually(() => expect(logs()).toHaveLength(1));
  });
});

test('[D21] what was imported from Strava goes when its member ends it there, and the account with it', async () => {
  await deliver(change('1', {}), change('2', { startedAt: hoursAgo(9) }));
  await eventually(() => expect(logs()).toHaveLength(2));
  await deliver(under.strava.revokedBy(id));
  await eventually(() => expect(logs()).toEqual([]));
  await eventually(async () =>
    expect(await under.rows(maya.orgId, 'select from provider_accounts where org_id = $1')).toEqual([]),
  );
  expect(under.publishedOf(maya.orgId).facts.at(-1)).toMatchObject({ data: { why: 'disconnected' } });
});

test('[D21] an account that was to be connected anew ends likewise', async () => {
  await deliver(change('1', {}));
  await eventually(() => expect(logs()).toHaveLength(1));
  await under.refuseTokens(maya);
  await deliver(under.strava.revokedBy(id));
  await eventually(() => expect(logs()).toEqual([]));
});

test('[S33] more than 200 notices of one account in an hour are looked at together when it is over', async () => {
  under.strava.calls.length = 0;
  const notices = Array.from({ length: 205 }, (_, nth) => change(`${nth % 20}`, { startedAt: hoursAgo(nth % 20) }));
  for (const notice of notices) await deliver(notice);
  const rows = await under.rows<{ count: number; isSpan: boolean }>(
    maya.orgId,
    'select external_id is null as is_span, count(*) as count from webhook_inbox where org_id = $1 group by 1 order by 1',
  );
  expect(rows).toEqual([
    { isSpan: false, count: 200 },
    { isSpan: true, count: 1 },
  ]);
});

test('operators see what waits and since when nothing came', async () => {
  await deliver(change('1', {}));
  const body = await under.app.get<Metrics>(Metrics).registry.metrics();
  for (const name of ['inbox_notices', 'inbox_age_seconds', 'newest_age_seconds', 'notices_total'])
    expect(body).toMatch(new RegExp(`caravan_webhook_${name}\\{[^}]*provider="strava"`));
  expect(body).toContain('caravan_sync_late_seconds');
});

test('[S18] no row of one organisation is visible to another', async () => {
  await deliver(change('1', {}));
  await eventually(() => expect(logs()).toHaveLength(1));
  const { unguarded, leaking, proven } = await tenancyOf(under.pool, under.member().orgId);
  expect([unguarded, leaking]).toEqual([[], []]);
  expect(proven).toEqual(expect.arrayContaining(['imported_workouts', 'sync_runs', 'webhook_inbox']));
});
