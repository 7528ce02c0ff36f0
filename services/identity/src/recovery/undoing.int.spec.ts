import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmedMember, meOf, moveTo, startMailingIdentity } from '../../testing/addresses.ts';
import type { MailingIdentity } from '../../testing/addresses.ts';
import { confirm, mailTo, tokenIn } from '../../testing/mail.ts';
import { claimsOf, idOf, joinOrganisation } from '../../testing/organisations.ts';
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
const undo = (token: string) => identity.visitor().post('/api/email/undo', { token });

async function moveAddress() {
  const one = await confirmedMember(mailing);
  const next = newEmail();
  expect((await moveTo(one.visitor, next)).status).toBe(200);
  const early = tokenIn(await mailTo(server, one.email, 'is about to change'));
  expect((await confirm(server, one.visitor, next)).status).toBe(200);
  const late = tokenIn(await mailTo(server, one.email, 'was changed'));
  return { ...one, next, early, late };
}
async function setPassword(email: string, secret: string): Promise<void> {
  const token = tokenIn(await mailTo(server, email, 'Set a new password'));
  expect((await identity.visitor().post('/api/reset-password', { token, password: secret })).status).toBe(200);
}

describe('the way back to an old address', () => {
  test('[D54 S06] gives the account back to it: sessions end, the password fits no more, a link to set one is mailed', async () => {
    const { email, next, visitor, late } = await moveAddress();
    const thief = identity.visitor();
    expect((await thief.login(next)).status).toBe(200);
    expect((await undo(late)).status).toBe(200);
    for (const one of [visitor, thief]) {
      expect((await one.get('/api/me')).status).toBe(401);
      expect((await one.refresh()).status).toBe(401);
    }
    for (const address of [email, next]) expect((await identity.visitor().login(address)).status).toBe(401);
    await setPassword(email, 'Gr0undhog&Teapot');
    expect((await visitor.login(email, 'Gr0undhog&Teapot')).status).toBe(200);
    expect((await visitor.get('/api/me')).body).toMatchObject({ email, pendingEmail: null, isEmailConfirmed: true });
    expect((await identity.visitor().signUp({ email: next })).status).toBe(200);
  });

  test('[D54 S17] works once, and so does the one of the mail before: either undoes the change', async () => {
    const { late, early } = await moveAddress();
    expect((await undo(early)).status).toBe(200);
    for (const token of [early, late]) expect(await undo(token)).toMatchObject(invalid);
  });

  test('[D54] before the new address is confirmed keeps it from ever being', async () => {
    const { email, visitor } = await confirmedMember(mailing);
    const next = newEmail();
    await moveTo(visitor, next);
    const wish = tokenIn(await mailTo(server, next));
    expect((await undo(tokenIn(await mailTo(server, email, 'is about to change')))).status).toBe(200);
    expect((await identity.visitor().post('/api/email/confirm', { token: wish })).status).toBe(422);
    expect((await identity.visitor().login(email)).status).toBe(401);
    await setPassword(email, 'Gr0undhog&Teapot');
    expect((await visitor.login(email, 'Gr0undhog&Teapot')).status).toBe(200);
  });

  test('[D54] goes before the ways back of whoever came after', async () => {
    const { email, next, visitor, late } = await moveAddress();
    const third = newEmail();
    await moveTo(visitor, third);
    expect((await confirm(server, visitor, third)).status).toBe(200);
    const theirs = tokenIn(await mailTo(server, next, 'was changed'));
    expect((await undo(late)).status).toBe(200);
    expect(await undo(theirs)).toMatchObject(invalid);
    await setPassword(email, 'Gr0undhog&Teapot');
    expect((await identity.visitor().login(email, 'Gr0undhog&Teapot')).status).toBe(200);
  });

  test('[D54] lasts for seven days, in which nobody else gets the address', async () => {
    const { email, userId, late, visitor } = await moveAddress();
    const [row] = await identity.rows<{ days: number }>(
      'select extract(epoch from expires_at - created_at)::int / 86400 as days from email_undos where user_id = $1',
      [userId],
    );
    expect(row?.days).toBe(7);
    const other = await confirmedMember(mailing);
    expect((await identity.visitor().signUp({ email: email.toUpperCase() })).status).toBe(409);
    expect((await moveTo(other.visitor, email)).status).toBe(409);
    expect((await moveTo(visitor, email)).status).toBe(200);
    await identity.rows("update email_undos set expires_at = now() - interval '1 second' where user_id = $1", [userId]);
    expect(await undo(late)).toMatchObject(invalid);
    expect((await identity.visitor().signUp({ email })).status).toBe(200);
  });

  test('[D54] is not offered to an address that nobody has confirmed', async () => {
    const email = newEmail();
    const visitor = await identity.signedIn({ email });
    await mailTo(server, email);
    const next = newEmail();
    expect((await moveTo(visitor, next)).status).toBe(200);
    expect((await confirm(server, visitor, next)).status).toBe(200);
    expect(await identity.rows('select from email_undos where user_id = $1', [idOf(visitor)])).toEqual([]);
    expect((await identity.visitor().signUp({ email })).status).toBe(200);
  });

  test('[S38 D54] stands in the audit log when an admin took it, and so does the change before; of members neither', async () => {
    const { visitor: admin, userId, next, late } = await moveAddress();
    const actsOf = async () => {
      const entries = await identity.rows<{ act: string }>(
        `select act from audit.entries where actor_id = $1 and act like 'access.address%' order by entry_id`,
        [userId],
      );
      return entries.map(({ act }) => act);
    };
    expect(await actsOf()).toEqual(['access.address-changed']);
    expect((await admin.get('/api/audit?kind=access')).body).toMatchObject([
      { act: 'access.address-changed', subject: null },
    ]);
    expect((await undo(late)).status).toBe(200);
    expect(await actsOf()).toEqual(['access.address-changed', 'access.address-restored']);
    const log = await identity.rows('select details::text from audit.entries where actor_id = $1', [userId]);
    expect(JSON.stringify(log)).not.toContain(next);
    const member = await joinOrganisation(identity, claimsOf(admin).org, { email: newEmail() });
    const { email } = await meOf(member);
    await confirm(server, member, String(email));
    const other = newEmail();
    await moveTo(member, other);
    expect((await confirm(server, member, other)).status).toBe(200);
    expect(await identity.rows('select from audit.entries where actor_id = $1', [idOf(member)])).toEqual([]);
  });
});
