import { createHash } from 'node:crypto';
import { eventually } from '@caravan/event-store/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmedMember, meOf, moveTo, newMember, startMailingIdentity } from '../../testing/addresses.ts';
import type { MailingIdentity } from '../../testing/addresses.ts';
import { confirm, mailTo, tokenIn } from '../../testing/mail.ts';
import { claimsOf } from '../../testing/organisations.ts';
import { newEmail, password } from '../../testing/visitor.ts';
import { MailConfirmation, SweepAddresses } from './address-mails.job.ts';

let mailing: MailingIdentity;
let identity: MailingIdentity['identity'];
let server: MailingIdentity['server'];
beforeAll(async () => {
  mailing = await startMailingIdentity();
  ({ identity, server } = mailing);
});
afterAll(() => mailing.close());

const invalid = { status: 422, body: { code: 'email/invalid-link', errors: [{ path: 'token' }] } };
const open = (token: unknown) => identity.visitor().post('/api/email/confirm', { token });
const mailsTo = (address: string) => server.mails.filter(({ to }) => to.includes(address));
const confirmationsTo = (address: string) =>
  mailsTo(address).filter(({ subject }) => subject === 'Confirm your e-mail address');

describe('an address one signed up with', () => {
  test('[D54] is asked by mail to confirm itself; until then everything but what needs it works', async () => {
    const { email, visitor } = await newMember(mailing);
    expect(await meOf(visitor)).toMatchObject({ email, isEmailConfirmed: false, pendingEmail: null, isGuest: false });
    const mail = await mailTo(server, email, 'Confirm your e-mail address');
    expect(mail.links).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/confirm-email\?token=[\w-]{43}$/)]);
    expect((await visitor.get('/api/teams')).status).toBe(200);
    expect(await open(tokenIn(mail))).toMatchObject({ status: 200 });
    expect(await meOf(visitor)).toMatchObject({ email, isEmailConfirmed: true, pendingEmail: null });
    expect(await open(tokenIn(mail))).toMatchObject(invalid);
  });

  test('[D54 S17] only the hash of a link is kept, for a day', async () => {
    const { email, userId } = await newMember(mailing);
    const token = tokenIn(await mailTo(server, email));
    const [row] = await identity.rows<{ token: Buffer; hours: number }>(
      `select token, extract(epoch from expires_at - requested_at)::int / 3600 as hours from email_confirmations
        where user_id = $1`,
      [userId],
    );
    expect(row).toMatchObject({ token: createHash('sha256').update(token).digest(), hours: 24 });
    await identity.rows("update email_confirmations set expires_at = now() - interval '1 second' where user_id = $1", [
      userId,
    ]);
    expect(await open(token)).toMatchObject(invalid);
  });

  test('[D54 S17] twenty openings at once confirm once', async () => {
    const { email } = await newMember(mailing);
    const token = tokenIn(await mailTo(server, email));
    await identity.warm();
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(422)]);
  });

  test.each([
    ['an unknown token', 'x'.repeat(43)],
    ['an injection', "' or '1'='1"],
  ])('[D54 S35] %s confirms nothing', async (_, token) => {
    expect(await open(token)).toMatchObject(invalid);
  });

  test('[D54 S25] is mailed again when asked, three times an hour, and the newest link works', async () => {
    const { email, visitor, userId } = await newMember(mailing);
    await mailTo(server, email);
    for (const sent of [2, 3]) {
      expect((await visitor.post('/api/email/confirmation')).status).toBe(200);
      await eventually(() => expect(confirmationsTo(email)).toHaveLength(sent));
    }
    const [newest, ...older] = confirmationsTo(email).map(tokenIn);
    const refused = await visitor.post('/api/email/confirmation');
    expect(refused).toMatchObject({ status: 429, body: { code: 'email/too-many-mails' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const token of older) expect(await open(token)).toMatchObject(invalid);
    await identity.rows(
      "update email_confirmations set mails_since = mails_since - interval '61 minutes' where user_id = $1",
      [userId],
    );
    expect((await open(newest)).status).toBe(200);
    expect((await visitor.post('/api/email/confirmation')).body['message']).toContain('confirmed already');
    expect(confirmationsTo(email)).toHaveLength(3);
  });

  test('[D54] is confirmed by a link to set a new password as well: it went to the same address', async () => {
    const { email, visitor } = await newMember(mailing);
    await visitor.post('/api/forgot-password', { email });
    const token = tokenIn(await mailTo(server, email, 'Set a new password'));
    expect((await visitor.post('/api/reset-password', { token, password: 'Gr0undhog&Teapot' })).status).toBe(200);
    await visitor.login(email, 'Gr0undhog&Teapot');
    expect(await meOf(visitor)).toMatchObject({ isEmailConfirmed: true });
  });

  test('[D54] gets its mail although the job was lost, and one mail when the job comes twice', async () => {
    const { email, visitor, userId } = await newMember(mailing);
    await mailTo(server, email);
    await identity.rows(
      `update email_confirmations set mailed_at = null, request_id = gen_random_uuid(), requested_at = requested_at - interval '2 minutes'
        where user_id = $1`,
      [userId],
    );
    await identity.app.get(SweepAddresses).sweep();
    await eventually(() => expect(confirmationsTo(email)).toHaveLength(2));
    await eventually(async () =>
      expect(
        await identity.rows('select from email_confirmations where mailed_at is null and user_id = $1', [userId]),
      ).toEqual([]),
    );
    const [row] = await identity.rows<{ requestId: string }>(
      'select request_id from email_confirmations where user_id = $1',
      [userId],
    );
    const ref = { orgId: claimsOf(visitor).org, userId, requestId: row?.requestId ?? '' };
    await identity.app.get(MailConfirmation).mail(ref);
    expect(confirmationsTo(email)).toHaveLength(2);
  });

  test('[D54] a deactivated member is mailed no link to confirm an address, which would not work', async () => {
    const { email, visitor, userId } = await newMember(mailing);
    await mailTo(server, email);
    await identity.rows('update memberships set is_active = false where user_id = $1', [userId]);
    const [asked] = await identity.rows<{ requestId: string }>(
      `update email_confirmations set mailed_at = null, request_id = gen_random_uuid(), requested_at = requested_at - interval '2 minutes'
        where user_id = $1 returning request_id`,
      [userId],
    );
    await identity.app.get(SweepAddresses).sweep();
    await identity.app
      .get(MailConfirmation)
      .mail({ orgId: claimsOf(visitor).org, userId, requestId: asked?.requestId ?? '' });
    expect(confirmationsTo(email)).toHaveLength(1);
  });

  test('[D54] unconfirmed gets no mail but links that were asked for there', async () => {
    const { email, visitor } = await newMember(mailing);
    await mailTo(server, email);
    expect((await visitor.call('DELETE', '/api/me', { password })).status).toBe(200);
    const other = await confirmedMember(mailing);
    expect((await other.visitor.call('DELETE', '/api/me', { password })).status).toBe(200);
    await mailTo(server, other.email, 'Your account is erased');
    expect(mailsTo(email).map(({ subject }) => subject)).toEqual(['Confirm your e-mail address']);
  });
});

