import { randomUUID } from '@caravan/contracts/testing/seeded';
import { RedisSessionCache } from '@caravan/auth/session-cache';
import { remoteSessions, SessionLiveness } from '@caravan/auth/session-liveness';
import {
  closeRedis,
  createRedis,
  createSubscriber,
  isRedisReady,
  type Redis,
} from '@caravan/service-kit/storage/redis';
import { ServiceCredential } from '@caravan/service-kit/http/service-credential';
import { type FillableRedis, startFillableRedis } from '@caravan/service-kit/testing/fillable-redis';
import { type MailServer, startMailServer } from '@caravan/service-kit/testing/mail-server';
import { ownBackground } from '@caravan/service-kit/testing/background';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { moveTo } from '../../testing/addresses.ts';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { confirm, mailTo, tokenIn } from '../../testing/mail.ts';
import { claimsOf, idOf, organisation } from '../../testing/organisations.ts';
import { newEmail, password, type Visitor } from '../../testing/visitor.ts';
import { AppModule } from '../app.module.ts';
import { handleAdminCommand } from '../operator/operator.service.ts';

let full: FillableRedis;
let server: MailServer;
let identity: IdentityUnderTest;
const open: Redis[] = [];
beforeAll(async () => {
  [full, server] = await Promise.all([startFillableRedis(), startMailServer()]);
  identity = await startIdentity({ REDIS_URL: full.url, SMTP_URL: server.url });
});
afterAll(async () => {
  await identity.close();
  await Promise.all([...open.map(closeRedis), server.close()]);
  await full.close();
});
beforeEach(() => full.drain());

/** The sessions as each other process of the installation knows them. */
async function anotherService() {
  const settings = { url: testServers().redis, prefix: identity.env.REDIS_PREFIX, name: 'another-service' };
  const redis = createRedis(settings);
  const subscriber = createSubscriber({ ...settings, background: ownBackground() });
  open.push(redis, subscriber);
  await Promise.all([isRedisReady(redis), isRedisReady(subscriber)]);
  const sessions = new SessionLiveness(
    new RedisSessionCache(redis, subscriber),
    remoteSessions(identity.url, new ServiceCredential(identity.env.SERVICE_CREDENTIAL)),
  );
  await sessions.listen();
  return {
    redis,
    accepts: (sessionId: string) =>
      sessions.assertLive(sessionId).then(
        () => true,
        () => false,
      ),
  };
}

const waiting = () => identity.rows('select from unannounced_session_ends');

async function ownerOf(fields: object = {}) {
  const email = newEmail();
  const visitor = await identity.signedIn({ email, ...fields });
  return { email, visitor };
}

/** Prepares one way to end the visitor's session; the answer ends it. */
type Way = () => Promise<{ readonly visitor: Visitor; readonly end: () => Promise<unknown> }>;

