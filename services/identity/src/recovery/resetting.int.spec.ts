import { createHash } from 'node:crypto';
import { createPool } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { startMailServer } from '@caravan/service-kit/testing/mail-server';
import type { MailServer } from '@caravan/service-kit/testing/mail-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { confirm, mailTo, resetMailsTo, tokenIn } from '../../testing/mail.ts';
import { claimsOf } from '../../testing/organisations.ts';
import { newEmail } from '../../testing/visitor.ts';
import { MailResetLink, SweepResets } from './reset-mails.job.ts';
import { insertRequest } from './resets.store.ts';

let server: MailServer;
let identity: IdentityUnderTest;
beforeAll(async () => {
  server = await startMailServer();
  identity = await startIdentity({ SMTP_URL: server.url, PASSWORD_CHECK: 'block', FAILURES_PER_ADDRESS: '60' });
});
afterAll(async () => {
  await identity.close();
  await server.close();
});

const chosen = 'Gr0undhog&Teapot';
const message = 'This link is invalid or has expired. Please request a new one.';
const invalid = { status: 422, body: { code: 'reset/invalid-link', message, errors: [{ path: 'token', message }] } };

let addresses = 0;
const somewhere = () => ({ 'x-forwarded-for': `203.0.113.${(addresses += 1)}` });
const forgot = (email: unknown, headers: Record<string, string> = somewhere()) =>
  identity.visitor().post('/api/forgot-password', { email }, headers);
const reset = (token: unknown, secret: unknown = chosen, headers: Record<string, string> = somewhere()) =>
  identity.visitor().post('/api/reset-password', { token, password: secret }, headers);

async function member() {
  const email = newEmail();
  const visitor = identity.visitor();
  expect((await visitor.signUp({ email, password: 'Tr4nsparent-Kettle' })).status).toBe(200);
  return { email, visitor, userId: claimsOf(visitor).sub };
}
/** Asks for a link and waits until one more has come; answers its token. */
async function linkOf(email: string, headers?: Record<string, string>): Promise<string> {
  const before = resetMailsTo(server, email).length;
  expect((await forgot(email, headers)).status).toBe(200);
  await eventually(() => expect(resetMailsTo(server, email).length).toBe(before + 1));
  return tokenIn(resetMailsTo(server, email)[0]);
}

async function deactivate(userId: string): Promise<void> {
  await identity.rows('update memberships set is_active = false where user_id = $1', [userId]);
}

const waitUntilHandled = () =>
  eventually(async () => expect(await identity.rows('select from reset_requests')).toEqual([]));

describe('asking for a link', () => {
  test('[7.7 8.6 S16] gets the same answer for an address that is known, unknown or deactivated; one mail leaves', async () => {
    const known = await member();
    const gone = await member();
    await deactivate(gone.userId);
    const stranger = newEmail();
    const answers = [];
    for (const email of [known.email, stranger, gone.email]) answers.push(await forgot(email));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toEqual({
        message: 'If this address has an account, a mail with a link is on its way. The link works for 30 minutes.',
      });
    }
    await mailTo(server, known.email, 'Set a new password');
    await waitUntilHandled();
    expect(resetMailsTo(server, known.email)).toHaveLength(1);
    expect([...resetMailsTo(server, stranger), ...resetMailsTo(server, gone.email)]).toEqual([]);
  });

  test('[S17 F06] uses up nothing while it cannot be stored: three links an hour are mailed all the same', async () => {
    const { email } = await member();
    const owner = createPool(identity.ownerUrl);
    await owner.query('alter table reset_requests rename to reset_requests_away');
    const away = [];
    for (let attempt = 0; attempt < 6; attempt += 1) away.push((await forgot(email)).status);
    await owner.query('alter table reset_requests_away rename to reset_requests');
    await owner.end();
    expect(away.every((status) => status >= 500)).toBe(true);
    for (let nth = 1; nth <= 3; nth += 1) await linkOf(email);
    expect((await forgot(email)).status).toBe(200);
    await waitUntilHandled();
    expect(resetMailsTo(server, email)).toHaveLength(3);
  });

  test('[D39] is indifferent to the case of the address, and mails to the one on record', async () => {
    const { email } = await member();
    expect((await forgot(email.toUpperCase())).status).toBe(200);
    await mailTo(server, email, 'Set a new password');
  });

  test.each([
    ['no address', undefined],
    ['an address that is none', 'maya'],
    ['an address with a line break', 'maya@example.org\r\nBcc: eve@example.org'],
    ['a list', ['maya@example.org']],
  ])('[5.4 D38 S35] with %s is refused with 422', async (_, email) => {
    expect(await forgot(email)).toMatchObject({ status: 422, body: { message: 'Invalid email address' } });
  });

  test('[S17] leads to the product, whatever host the request names', async () => {
    const { email } = await member();
    const hostile = { ...somewhere(), 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' };
    await linkOf(email, { ...hostile, referer: 'https://evil.example/', forwarded: 'host=evil.example' });
    const [mail] = resetMailsTo(server, email);
    expect(mail?.links).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/reset-password\?token=[\w-]{43}$/),
    ]);
    expect(`${mail?.html}${mail?.text}`).not.toContain('evil');
  });

  test('[S15 S16 S25] again and again gets the same answer, three mails an hour, and shuts nobody out', async () => {
    const { email } = await member();
    const first = await forgot(newEmail());
    await linkOf(email);
    await linkOf(email);
    const token = await linkOf(email);
    for (let nth = 0; nth < 9; nth += 1)
      expect(await forgot(email.toUpperCase())).toMatchObject({ status: 200, body: first.body });
    await waitUntilHandled();
    expect(resetMailsTo(server, email)).toHaveLength(3);
    expect((await reset(token)).status).toBe(200);
  });

  test('[S15 S25] too often from one client address is 429; others go on', async () => {
    const from = somewhere();
    const answers = await Promise.all(Array.from({ length: 61 }, () => forgot(newEmail(), from)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await forgot(newEmail())).status).toBe(200);
  });

  test('[7.7] is not lost when its job is', async () => {
    const { email } = await member();
    await insertRequest(identity.pool, email, new Date(Date.now() - 120_000));
    await identity.app.get(SweepResets).sweep();
    await mailTo(server, email, 'Set a new password');
  });
});