describe('another address', () => {
  test.each([
    ['no password', undefined, 'settings/password-needed'],
    ['a wrong password', 'Wrong-2026!', 'me/wrong-password'],
  ])('[D54] with %s is refused, and nothing is mailed or changed', async (_, secret, code) => {
    const { email, visitor } = await confirmedMember(mailing);
    const next = newEmail();
    const profile = { email: next, name: 'Other' };
    const answer = await visitor.call('PATCH', '/api/me/settings', { profile, currentPassword: secret });
    expect(answer).toMatchObject({ status: 422, body: { code, errors: [{ path: 'currentPassword' }] } });
    expect(await meOf(visitor)).toMatchObject({ email, name: 'Maya Okafor', pendingEmail: null });
    expect(await identity.rows('select from email_confirmations where email = $1', [next])).toEqual([]);
  });

  test('[D54] leaves the old one in place until its link is opened; then it signs in, and the old one does not', async () => {
    const { email: old, visitor } = await confirmedMember(mailing);
    const next = newEmail();
    expect((await moveTo(visitor, ` ${next} `)).body['profile']).toMatchObject({ email: old });
    expect(await meOf(visitor)).toMatchObject({ email: old, pendingEmail: next, isEmailConfirmed: true });
    expect((await identity.visitor().login(next)).status).toBe(401);
    expect((await identity.visitor().login(old)).status).toBe(200);
    expect((await confirm(server, identity.visitor(), next)).status).toBe(200);
    expect(await meOf(visitor)).toMatchObject({ email: next, pendingEmail: null, isEmailConfirmed: true });
    expect((await identity.visitor().login(next)).status).toBe(200);
    expect((await identity.visitor().login(old)).status).toBe(401);
    expect((await mailTo(server, old, 'was changed')).links).toHaveLength(1);
    expect((await identity.visitor().signUp({ email: old })).status).toBe(409);
  });

  test('[D54] the password is taken inside the profile too', async () => {
    const { visitor } = await confirmedMember(mailing);
    const next = newEmail();
    const profile = { email: next, currentPassword: password };
    expect((await visitor.call('PATCH', '/api/me/settings', { profile })).status).toBe(200);
    expect(await meOf(visitor)).toMatchObject({ pendingEmail: next });
  });

  test('[D54] saving other settings leaves the wish alone; withdrawn, its link confirms nothing', async () => {
    const { email, visitor } = await confirmedMember(mailing);
    const next = newEmail();
    await moveTo(visitor, next);
    const token = tokenIn(await mailTo(server, next));
    const { body: settings } = await visitor.get('/api/me/settings');
    expect((await visitor.call('PATCH', '/api/me/settings', settings)).status).toBe(200);
    expect(await meOf(visitor)).toMatchObject({ pendingEmail: next });
    expect((await visitor.call('DELETE', '/api/email/pending')).status).toBe(200);
    expect(await meOf(visitor)).toMatchObject({ email, pendingEmail: null });
    expect(await open(token)).toMatchObject(invalid);
  });

  test('[D54] a later wish ends the earlier one', async () => {
    const { visitor } = await confirmedMember(mailing);
    const first = newEmail();
    const second = newEmail();
    await moveTo(visitor, first);
    const token = tokenIn(await mailTo(server, first));
    await moveTo(visitor, second);
    expect(await open(token)).toMatchObject(invalid);
    expect((await confirm(server, visitor, second)).status).toBe(200);
    expect(await meOf(visitor)).toMatchObject({ email: second });
  });

  test('[D54] a reset of the password ends a wish that was perhaps not one’s own', async () => {
    const { email, visitor } = await confirmedMember(mailing);
    const next = newEmail();
    await moveTo(visitor, next);
    const wish = tokenIn(await mailTo(server, next));
    await visitor.post('/api/forgot-password', { email });
    const token = tokenIn(await mailTo(server, email, 'Set a new password'));
    await visitor.post('/api/reset-password', { token, password: 'Gr0undhog&Teapot' });
    expect(await open(wish)).toMatchObject(invalid);
    expect((await identity.visitor().login(email, 'Gr0undhog&Teapot')).status).toBe(200);
  });

  test('[D39 D54] wanted by two at once becomes the one’s who opens the link first', async () => {
    const wanted = newEmail();
    const two = [await confirmedMember(mailing), await confirmedMember(mailing)];
    for (const { visitor } of two) expect((await moveTo(visitor, wanted)).status).toBe(200);
    await eventually(() => expect(confirmationsTo(wanted)).toHaveLength(2));
    await identity.warm();
    const tokens = confirmationsTo(wanted).map(tokenIn);
    const answers = await Promise.all(tokens.map(open));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await identity.rows('select from credentials where email_key = $1', [wanted])).toHaveLength(1);
    const both = two.map(({ userId }) => userId);
    expect(await identity.rows('select from credentials where user_id = any($1)', [both])).toHaveLength(2);
  });
});
