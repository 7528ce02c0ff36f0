import { randomUUID } from '@caravan/contracts/testing/seeded';
import { memberErased } from '@caravan/contracts/events/identity.events';
import { eventually } from '@caravan/event-store/testing/eventually';
import { ObjectStorage } from '@caravan/service-kit/storage/objects';
import { Redis } from '@caravan/service-kit/storage/redis';
import { startMailServer } from '@caravan/service-kit/testing/mail-server';
import type { MailServer } from '@caravan/service-kit/testing/mail-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { confirm, mailTo } from '../../testing/mail.ts';
import { urlsOf, startPeerServices } from '../../testing/peer-services.ts';
import type { PeerServices } from '../../testing/peer-services.ts';
import { claimsOf, counts, foundOrganisation, invite } from '../../testing/organisations.ts';
import { newEmail, password } from '../../testing/visitor.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { SweepExports } from './exports.job.ts';

let server: MailServer;
let peers: PeerServices;
let identity: IdentityUnderTest;
beforeAll(async () => {
  [server, peers] = await Promise.all([startMailServer(), startPeerServices()]);
  identity = await startIdentity({ SMTP_URL: server.url, ...urlsOf(peers), FAILURES_PER_ADDRESS: '100000' });
});
afterAll(async () => {
  await identity.close();
  await Promise.all([server.close(), peers.close()]);
});

const erase = (visitor: Visitor, secret: unknown = password) => visitor.call('DELETE', '/api/me', { password: secret });

/** An organisation with an admin and a member. */
async function two() {
  const { admin, orgId } = await foundOrganisation(identity);
  const email = newEmail();
  const name = `Canary-${randomUUID()}`;
  const member = await identity.signedIn({ name, email, invite: await invite(identity, orgId) });
  await confirm(server, member, email);
  return { admin, member, email, name, orgId, userId: claimsOf(member).sub };
}

