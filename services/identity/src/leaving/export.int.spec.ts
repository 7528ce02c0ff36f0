import { randomUUID } from '@caravan/contracts/testing/seeded';
import { exportStateSchema } from '@caravan/contracts/http/people';
import { eventually } from '@caravan/event-store/testing/eventually';
import { ObjectStorage, partBytes } from '@caravan/service-kit/storage/objects';
import { startMailServer } from '@caravan/service-kit/testing/mail-server';
import type { MailServer } from '@caravan/service-kit/testing/mail-server';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { confirm, mailTo } from '../../testing/mail.ts';
import { urlsOf, startPeerServices } from '../../testing/peer-services.ts';
import type { PeerServices } from '../../testing/peer-services.ts';
import { claimsOf, foundOrganisation, invite, toldOf } from '../../testing/organisations.ts';
import { unzip } from '@caravan/service-kit/testing/unzip';
import { newEmail } from '../../testing/visitor.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { CollectMyData, SweepExports } from './exports.job.ts';

let server: MailServer;
let peers: PeerServices;
let identity: IdentityUnderTest;
beforeAll(async () => {
  [server, peers] = await Promise.all([startMailServer(), startPeerServices()]);
  identity = await startIdentity({ SMTP_URL: server.url, ...urlsOf(peers) });
});
afterAll(async () => {
  await identity.close();
  await Promise.all([server.close(), peers.close()]);
});
afterEach(() => {
  peers.answers = [{ status: 200, files: {} }];
});

const stateOf = async (visitor: Visitor) =>
  exportStateSchema.strict().parse((await visitor.get('/api/me/export')).body);
const ready = (visitor: Visitor) =>
  eventually(async () => expect(await stateOf(visitor)).toMatchObject({ state: 'ready' }));
const fileOf = (visitor: Visitor) =>
  fetch(`${identity.url}/api/me/export/file`, { headers: { authorization: `Bearer ${visitor.token}` } });
const keyOf = async (visitor: Visitor) => {
  const { sub, org } = claimsOf(visitor);
  const [row] = await identity.rows<{ exportId: string }>('select export_id from exports where user_id = $1', [sub]);
  return `${org}/exports/${String(row?.exportId)}.zip`;
};
const objectAt = (key: string) => identity.app.get<ObjectStorage>(ObjectStorage).stat(key);

