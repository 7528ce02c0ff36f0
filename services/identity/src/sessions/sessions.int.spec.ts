import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { Redis } from '@caravan/service-kit/storage/redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { age, claimsOf } from '../../testing/organisations.ts';
import { newEmail, type Visitor } from '../../testing/visitor.ts';
import { DeleteEndedSessions } from './delete-ended-sessions.job.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const sidOf = (visitor: Visitor) => claimsOf(visitor).sid;

describe('a cookie', () => {
  test('[S09] authorises neither reading nor writing', async () => {
    const maya = await identity.signedIn();
    maya.token = undefined;
    expect((await maya.get('/api/me')).status).toBe(401);
    expect((await maya.call('PATCH', '/api/me/activity-level', { activityLevel: 'active' })).status).toBe(401);
  });

  test('[S09] from a foreign page neither refreshes nor logs out, and stays good', async () => {
    const maya = await identity.signedIn();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const attacker = maya.copy();
      expect((await attacker.refresh(headers)).status).toBe(401);
      expect((await attacker.post('/api/logout', {}, headers)).status).toBe(401);
    }
    expect((await maya.refresh({ origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await maya.get('/api/me')).status).toBe(200);
  });

  test.each([
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['plain text', '{}', { 'content-type': 'text/plain' }, 415],
    ['no body', undefined, {}, 400],
    ['something that is not JSON', '{', {}, 400],
  ])('[S09 D38] sent with %s does nothing', async (_, body, headers, status) => {
    const maya = await identity.signedIn();
    for (const path of ['/api/auth/refresh', '/api/logout']) {
      expect((await maya.copy().call('POST', path, body, headers)).status).toBe(status);
    }
    expect((await maya.refresh()).status).toBe(200);
  });
});

describe('logging out', () => {
  test('[S04 D31] by token ends token and cookie at once, everywhere', async () => {
    const maya = await identity.signedIn();
    expect((await maya.get('/api/me')).status).toBe(200);
    const copy = maya.copy();
    maya.cookie = undefined;
    expect(await maya.post('/api/logout')).toMatchObject({ status: 200, body: { loggedOut: true } });
    expect(await maya.get('/api/me')).toMatchObject({ status: 401, body: { code: 'auth/session-ended' } });
    expect((await copy.refresh()).status).toBe(401);
    expect((await identity.visitor().get(`/internal/sessions/${sidOf(maya)}`)).body).toEqual({ state: 'ended' });
  });

  test('[S04 D31] by cookie alone does the same, and takes the cookie back', async () => {
    const maya = await identity.signedIn();
    const answer = await maya.copy().post('/api/logout');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(/^rt=; .*Expires=Thu, 01 Jan 1970/);
    expect((await maya.get('/api/me')).status).toBe(401);
  });

  test('[S04] leaves the person’s other sessions alone', async () => {
    const email = newEmail();
    const phone = await identity.signedIn({ email });
    const laptop = identity.visitor();
    await laptop.login(email);
    await phone.post('/api/logout');
    expect((await laptop.get('/api/me')).status).toBe(200);
    expect((await laptop.refresh()).status).toBe(200);
  });

  test('[S04] twice is logged out', async () => {
    const maya = await identity.signedIn();
    expect((await maya.post('/api/logout')).status).toBe(200);
    expect((await maya.post('/api/logout')).status).toBe(200);
  });

  test('[S01] without any proof is refused', async () => {
    expect(await identity.visitor().post('/api/logout')).toMatchObject({ status: 401, body: { code: 'session/none' } });
    const forger = identity.visitor();
    forger.token = 'eyJhbGciOiJub25lIn0.e30.';
    expect((await forger.post('/api/logout')).status).toBe(401);
  });

  test('[S04] while Redis says otherwise: what ended is announced again when Redis is back', async () => {
    const maya = await identity.signedIn();
    const redis = identity.app.get<Redis>(Redis);
    await maya.post('/api/logout');
    await redis.set(`sid:${sidOf(maya)}`, 'live');
    redis.disconnect(true);
    await eventually(async () => expect(await redis.get(`sid:${sidOf(maya)}`)).toBe('ended'));
  });
});

describe('sessions', () => {
  test('[F05] survive that Redis forgets everything', async () => {
    const maya = await identity.signedIn();
    const redis = identity.app.get<Redis>(Redis);
    await redis.del(`sid:${sidOf(maya)}`);
    expect((await maya.get('/api/me')).status).toBe(200);
    expect(await redis.get(`sid:${sidOf(maya)}`)).toBe('live');
  });

  test('[S07] are ten at most: the one unseen for longest ends', async () => {
    const email = newEmail();
    const first = await identity.signedIn({ email });
    const devices: Visitor[] = [];
    for (let device = 0; device < 9; device += 1) {
      const one = identity.visitor();
      await one.login(email);
      devices.push(one);
    }
    expect((await first.refresh()).status).toBe(200);
    await identity.visitor().login(email);
    expect((await first.get('/api/me')).status).toBe(200);
    expect((await devices[0]?.get('/api/me'))?.status).toBe(401);
    expect((await devices[1]?.get('/api/me'))?.status).toBe(200);
  });

  test.each([
    ['an unknown one', `/internal/sessions/${randomUUID()}`, 200, { state: 'ended' }],
    ['a name that is no id', '/internal/sessions/abc', 404, {}],
  ])('[S04] asked about by another process: %s', async (_, path, status, body) => {
    expect(await identity.visitor().get(path)).toMatchObject({ status, body });
  });

  test('[S39] are told to processes of the instance only', async () => {
    const maya = await identity.signedIn();
    const stranger = await fetch(`${identity.url}/internal/sessions/${sidOf(maya)}`, {
      headers: { authorization: `Bearer ${maya.token}` },
    });
    expect([stranger.status, await stranger.text()]).toEqual([401, expect.not.stringContaining('live')]);
  });

  test('[S05] that are over are forgotten after a day, with their tokens', async () => {
    const ended = await identity.signedIn();
    const expired = await identity.signedIn();
    const live = await identity.signedIn();
    await identity.rows("update sessions set ended_at = now() - interval '25 hours' where session_id = $1", [
      sidOf(ended),
    ]);
    await age(identity, sidOf(expired), '31 days 1 hour');
    await identity.app.get(DeleteEndedSessions).forget();
    const left = await identity.rows<{ sessionId: string }>(
      'select session_id from sessions where session_id = any($1)',
      [[ended, expired, live].map(sidOf)],
    );
    expect(left.map((row) => row.sessionId)).toEqual([sidOf(live)]);
    expect(await identity.rows('select from refresh_tokens where session_id = $1', [sidOf(ended)])).toEqual([]);
  });
});