describe('erasing one’s account', () => {
  test('[D43 S06] ends every session at once and frees the address; a farewell is the last mail', async () => {
    const { member, email, userId } = await two();
    const laptop = identity.visitor();
    await laptop.login(email);
    const answer = await erase(member);
    expect(answer).toMatchObject({ status: 200, body: { erased: true } });
    expect(answer.headers.get('set-cookie')).toMatch(/^rt=; .*Expires=Thu, 01 Jan 1970/);
    for (const device of [member, laptop]) {
      expect(await device.get('/api/me')).toMatchObject({ status: 401, body: { code: 'auth/session-ended' } });
      expect((await device.refresh()).status).toBe(401);
      expect((await erase(device)).status).toBe(401);
    }
    expect(await identity.visitor().login(email)).toMatchObject({
      status: 401,
      body: { message: 'Invalid credentials' },
    });
    await mailTo(server, email, 'Your account is erased');
    await eventually(async () =>
      expect(await identity.rows('select from mails where recipient = $1', [email])).toEqual([]),
    );
    const again = identity.visitor();
    expect((await again.signUp({ email })).status).toBe(200);
    expect(claimsOf(again).sub).not.toBe(userId);
  });

  test('[D43] leaves nothing personal in any table; only the fact that somebody left', async () => {
    const { admin, member, email, name, orgId, userId } = await two();
    await member.post('/api/me/export');
    await eventually(async () => expect((await member.get('/api/me/export')).body).toMatchObject({ state: 'ready' }));
    await identity.rows('insert into follows values ($1, $2, $3, now()), ($1, $3, $2, now())', [
      orgId,
      userId,
      claimsOf(admin).sub,
    ]);
    await member.post('/api/forgot-password', { email });
    expect((await erase(member)).status).toBe(200);
    await mailTo(server, email, 'Your account is erased');
    const tables = await identity.rows<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
        where table_schema in ('public', 'es') and table_type = 'BASE TABLE' and table_name <> 'outbox'`,
    );
    await eventually(async () => {
      for (const { name: table } of tables) {
        const found = await identity.rows(`select from ${table} t where t::text like any($1)`, [
          [`%${name}%`, `%${email}%`],
        ]);
        expect(found, table).toEqual([]);
      }
    });
    const rows = await identity.rows<{ table: string }>(
      `select 'persons' as table from persons where user_id = $1 union all
        select 'credentials' from credentials where user_id = $1 union all
        select 'sessions' from sessions where user_id = $1 union all
        select 'password_resets' from password_resets where user_id = $1 union all
        select 'exports' from exports where user_id = $1 union all
        select 'follows' from follows where $1 in (follower_id, followee_id) union all
        select 'memberships' from memberships where user_id = $1 and is_active`,
      [userId],
    );
    expect(rows).toEqual([]);
    const [fact] = await identity.rows<{ data: unknown }>(
      "select data from es.events where org_id = $1 and type = 'MemberErased'",
      [orgId],
    );
    expect(memberErased.data.parse(fact?.data)).toMatchObject({ userId, wasActive: true });
  });

  test('removes the file of an export from the object store', async () => {
    const { member, orgId, userId } = await two();
    await member.post('/api/me/export');
    await eventually(async () => expect((await member.get('/api/me/export')).body).toMatchObject({ state: 'ready' }));
    const [row] = await identity.rows<{ id: string }>('select export_id as id from exports where user_id = $1', [
      userId,
    ]);
    const key = `${orgId}/exports/${String(row?.id)}.zip`;
    const objects = identity.app.get<ObjectStorage>(ObjectStorage);
    expect(await objects.stat(key)).not.toBeNull();
    expect((await erase(member)).status).toBe(200);
    expect(await objects.stat(key)).toBeNull();
    expect(await identity.rows('select from discarded_objects where object_key = $1', [key])).toEqual([]);
  });

  test('[D2] takes the member out of the count of the team', async () => {
    const { member, orgId } = await two();
    const active = async () => {
      const rows = await identity.rows<{ sum: number }>(
        'select sum(active_members)::int as sum from team_rosters where org_id = $1',
        [orgId],
      );
      return rows[0]?.sum;
    };
    expect(await active()).toBe(2);
    expect((await erase(member)).status).toBe(200);
    expect(await active()).toBe(1);
  });
});

describe('an account is not erased', () => {
  test('[D43] with a wrong password: 422, and nothing is lost', async () => {
    const { member } = await two();
    const before = await counts(identity);
    expect(await erase(member, 'Wrong-2026!')).toMatchObject({
      status: 422,
      body: { code: 'me/wrong-password', errors: [{ path: 'password', message: 'The password is wrong.' }] },
    });
    expect(await counts(identity)).toEqual(before);
    expect((await member.get('/api/me')).status).toBe(200);
  });

  test('[S15] guesses count like failed sign-ins: 429 after ten, the right one too', async () => {
    const { member, email } = await two();
    for (let guess = 0; guess < 5; guess += 1) expect((await erase(member, `Wrong-${guess}!`)).status).toBe(422);
    for (let guess = 0; guess < 5; guess += 1) await identity.visitor().login(email, `Wrong-${guess}!`);
    const answer = await erase(member);
    expect(answer).toMatchObject({ status: 429, body: { code: 'auth/too-many-attempts' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await member.get('/api/me')).status).toBe(200);
  });

  test.each([
    ['no password', {}],
    ['an empty password', { password: '' }],
    ['a password that is an object', { password: { $ne: '' } }],
  ])('[D38] with %s is refused with 422', async (_, body) => {
    const maya = await identity.signedIn();
    expect(await maya.call('DELETE', '/api/me', body)).toMatchObject({
      status: 422,
      body: { message: 'Password is required' },
    });
    expect((await maya.get('/api/me')).status).toBe(200);
  });

  test('[D3] the last admin of others appoints another first; alone they may go', async () => {
    const { admin, member } = await two();
    expect(await erase(admin)).toMatchObject({ status: 422, body: { message: 'Appoint another admin first.' } });
    expect((await admin.get('/api/me')).status).toBe(200);
    expect((await erase(member)).status).toBe(200);
    expect((await erase(admin)).status).toBe(200);
  });
});

describe('an erasure', () => {
  test('[D38] twenty times at once happens once', async () => {
    const { member, orgId } = await two();
    await identity.warm();
    const answers = await Promise.all(Array.from({ length: 20 }, () => erase(member)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
    expect(
      await identity.rows("select from es.events where org_id = $1 and type = 'MemberErased'", [orgId]),
    ).toHaveLength(1);
  });

  test('[S04] while Redis says otherwise: the sessions are announced as ended again when Redis is back', async () => {
    const { member } = await two();
    const { sid } = claimsOf(member);
    const redis = identity.app.get<Redis>(Redis);
    expect((await erase(member)).status).toBe(200);
    await redis.set(`sid:${sid}`, 'live');
    redis.disconnect(true);
    await eventually(async () => expect(await redis.get(`sid:${sid}`)).toBe('ended'));
    await identity.rows("update erased_sessions set erased_at = now() - interval '66 minutes' where session_id = $1", [
      sid,
    ]);
    await identity.app.get(SweepExports).sweep();
    expect(await identity.rows('select from erased_sessions where session_id = $1', [sid])).toEqual([]);
  });
});
