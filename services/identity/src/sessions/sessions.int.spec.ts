import { randomUUID } from 'node:crypto';
import { sessionAnswerSchema } from '@caravan/contracts/http/accounts';
import { withSystem } from '@caravan/event-store/postgres';
import { Redis } from '@caravan/service-kit/redis';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import { newEmail, Visitor } from '../../testing/visitor.ts';
import { ForgetEndedSessions } from './forget-ended-sessions.job.ts';

let identity: Awaited<ReturnType<typeof startIdentity>>;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const visitor = () => new Visitor(identity.url);
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await withSystem(identity.pool, (tx) => tx.query<Row>(text, values))).rows;
const sidOf = (visitor: Visitor) => String(decodeJwt(visitor.token ?? '')['sid']);
const leaves = (sid: string) => rows('select from refresh_tokens where session_id = $1 and used_at is null', [sid]);

async function signedIn(fields: object = {}): Promise<Visitor> {
  const person = visitor();
  expect((await person.signUp(fields)).status).toBe(200);
  return person;
}

/** As if everything of a session had happened that much earlier. */
async function age(sid: string, interval: string) {
  await rows(
    `update sessions set created_at = created_at - $2::interval, last_seen_at = last_seen_at - $2::interval,
      idle_at = idle_at - $2::interval, expires_at = expires_at - $2::interval where session_id = $1`,
    [sid, interval],
  );
  await rows('update refresh_tokens set used_at = used_at - $2::interval where session_id = $1', [sid, interval]);
}

/** Another browser that holds a copy of a cookie. */
function copyOf({ cookie }: Visitor): Visitor {
  const copy = visitor();
  copy.cookie = cookie;
  return copy;
}