describe('setting a new password', () => {
  test('[7.8 8.14 S06 S17] works once, ends every session at once, lets the new password in and tells by mail', async () => {
    const { email, visitor } = await member();
    const laptop = identity.visitor();
    await laptop.login(email, 'Tr4nsparent-Kettle');
    const token = await linkOf(email);
    expect(await reset(token)).toMatchObject({
      status: 200,
      body: { message: 'Your password has been updated successfully.' },
    });
    for (const device of [visitor, laptop]) {
      expect(await device.get('/api/me')).toMatchObject({ status: 401, body: { code: 'auth/session-ended' } });
      expect((await device.refresh()).status).toBe(401);
    }
    expect((await identity.visitor().login(email, 'Tr4nsparent-Kettle')).status).toBe(401);
    expect((await identity.visitor().login(email, chosen)).status).toBe(200);
    expect(await identity.rows('select distinct end_reason from sessions where ended_at is not null')).toContainEqual({
      endReason: 'password-reset',
    });
    await mailTo(server, email, 'Your password was changed');
    expect(await reset(token, 'Another-Zebra-9')).toMatchObject(invalid);
    expect((await identity.visitor().login(email, chosen)).status).toBe(200);
  });

  test('[S17] twenty times at once succeeds once', async () => {
    const { email } = await member();
    const token = await linkOf(email);
    await identity.warm();
    const tries = Array.from({ length: 20 }, (_, nth) => `Gr0undhog&Teapot-${nth}`);
    const answers = await Promise.all(tries.map((secret) => reset(token, secret)));
    const won = answers.findIndex(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(19);
    expect((await identity.visitor().login(email, tries[won])).status).toBe(200);
  });

  test('[3.15 S17] only the hash of a link is kept, once, with whose it is, until when it works and when it was used', async () => {
    const { email, userId } = await member();
    const token = await linkOf(email);
    const columns = `token, user_id, used_at is not null as is_used, extract(epoch from expires_at - created_at)::int / 60 as minutes`;
    const readStored = () => identity.rows(`select ${columns} from password_resets where user_id = $1`, [userId]);
    const hash = createHash('sha256').update(token).digest();
    expect(await readStored()).toEqual([{ token: hash, userId, isUsed: false, minutes: 30 }]);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const tables = await identity.rows<{ name: string }>(
      "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_schema in ('public', 'es', 'msg') and table_type = 'BASE TABLE'",
    );
    for (const { name } of tables)
      expect(await identity.rows(`select from ${name} t where t::text like $1`, [`%${token}%`]), name).toEqual([]);
    const again = 'insert into password_resets select * from password_resets where user_id = $1';
    await expect(identity.rows(again, [userId])).rejects.toThrow(/duplicate key/);
    await reset(token);
    expect(await readStored()).toMatchObject([{ isUsed: true }]);
  });

  test('[S17] a newer link makes the older ones worthless', async () => {
    const { email } = await member();
    const first = await linkOf(email);
    const second = await linkOf(email);
    expect(await reset(first)).toMatchObject(invalid);
    expect((await reset(second)).status).toBe(200);
  });

  test('[8.7 S17] after thirty minutes a link is refused', async () => {
    const { email, userId } = await member();
    const token = await linkOf(email);
    await identity.rows("update password_resets set expires_at = now() - interval '1 second' where user_id = $1", [
      userId,
    ]);
    expect(await reset(token)).toMatchObject(invalid);
  });

  test('[S06 S17] of somebody who was deactivated meanwhile is refused', async () => {
    const { email, userId } = await member();
    const token = await linkOf(email);
    await deactivate(userId);
    expect(await reset(token)).toMatchObject(invalid);
  });

  test('[S17] a link that went to an address which is no longer the account’s is refused', async () => {
    const { email, visitor } = await member();
    const token = await linkOf(email);
    const next = newEmail();
    const currentPassword = 'Tr4nsparent-Kettle';
    await visitor.call('PATCH', '/api/me/settings', { profile: { email: next }, currentPassword });
    expect((await confirm(server, visitor, next)).status).toBe(200);
    expect(await reset(token)).toMatchObject(invalid);
  });

  test.each([
    ['an unknown token', 'x'.repeat(43)],
    ['an injection', "' or '1'='1"],
  ])('[8.7 S35] with %s is refused like any other bad link', async (_, token) => {
    expect(await reset(token)).toMatchObject(invalid);
  });

  test.each([
    ['no token', undefined, chosen, 'Reset token is required'],
    ['an empty token', ' ', chosen, 'Reset token is required'],
    ['a short password', 'x', 'Aa1!', 'Password must be at least 8 characters'],
    ['a simple password', 'x', 'abcdefghij', expect.stringContaining('Password must contain at least 1 uppercase')],
    ['no password', 'x', null, 'Password must be at least 8 characters'],
  ])('[5.1 5.5] with %s is refused with 422 and says which', async (_, token, secret, message) => {
    expect(await reset(token, secret)).toMatchObject({ status: 422, body: { message } });
  });

  test('[S13] to one that is easily guessed is refused, and the link still works', async () => {
    const { email } = await member();
    const token = await linkOf(email);
    expect(await reset(token, 'Password123!')).toMatchObject({
      status: 422,
      body: { code: 'password/easily-guessed', errors: [{ path: 'password' }] },
    });
    expect((await reset(token)).status).toBe(200);
  });

  test('[S15] lets somebody in again where guessing had stopped them, and makes the device known', async () => {
    const { email } = await member();
    const from = somewhere();
    const phone = identity.visitor();
    const login = (secret: string) => phone.post('/api/login', { email, password: secret }, from);
    for (let guess = 0; guess < 10; guess += 1) expect((await login(`Wrong-${guess}!`)).status).toBe(401);
    expect((await login('Tr4nsparent-Kettle')).status).toBe(429);
    const body = { token: await linkOf(email), password: chosen };
    expect((await phone.post('/api/reset-password', body, from)).status).toBe(200);
    for (let guess = 0; guess < 10; guess += 1)
      await identity.visitor().post('/api/login', { email, password: `Wrong-${guess}!` }, from);
    expect((await login(chosen)).status).toBe(200);
  });

  test('[S15] with guessed links is stopped after so many from one address', async () => {
    const from = somewhere();
    for (let batch = 0; batch < 6; batch += 1)
      await Promise.all(Array.from({ length: 10 }, (_, nth) => reset(`${batch}-${nth}`, chosen, from)));
    expect((await reset('x', chosen, from)).status).toBe(429);
  });
});

test('[S17] what is over is forgotten: used and expired links, and requests that nobody waits for', async () => {
  const { email, userId } = await member();
  await linkOf(email);
  await identity.rows("update password_resets set expires_at = now() - interval '1 second' where user_id = $1", [
    userId,
  ]);
  await insertRequest(identity.pool, newEmail(), new Date(Date.now() - 7 * 3_600_000));
  await identity.app.get(SweepResets).sweep();
  expect(await identity.rows('select from password_resets where user_id = $1', [userId])).toEqual([]);
  await waitUntilHandled();
});

test('[S16] a request that comes twice to the job makes no second link', async () => {
  const { email } = await member();
  const requestId = await insertRequest(identity.pool, email, new Date());
  const job = identity.app.get(MailResetLink);
  await job.mail({ requestId });
  await job.mail({ requestId });
  expect(resetMailsTo(server, email)).toHaveLength(1);
});