describe('an export', () => {
  test('[S18 D43] is asked for, built, mailed about, and downloaded by its owner', async () => {
    const email = newEmail();
    const maya = await identity.signedIn({ email, name: '=Maya' });
    await confirm(server, maya, email);
    expect(await stateOf(maya)).toEqual({ state: 'none', requestedAt: null, expiresAt: null, sizeBytes: null });
    expect((await fileOf(maya)).status).toBe(404);
    peers.answers = [{ status: 200, files: { movements: [{ miles: 3, caption: 'Walk' }] } }];
    const asked = await maya.post('/api/me/export');
    expect(asked.status).toBe(202);
    expect(exportStateSchema.strict().parse(asked.body)).toMatchObject({ state: 'building', sizeBytes: null });
    await ready(maya);
    const file = await fileOf(maya);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="caravan-data.zip"');
    expect(file.headers.get('content-type')).toBe('application/zip');
    expect(file.headers.get('cache-control')).toContain('no-store');
    const content = Buffer.from(await file.arrayBuffer());
    expect((await stateOf(maya)).sizeBytes).toBe(content.length);
    const files = unzip(content);
    expect(JSON.parse(files['account/account.json'] ?? '')).toMatchObject([{ email, name: '=Maya' }]);
    expect(files['account/account.csv']).toContain("'=Maya");
    for (const service of ['activity', 'scoring', 'social', 'integrations'])
      expect(JSON.parse(files[`${service}/movements.json`] ?? '')).toEqual([{ miles: 3, caption: 'Walk' }]);
    expect(Object.values(files).join()).not.toMatch(/argon2/);
    expect((await mailTo(server, email, 'Your data is ready')).links).toEqual(['http://127.0.0.1:8080/settings']);
    const { sub, org } = claimsOf(maya);
    expect(await toldOf(identity, org, 'ExportReady')).toEqual([
      { type: 'ExportReady', key: sub, data: { userId: sub, at: expect.any(String) } },
    ]);
  });

  test('[D54 S25] is begun twice a day, and mailed about to confirmed addresses only', async () => {
    const email = newEmail();
    const maya = await identity.signedIn({ email });
    for (let nth = 0; nth < 2; nth += 1) {
      expect((await maya.post('/api/me/export')).status).toBe(202);
      await ready(maya);
    }
    const refused = await maya.post('/api/me/export');
    expect(refused).toMatchObject({ status: 429, body: { code: 'export/too-many' } });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(86_000);
    expect(wait).toBeLessThanOrEqual(86_400);
    expect(await identity.rows('select from mails where recipient = $1', [email])).toEqual([]);
    expect(server.mails.filter(({ to, subject }) => to.includes(email) && subject.includes('data'))).toEqual([]);
    await identity.rows(
      "update exports set recent_requests = array(select a - interval '1 day' from unnest(recent_requests) a) where user_id = $1",
      [claimsOf(maya).sub],
    );
    expect((await maya.post('/api/me/export')).status).toBe(202);
    await ready(maya);
  });

  test('[S18] asks the other services as the person, with a token that opens nothing else', async () => {
    const maya = await identity.signedIn();
    peers.bearers.length = 0;
    await maya.post('/api/me/export');
    await ready(maya);
    expect(peers.bearers).toHaveLength(4);
    const { sub, org, sid } = claimsOf(maya);
    const [token = ''] = peers.bearers.map((bearer) => bearer.replace('Bearer ', ''));
    expect(decodeJwt(token)).toMatchObject({ sub, org, role: 'admin', errand: 'my-data' });
    expect(decodeJwt(token)['sid']).not.toBe(sid);
    const asErrand = { headers: { authorization: `Bearer ${token}` } };
    for (const path of ['/api/me', '/api/me/export', '/api/me/sessions', '/api/members'])
      expect((await fetch(`${identity.url}${path}`, asErrand)).status).toBe(401);
  });

  test('[S18] is seen and downloaded by nobody else', async () => {
    const { admin: maya, orgId } = await foundOrganisation(identity);
    const omar = await identity.signedIn({ invite: await invite(identity, orgId) });
    await maya.post('/api/me/export');
    await ready(maya);
    expect(await stateOf(omar)).toMatchObject({ state: 'none' });
    expect((await fileOf(omar)).status).toBe(404);
    expect((await fileOf(identity.visitor())).status).toBe(401);
  });

  test('waits for a service that is away', async () => {
    const maya = await identity.signedIn();
    peers.answers = [...Array<{ status: number }>(4).fill({ status: 503 }), { status: 200, files: {} }];
    await maya.post('/api/me/export');
    await eventually(() => expect(peers.answers).toHaveLength(1));
    expect(await stateOf(maya)).toMatchObject({ state: 'building' });
    await ready(maya);
  });

  test('that is being built is not begun again: everybody who asks hears the same', async () => {
    const maya = await identity.signedIn();
    peers.answers = [...Array<{ status: number }>(4).fill({ status: 503 }), { status: 200, files: {} }];
    const answers = await Promise.all(Array.from({ length: 20 }, () => maya.post('/api/me/export')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${String(body['requestedAt'])}`)).size).toBe(1);
    await ready(maya);
    expect((await stateOf(maya)).requestedAt).toBe(answers[0]?.body['requestedAt']);
  });

  test('asked for anew replaces the one before, whose file goes', async () => {
    const maya = await identity.signedIn();
    await maya.post('/api/me/export');
    await ready(maya);
    const first = await keyOf(maya);
    expect((await maya.post('/api/me/export')).body).toMatchObject({ state: 'building' });
    await ready(maya);
    expect(await keyOf(maya)).not.toBe(first);
    await identity.app.get(SweepExports).sweep();
    expect(await objectAt(first)).toBeNull();
    expect((await fileOf(maya)).status).toBe(200);
  });

  test('is gone after a day: not found at once, and removed by the sweep', async () => {
    const maya = await identity.signedIn();
    await maya.post('/api/me/export');
    await ready(maya);
    const key = await keyOf(maya);
    const { sub } = claimsOf(maya);
    const [row] = await identity.rows<{ hours: number }>(
      'select extract(epoch from expires_at - requested_at)::int / 3600 as hours from exports where user_id = $1',
      [sub],
    );
    expect(row?.hours).toBe(24);
    await identity.rows("update exports set expires_at = now() - interval '1 second' where user_id = $1", [sub]);
    expect((await fileOf(maya)).status).toBe(404);
    expect(await stateOf(maya)).toMatchObject({ state: 'none' });
    expect(await objectAt(key)).not.toBeNull();
    await identity.app.get(SweepExports).sweep();
    expect(await objectAt(key)).toBeNull();
    expect(await identity.rows('select from exports where user_id = $1', [sub])).toEqual([]);
  });

  test('whose job was lost is taken up again; one that cannot be built within an hour has failed', async () => {
    const maya = await identity.signedIn();
    const { sub, org } = claimsOf(maya);
    const lose = (age: string) =>
      identity.rows(
        `insert into exports (org_id, user_id, export_id, state, requested_at)
          values ($1, $2, gen_random_uuid(), 'building', now() - $3::interval)
          on conflict (org_id, user_id) do update set state = 'building', export_id = gen_random_uuid(),
            requested_at = excluded.requested_at, expires_at = null`,
        [org, sub, age],
      );
    await lose('2 minutes');
    await identity.app.get(SweepExports).sweep();
    await ready(maya);
    await lose('61 minutes');
    await identity.app.get(SweepExports).sweep();
    expect(await stateOf(maya)).toMatchObject({ state: 'failed', expiresAt: null });
    expect((await fileOf(maya)).status).toBe(404);
    expect((await maya.post('/api/me/export')).body).toMatchObject({ state: 'building' });
    await ready(maya);
  });

  test('that nobody wants any more leaves no file', async () => {
    const maya = await identity.signedIn();
    const { sub: userId, org: orgId } = claimsOf(maya);
    const exportId = randomUUID();
    await identity.app.get(CollectMyData).collect({ orgId, userId, exportId });
    expect(await objectAt(`${orgId}/exports/${exportId}.zip`)).toBeNull();
  });
});

test('[S35 D29] an export of more than one part has every picture whole, and says how large it is', async () => {
  const maya = await identity.signedIn();
  const { org } = claimsOf(maya);
  const objects = identity.app.get<ObjectStorage>(ObjectStorage);
  const texts = Array.from({ length: 5 }, (_, nth) => `picture ${nth}, `.repeat(300_000));
  const pictures = texts.map((_, nth) => ({ name: `pictures/${nth}.webp`, key: `photos/${org}/${nth}/1280.webp` }));
  for (const [nth, { key }] of pictures.entries()) await objects.put(key, Buffer.from(texts[nth] ?? ''), 'image/webp');
  const none = { status: 200, files: {} };
  peers.answers = [{ ...none, pictures }, none];
  await maya.post('/api/me/export');
  await ready(maya);
  const content = Buffer.from(await (await fileOf(maya)).arrayBuffer());
  expect(content.length).toBeGreaterThan(partBytes);
  expect((await stateOf(maya)).sizeBytes).toBe(content.length);
  const files = Object.entries(unzip(content)).filter(([path]) => path.endsWith('.webp'));
  expect(files.map(([path]) => path.replace(/^\w+\//, ''))).toEqual(pictures.map(({ name }) => name));
  expect(files.every(([, text], nth) => text === texts[nth])).toBe(true);
});

test('[S35 D29] an export has the pictures that services name, of the own organisation alone', async () => {
  const maya = await identity.signedIn();
  const { org } = claimsOf(maya);
  const objects = identity.app.get<ObjectStorage>(ObjectStorage);
  const there = `photos/${org}/a/1280.webp`;
  const gone = `photos/${org}/b/1280.webp`;
  const strange = 'photos/other/1280.webp';
  for (const key of [there, strange]) await objects.put(key, Buffer.from('a picture'), 'image/webp');
  const none = { status: 200, files: {} };
  const naming = (...keys: string[]) => {
    const pictures = keys.map((key, nth) => ({ name: `pictures/${nth}.webp`, key }));
    peers.answers = [{ ...none, pictures }, none];
  };
  naming(there, gone);
  await maya.post('/api/me/export');
  await ready(maya);
  const files = unzip(Buffer.from(await (await fileOf(maya)).arrayBuffer()));
  expect(Object.entries(files).filter(([path]) => path.endsWith('.webp'))).toEqual([
    [expect.stringMatching(/^\w+\/pictures\/0[.]webp$/), 'a picture'],
  ]);
  naming(strange);
  await maya.post('/api/me/export');
  await eventually(async () => expect(peers.answers).toHaveLength(1));
  expect(await stateOf(maya)).toMatchObject({ state: 'building' });
});

test('[D38] an export that could not be built does not count as one of the two of a day', async () => {
  const maya = await identity.signedIn();
  const { sub, org } = claimsOf(maya);
  for (let failed = 0; failed < 3; failed += 1) {
    await identity.rows(
      `insert into exports (org_id, user_id, export_id, state, requested_at, recent_requests)
        values ($1, $2, gen_random_uuid(), 'building', now() - interval '61 minutes', array[now() - interval '61 minutes'])
        on conflict (org_id, user_id) do update set state = 'building', export_id = gen_random_uuid(),
          requested_at = excluded.requested_at, expires_at = null, recent_requests = exports.recent_requests || excluded.recent_requests`,
      [org, sub],
    );
    await identity.app.get(SweepExports).sweep();
    expect(await stateOf(maya)).toMatchObject({ state: 'failed' });
  }
  for (let nth = 0; nth < 2; nth += 1) {
    expect((await maya.post('/api/me/export')).status).toBe(202);
    await ready(maya);
  }
  expect((await maya.post('/api/me/export')).status).toBe(429);
});

test('[S06] an export of somebody who was deactivated meanwhile is not built', async () => {
  const maya = await identity.signedIn();
  const { sub: userId, org: orgId } = claimsOf(maya);
  const exportId = randomUUID();
  await identity.rows('update memberships set is_active = false where user_id = $1', [userId]);
  await identity.rows(
    `insert into exports (org_id, user_id, export_id, state, requested_at) values ($1, $2, $3, 'building', now())`,
    [orgId, userId, exportId],
  );
  await identity.app.get(CollectMyData).collect({ orgId, userId, exportId });
  expect(await objectAt(`${orgId}/exports/${exportId}.zip`)).toBeNull();
  expect(await identity.rows('select state from exports where user_id = $1', [userId])).toEqual([
    { state: 'building' },
  ]);
});

test('[D32] an export is finished though every session of the person who asked has ended', async () => {
  const email = newEmail();
  const maya = await identity.signedIn({ email });
  const { sub } = claimsOf(maya);
  peers.answers = [{ status: 503 }];
  await maya.post('/api/me/export');
  await eventually(() => expect(peers.bearers.length).toBeGreaterThan(0));
  await maya.post('/api/logout', {});
  peers.answers = [{ status: 200, files: {} }];
  const isReady = `select from exports where user_id = $1 and state = 'ready'`;
  await eventually(async () => expect(await identity.rows(isReady, [sub])).toHaveLength(1));
});