describe('refreshing', () => {
  test('[D31 D39] answers a new token and the user for the cookie, in the same session', async () => {
    const maya = await signedIn();
    const [before, cookie] = [maya.token, maya.cookie];
    const answer = await maya.refresh();
    expect(answer.status).toBe(200);
    expect(sessionAnswerSchema.strict().parse(answer.body).user.name).toBe('Maya Okafor');
    expect(maya.token).not.toBe(before);
    expect(maya.cookie).not.toBe(cookie);
    expect(decodeJwt(maya.token ?? '')['sid']).toBe(decodeJwt(before ?? '')['sid']);
    expect((await maya.get('/api/me')).status).toBe(200);
  });

  test('[S05] keeps only hashes of tokens', async () => {
    const maya = await signedIn();
    const secret = maya.cookie?.split('.')[1] ?? '';
    const stored = await rows("select encode(token_hash, 'escape') as hash, * from refresh_tokens");
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(secret).toHaveLength(43);
  });

  test('[S05] a cookie works once: used again after the grace it ends the session for everybody', async () => {
    const maya = await signedIn();
    const thief = copyOf(maya);
    expect((await maya.refresh()).status).toBe(200);
    await rows("update refresh_tokens set used_at = used_at - interval '11 s' where session_id = $1", [sidOf(maya)]);
    const stolen = await thief.refresh();
    expect(stolen).toMatchObject({ status: 401, body: { code: 'session/no-refresh' } });
    expect(stolen.headers.get('set-cookie')).toMatch(/^rt=; /);
    expect((await maya.get('/api/me')).status).toBe(401);
    expect((await maya.refresh()).status).toBe(401);
    expect(await rows('select end_reason from sessions where session_id = $1', [sidOf(maya)])).toEqual([
      { end_reason: 'reuse' },
    ]);
  });

  test('[S05] a grandparent has no grace, however fresh', async () => {
    const maya = await signedIn();
    const thief = copyOf(maya);
    await maya.refresh();
    await maya.refresh();
    expect((await thief.refresh()).status).toBe(401);
    expect((await maya.refresh()).status).toBe(401);
  });

  test('[S05] a token that came of a reused one is as dead', async () => {
    const maya = await signedIn();
    const thief = copyOf(maya);
    await maya.refresh();
    const descendant = copyOf(maya);
    await age(sidOf(maya), '11 s');
    await thief.refresh();
    expect((await descendant.refresh()).status).toBe(401);
  });

  test('[S05] a lost answer is given again: the same cookie within ten seconds', async () => {
    const maya = await signedIn();
    const retry = copyOf(maya);
    await maya.refresh();
    expect((await retry.refresh()).status).toBe(200);
    expect(retry.cookie).toBe(maya.cookie);
    expect((await retry.refresh()).status).toBe(200);
  });

  test('[S05] twenty at once all get in and leave one leaf', async () => {
    const maya = await signedIn();
    const tabs = Array.from({ length: 20 }, () => copyOf(maya));
    const answers = await Promise.all(tabs.map((tab) => tab.refresh()));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    expect(new Set(tabs.map(({ cookie }) => cookie)).size).toBe(1);
    expect(await leaves(sidOf(maya))).toHaveLength(1);
    expect((await (tabs[0] ?? maya).refresh()).status).toBe(200);
  });

  test.each([
    ['a week of silence', '7 days 1 second'],
    ['thirty days', '30 days 1 second'],
  ])('[S05] ends after %s', async (_, interval) => {
    const maya = await signedIn();
    await age(sidOf(maya), interval);
    expect((await maya.refresh()).status).toBe(401);
  });

  test('[S05] goes on through the thirty days and not beyond', async () => {
    const maya = await signedIn();
    for (let week = 0; week < 4; week += 1) {
      await age(sidOf(maya), '6 days 23 hours');
      expect((await maya.refresh()).status).toBe(200);
    }
    await age(sidOf(maya), '2 days 5 hours');
    expect((await maya.refresh()).status).toBe(401);
  });

  test('[D3] tells the role that the database holds now', async () => {
    const maya = await signedIn();
    await rows("update memberships set role = 'member' where user_id = $1", [decodeJwt(maya.token ?? '').sub]);
    expect((await maya.refresh()).body['user']).toMatchObject({ role: 'member' });
    expect(decodeJwt(maya.token ?? '')['role']).toBe('member');
  });

  test('[S06] is refused to somebody who was deactivated', async () => {
    const maya = await signedIn();
    await rows('update memberships set is_active = false where user_id = $1', [decodeJwt(maya.token ?? '').sub]);
    expect((await maya.refresh()).status).toBe(401);
  });

  test.each([
    ['no cookie', undefined],
    ['an empty one', 'rt='],
    ['nonsense', 'rt=nonsense'],
    ['a token of the right form', `rt=${randomUUID()}.${'a'.repeat(43)}`],
    ['an injection', `rt=${randomUUID()}' or '1'='1.${'a'.repeat(43)}`],
    ['a system scope', `rt=system.${'a'.repeat(43)}`],
    ['100 KB', `rt=${'a'.repeat(10_000)}`],
  ])('[S05] is refused with %s', async (_, cookie) => {
    const nobody = visitor();
    nobody.cookie = cookie;
    expect((await nobody.refresh()).status).toBe(401);
  });

  test('[S05 S18] a secret under another organisation’s id is nobody’s', async () => {
    const [maya, other] = [await signedIn(), await signedIn()];
    const forger = visitor();
    forger.cookie = `${other.cookie?.split('.')[0] ?? ''}.${maya.cookie?.split('.')[1] ?? ''}`;
    expect((await forger.refresh()).status).toBe(401);
    expect((await maya.refresh()).status).toBe(200);
  });
});

describe('a cookie', () => {
  test('[S09] authorises neither reading nor writing', async () => {
    const maya = await signedIn();
    maya.token = undefined;
    expect((await maya.get('/api/me')).status).toBe(401);
    expect((await maya.call('PATCH', '/api/me/activity-level', { activityLevel: 'active' })).status).toBe(401);
  });

  test('[S09] from a foreign page neither refreshes nor logs out, and stays good', async () => {
    const maya = await signedIn();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const attacker = copyOf(maya);
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
    const maya = await signedIn();
    for (const path of ['/api/auth/refresh', '/api/logout']) {
      expect((await copyOf(maya).call('POST', path, body, headers)).status).toBe(status);
    }
    expect((await maya.refresh()).status).toBe(200);
  });
});

