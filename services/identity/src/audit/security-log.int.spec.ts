import { randomUUID } from '@caravan/contracts/testing/seeded';
import { Log } from '@caravan/service-kit/telemetry/log';
import { hearLog } from '@caravan/service-kit/testing/heard-log';
import type { HeardLine } from '@caravan/service-kit/testing/heard-log';
import { startMailServer } from '@caravan/service-kit/testing/mail-server';
import type { MailServer } from '@caravan/service-kit/testing/mail-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { mailTo, tokenIn } from '../../testing/mail.ts';
import { foundOrganisation, idOf, joinOrganisation } from '../../testing/organisations.ts';
import { password } from '../../testing/visitor.ts';

let server: MailServer;
let identity: IdentityUnderTest;
let heard: ReturnType<typeof hearLog>;
beforeAll(async () => {
  server = await startMailServer();
  identity = await startIdentity({ SMTP_URL: server.url });
  heard = hearLog(identity.app.get<Log>(Log));
});
afterAll(async () => {
  await identity.close();
  await server.close();
});

const canary = 'canary.of.the.log';
const linesOf = (security: string): HeardLine[] => heard.lines().filter((line) => line['security'] === security);

test('[S38] what concerns the security of the instance is told to operators, without a secret or an address in clear', async () => {
  const email = `${canary}@example.org`;
  const newPassword = 'Canary-Word-2026!';
  const { admin, orgId } = await foundOrganisation(identity);
  const maya = await joinOrganisation(identity, orgId, { email, name: canary });
  const member = idOf(maya);
  const guess = await identity.visitor().login(email, 'Canary-Guess-1!');
  expect(guess.status).toBe(401);
  expect((await maya.post('/api/teams', { name: 'Owls', emoji: '🦉' })).status).toBe(403);
  expect((await identity.visitor().get('/api/invitations?code=CANARYCODE')).status).toBe(404);
  const thief = maya.copy();
  for (const status of [200, 200]) expect((await maya.refresh()).status).toBe(status);
  expect((await thief.refresh()).status).toBe(401);
  for (const body of [{ role: 'admin' }, { role: 'member' }, { isActive: false }, { isActive: true }])
    expect((await admin.call('PATCH', `/api/members/${member}`, body)).status).toBe(200);
  await identity.visitor().post('/api/forgot-password', { email });
  const token = tokenIn(await mailTo(server, email, 'Set a new password'));
  expect((await identity.visitor().post('/api/reset-password', { token, password: newPassword })).status).toBe(200);
  const again = identity.visitor();
  expect((await again.login(email, newPassword)).status).toBe(200);
  expect((await again.call('DELETE', '/api/me', { password: newPassword })).status).toBe(200);

  const [refused] = linesOf('sign-in-refused');
  expect(refused).toMatchObject({ level: 'warn', account: expect.stringMatching(/^[\w-]{16}$/), ip: '127.0.0.1' });
  expect(linesOf('admin-call-refused')).toMatchObject([{ userId: member, orgId, call: 'POST /api/teams' }]);
  expect(linesOf('invite-guessed')).toMatchObject([{ level: 'warn', path: '/api/invitations' }]);
  expect(linesOf('refresh-token-reused')).toMatchObject([{ level: 'warn', userId: member }]);
  const byAdmin = { orgId, actorId: idOf(admin), userId: member };
  expect(linesOf('role-changed')).toMatchObject([
    { ...byAdmin, role: 'admin' },
    { ...byAdmin, role: 'member' },
  ]);
  expect(linesOf('member-deactivated')).toMatchObject([byAdmin]);
  expect(linesOf('member-reactivated')).toMatchObject([byAdmin]);
  expect(linesOf('password-reset')).toMatchObject([{ level: 'info', userId: member }]);
  expect(linesOf('sign-in')).toMatchObject([{ userId: member, role: 'member' }]);
  expect(linesOf('account-erased')).toMatchObject([{ userId: member }]);
  for (const secret of [email, canary, newPassword, 'Canary-Guess-1!', password, token, 'CANARYCODE'])
    expect([secret, heard.text().includes(secret)]).toEqual([secret, false]);
  for (const visitor of [maya, again, admin]) {
    expect(heard.text()).not.toContain(String(visitor.token));
    const [, cookie] = (visitor.cookie ?? '').split('=');
    if (cookie) expect(heard.text()).not.toContain(cookie);
  }
});

test('[S38] somebody who is throttled is told once a minute, not once for each try', async () => {
  const before = linesOf('throttled').length;
  const email = `${randomUUID()}@example.org`;
  const statuses = [];
  for (let nth = 0; nth < 40 && statuses.filter((status) => status === 429).length < 5; nth += 1)
    statuses.push((await identity.visitor().login(email, 'Wrong-Guess-1!')).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect(linesOf('throttled').slice(before)).toMatchObject([{ level: 'warn', ip: '127.0.0.1', path: '/api/login' }]);
  expect(heard.text()).not.toContain(email);
});