const ways: Readonly<Record<string, Way>> = {
  'a logout': async () => {
    const { visitor } = await ownerOf();
    return { visitor, end: () => visitor.copy().post('/api/logout', {}, { authorization: `Bearer ${visitor.token}` }) };
  },
  'an end from the list of own sessions': async () => {
    const { visitor, email } = await ownerOf();
    const other = identity.visitor();
    await other.login(email);
    return { visitor, end: () => other.call('DELETE', `/api/me/sessions/${claimsOf(visitor).sid}`) };
  },
  'a refresh token that comes twice': async () => {
    const { visitor } = await ownerOf();
    const thief = visitor.copy();
    await visitor.refresh();
    const { sid } = claimsOf(visitor);
    await identity.rows("update refresh_tokens set used_at = used_at - interval '1 minute' where session_id = $1", [
      sid,
    ]);
    return { visitor, end: () => thief.refresh() };
  },
  'a sign-in on an eleventh device': async () => {
    const { visitor, email } = await ownerOf();
    for (let device = 0; device < 9; device += 1) await identity.visitor().login(email);
    return { visitor, end: () => identity.visitor().login(email) };
  },
  'a new password': async () => {
    const { visitor, email } = await ownerOf();
    await identity.visitor().post('/api/forgot-password', { email });
    const token = tokenIn(await mailTo(server, email, 'Set a new password'));
    return {
      visitor,
      end: () => identity.visitor().post('/api/reset-password', { token, password: 'Gr0undhog&Teapot' }),
    };
  },
  'the way back to an old address': async () => {
    const { visitor, email } = await ownerOf();
    await confirm(server, visitor, email);
    const next = newEmail();
    await moveTo(visitor, next);
    await confirm(server, visitor, next);
    const token = tokenIn(await mailTo(server, email, 'was changed'));
    return { visitor, end: () => identity.visitor().post('/api/email/undo', { token }) };
  },
  'a change of role': async () => {
    const { admin, maya } = await organisation(identity);
    return { visitor: maya, end: () => admin.call('PATCH', `/api/members/${idOf(maya)}`, { role: 'admin' }) };
  },
  'a deactivation': async () => {
    const { admin, maya } = await organisation(identity);
    return { visitor: maya, end: () => admin.call('PATCH', `/api/members/${idOf(maya)}`, { isActive: false }) };
  },
  'an appointment by the operator': async () => {
    const { visitor, email } = await ownerOf();
    await identity.rows("update memberships set role = 'member' where user_id = $1", [idOf(visitor)]);
    const module = AppModule.forRoot(identity.env);
    return { visitor, end: () => handleAdminCommand(['--appoint-admin', email], { env: identity.env, module }) };
  },
  'an erasure': async () => {
    const { maya } = await organisation(identity);
    return { visitor: maya, end: () => maya.copy().call('DELETE', '/api/me', { password }, bearerOf(maya)) };
  },
  'the closing of an organisation': async () => {
    const { visitor } = await ownerOf({ organizationName: 'Acme' });
    return { visitor, end: () => visitor.copy().call('DELETE', '/api/me', { password }, bearerOf(visitor)) };
  },
};
const bearerOf = ({ token }: Visitor) => ({ authorization: `Bearer ${token}` });

describe('while Redis refuses writes', () => {
  test.each(Object.entries(ways))('[S04 S06 S42] %s ends the session everywhere', async (_, prepare) => {
    const { visitor, end } = await prepare();
    const { sid } = claimsOf(visitor);
    const listening = await anotherService();
    const late = await anotherService();
    expect(await listening.accepts(sid)).toBe(true);
    await expect.poll(() => listening.redis.get(`sid:${sid}`)).toBe('live');

    await full.fill();
    await end();
    await expect.poll(() => listening.accepts(sid), { interval: 25 }).toBe(false);
    // It has never heard of the session, and finds no state that says otherwise.
    expect(await late.accepts(sid)).toBe(false);
    expect((await visitor.get('/api/me')).status).toBe(401);
    expect(await waiting()).not.toEqual([]);

    await full.drain();
    await expect.poll(() => listening.redis.get(`sid:${sid}`), { interval: 25, timeout: 20_000 }).toBe('ended');
    await expect.poll(waiting, { interval: 25, timeout: 20_000 }).toEqual([]);
  });
});

describe('a process that is killed after the commit', () => {
  test('[S04 F02] leaves an end that another process announces', async () => {
    const { visitor } = await ownerOf();
    const { sid } = claimsOf(visitor);
    const other = await anotherService();
    expect(await other.accepts(sid)).toBe(true);
    await identity.rows(
      `with ended as (update sessions set ended_at = now(), end_reason = 'logout' where session_id = $1 returning 1)
        insert into unannounced_session_ends (session_id, ended_at) select $1, now() from ended`,
      [sid],
    );
    await expect.poll(() => other.accepts(sid), { interval: 25, timeout: 20_000 }).toBe(false);
    await expect.poll(waiting, { interval: 25, timeout: 20_000 }).toEqual([]);
  });

  test('[S04] an end is forgotten once no token of its session is good any more', async () => {
    const sid = randomUUID();
    await full.fill();
    await identity.rows("insert into unannounced_session_ends values ($1, now() - interval '66 minutes')", [sid]);
    await expect.poll(waiting, { interval: 25, timeout: 20_000 }).toEqual([]);
  });
});