describe('logging out', () => {
  test('[S04 D31] by token ends token and cookie at once, everywhere', async () => {
    const maya = await signedIn();
    expect((await maya.get('/api/me')).status).toBe(200);
    const copy = copyOf(maya);
    maya.cookie = undefined;
    expect(await maya.post('/api/logout')).toMatchObject({ status: 200, body: { loggedOut: true } });
    expect(await maya.get('/api/me')).toMatchObject({ status: 401, body: { code: 'auth/session-ended' } });
    expect((await copy.refresh()).status).toBe(401);
    const [{ state } = { state: '' }] = [(await visitor().get(`/internal/sessions/${sidOf(maya)}`)).body];
    expect(state).toBe('ended');
  });

  test('[S04 D31] by cookie alone does the same, and takes the cookie back', async () => {
    const maya = await signedIn();
    const answer = await copyOf(maya).post('/api/logout');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(/^rt=; .*Expires=Thu, 01 Jan 1970/);
    expect((await maya.get('/api/me')).status).toBe(401);
  });

  test('[S04] leaves the person’s other sessions alone', async () => {
    const email = newEmail();
    const phone = await signedIn({ email });
    const laptop = visitor();
    await laptop.login(email);
    await phone.post('/api/logout');
    expect((await laptop.get('/api/me')).status).toBe(200);
    expect((await laptop.refresh()).status).toBe(200);
  });

  test('[S04] twice is logged out', async () => {
    const maya = await signedIn();
    expect((await maya.post('/api/logout')).status).toBe(200);
    expect((await maya.post('/api/logout')).status).toBe(200);
  });

  test('[S01] without any proof is refused', async () => {
    expect(await visitor().post('/api/logout')).toMatchObject({ status: 401, body: { code: 'session/none' } });
    const forger = visitor();
    forger.token = 'eyJhbGciOiJub25lIn0.e30.';
    expect((await forger.post('/api/logout')).status).toBe(401);
  });

  test('[S04] while Redis says otherwise: what ended is announced again when Redis is back', async () => {
    const maya = await signedIn();
    const redis = identity.app.get<Redis>(Redis);
    await maya.post('/api/logout');
    await redis.set(`sid:${sidOf(maya)}`, 'live');
    redis.disconnect(true);
    await vi.waitFor(async () => expect(await redis.get(`sid:${sidOf(maya)}`)).toBe('ended'), 5_000);
  });
});

describe('sessions', () => {
  test('[F05] survive that Redis forgets everything', async () => {
    const maya = await signedIn();
    const redis = identity.app.get<Redis>(Redis);
    await redis.del(`sid:${sidOf(maya)}`);
    expect((await maya.get('/api/me')).status).toBe(200);
    expect(await redis.get(`sid:${sidOf(maya)}`)).toBe('live');
  });

  test('[S07] are ten at most: the one unseen for longest ends', async () => {
    const email = newEmail();
    const first = await signedIn({ email });
    const devices: Visitor[] = [];
    for (let device = 0; device < 9; device += 1) {
      const one = visitor();
      await one.login(email);
      devices.push(one);
    }
    expect((await first.refresh()).status).toBe(200);
    await visitor().login(email);
    expect((await first.get('/api/me')).status).toBe(200);
    expect((await devices[0]?.get('/api/me'))?.status).toBe(401);
    expect((await devices[1]?.get('/api/me'))?.status).toBe(200);
  });

  test.each([
    ['an unknown one', `/internal/sessions/${randomUUID()}`, 200, { state: 'ended' }],
    ['a name that is no id', '/internal/sessions/abc', 404, {}],
  ])('[S04] asked about by another process: %s', async (_, path, status, body) => {
    expect(await visitor().get(path)).toMatchObject({ status, body });
  });

  test('[S05] that are over are forgotten after a day, with their tokens', async () => {
    const [ended, expired, live] = [await signedIn(), await signedIn(), await signedIn()];
    await rows("update sessions set ended_at = now() - interval '25 hours' where session_id = $1", [sidOf(ended)]);
    await age(sidOf(expired), '31 days 1 hour');
    await identity.app.get(ForgetEndedSessions).forget();
    const left = await rows<{ session_id: string }>('select session_id from sessions where session_id = any($1)', [
      [ended, expired, live].map(sidOf),
    ]);
    expect(left.map((row) => row.session_id)).toEqual([sidOf(live)]);
    expect(await rows('select from refresh_tokens where session_id = $1', [sidOf(ended)])).toEqual([]);
  });
});
