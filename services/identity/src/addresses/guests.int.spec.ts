import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MailingIdentity, meOf, moveTo, startMailingIdentity } from '../../testing/addresses.ts';
import { confirm, mailTo, tokenIn } from '../../testing/mail.ts';
import {
  claimsOf,
  foundOrganisation,
  idOf,
  invite,
  joinOrganisation,
  recordedTypes,
} from '../../testing/organisations.ts';
import { newEmail } from '../../testing/visitor.ts';

let mailing: MailingIdentity;
let identity: MailingIdentity['identity'];
let server: MailingIdentity['server'];
beforeAll(async () => {
  mailing = await startMailingIdentity();
  ({ identity, server } = mailing);
});
afterAll(() => mailing.close());

const invalid = { status: 422, body: { code: 'email/invalid-link' } };

describe('an invite for some domains', () => {
  async function guest() {
    const { admin, orgId } = await foundOrganisation(identity);
    const code = await invite(identity, orgId, { domains: ['acme.test'] });
    const email = newEmail().replace('caravan.test', 'acme.test');
    const visitor = identity.visitor();
    const answer = await visitor.signUp({ invite: code, email });
    return { admin, orgId, email, visitor, answer, userId: idOf(visitor) };
  }
  const refused = { status: 409, body: { code: 'email/unconfirmed' } };

  test('[D54] signs up at once as ever, and lets in once the address is confirmed', async () => {
    const { admin, orgId, email, visitor, answer, userId } = await guest();
    expect(answer).toMatchObject({
      status: 200,
      body: { user: { role: 'member' }, assignedTeam: { emoji: expect.any(String) } },
    });
    expect(claimsOf(visitor).org).toBe(orgId);
    expect(await meOf(visitor)).toMatchObject({ email, isGuest: true, team: answer.body['assignedTeam'] });
    const colleague = await joinOrganisation(identity, orgId);
    for (const path of [`/api/users/${idOf(admin)}`, `/api/users/${idOf(admin)}/followers`])
      expect(await visitor.get(path)).toMatchObject(refused);
    expect((await colleague.get(`/api/users/${userId}`)).status).toBe(404);
    expect((await confirm(server, identity.visitor(), email)).status).toBe(200);
    expect(await meOf(visitor)).toMatchObject({ isGuest: false, isEmailConfirmed: true });
    expect((await visitor.refresh()).status).toBe(200);
    expect((await visitor.get(`/api/users/${idOf(admin)}`)).status).toBe(200);
    expect((await colleague.get(`/api/users/${userId}`)).status).toBe(200);
    expect((await recordedTypes(identity, orgId)).slice(4)).toEqual([
      'MemberJoined',
      'MemberDeactivated',
      'MemberJoined',
      'MemberReactivated',
    ]);
  });

  test('[D54] a guest signs in, refreshes, sets a new password and is in by its link', async () => {
    const { email, visitor, admin } = await guest();
    expect((await visitor.login(email)).status).toBe(200);
    expect((await visitor.refresh()).status).toBe(200);
    expect(await visitor.get(`/api/users/${idOf(admin)}`)).toMatchObject(refused);
    await visitor.post('/api/forgot-password', { email });
    const token = tokenIn(await mailTo(server, email, 'Set a new password'));
    expect((await visitor.post('/api/reset-password', { token, password: 'Gr0undhog&Teapot' })).status).toBe(200);
    await visitor.login(email, 'Gr0undhog&Teapot');
    expect((await visitor.get(`/api/users/${idOf(admin)}`)).status).toBe(200);
  });

  test('[D54] a guest gets in by no address of another domain', async () => {
    const { visitor, email } = await guest();
    expect(await moveTo(visitor, newEmail())).toMatchObject({ status: 422, body: { code: 'invite/other-domain' } });
    const other = newEmail().replace('caravan.test', 'acme.test');
    expect((await moveTo(visitor, other)).status).toBe(200);
    expect((await confirm(server, visitor, other)).status).toBe(200);
    expect(await meOf(visitor)).toMatchObject({ email: other, isGuest: false });
    expect((await identity.visitor().login(email)).status).toBe(401);
  });

  test.each([true, false])('[D54] an admin’s word goes before the mail: isActive %s', async (isActive) => {
    const { admin, visitor, userId, email } = await guest();
    const [row] = (await admin.get(`/api/members?q=${email}`)).body as unknown as object[];
    expect(row).toMatchObject({ isActive: false, isEmailConfirmed: false });
    expect((await admin.call('PATCH', `/api/members/${userId}`, { isActive })).status).toBe(200);
    expect((await visitor.refresh()).status).toBe(isActive ? 200 : 401);
    expect((await visitor.get(`/api/users/${idOf(admin)}`)).status).toBe(isActive ? 200 : 401);
    if (!isActive) expect(await confirm(server, identity.visitor(), email)).toMatchObject(invalid);
  });
});
