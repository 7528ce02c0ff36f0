import { sessionAnswerSchema } from '@caravan/contracts/http/accounts';
import { memberSignedIn } from '@caravan/contracts/events/identity.events';
import { eventually } from '@caravan/event-store/testing/eventually';
import { listenTo } from '@caravan/messaging/testing/listener';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { claimsOf } from '../../testing/organisations.ts';
import { newEmail, password } from '../../testing/visitor.ts';
import { Passwords } from '../credentials/index.ts';
import { Credentials } from './sessions.service.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.close());

// Every test acts from an address of its own, as it would come through the gateway.
let addresses = 0;
const somewhere = () => ({ 'x-forwarded-for': `203.0.113.${(addresses += 1)}` });
const login = (email: unknown, secret: unknown = password, from = somewhere()) =>
  identity.visitor().post('/api/login', { email, password: secret }, from);

async function member(): Promise<string> {
  const email = newEmail();
  expect((await identity.visitor().signUp({ email })).status).toBe(200);
  return email;
}

describe('signing in', () => {
  test('[7.4 3.25 S20] answers token and user, sets the cookie, and the token works', async () => {
    const email = await member();
    const maya = identity.visitor();
    const answer = await maya.login(email);
    expect(answer.status).toBe(200);
    expect(sessionAnswerSchema.strict().parse(answer.body).user.email).toBe(email);
    expect(answer.headers.get('set-cookie')).toMatch(/^rt=.+; Path=\/; Expires=.+; HttpOnly; SameSite=Strict$/);
    expect((await maya.get('/api/me')).status).toBe(200);
  });

  test('[D39] works regardless of the case of the address', async () => {
    const email = await member();
    expect((await login(email.toUpperCase())).status).toBe(200);
  });

  test.each([
    ['a wrong password', () => member(), 'Wrong-2026!'],
    ['an unknown address', () => Promise.resolve(newEmail()), password],
    ['a password in another case', () => member(), password.toUpperCase()],
    ['a password with a space behind it', () => member(), `${password} `],
    ['an injection', () => member(), "' or '1'='1"],
  ])('[8.3 S16] with %s is refused with 401 and the same words', async (_, email, secret) => {
    const { status, body, headers } = await login(await email(), secret);
    expect(status).toBe(401);
    expect(headers.get('set-cookie')).toBeNull();
    expect(body).toMatchObject({ message: 'Invalid credentials', code: 'login/invalid-credentials' });
    expect(Object.keys(body).toSorted()).toEqual(
      ['code', 'detail', 'instance', 'message', 'status', 'title', 'traceId', 'type'].toSorted(),
    );
  });

  test('[S06 S16] of somebody who was deactivated says so to whoever knows the password, and to nobody else', async () => {
    const email = await member();
    await identity.rows(
      'update memberships m set is_active = false from persons p where p.user_id = m.user_id and p.email = $1',
      [email],
    );
    expect(await login(email)).toMatchObject({
      status: 401,
      body: {
        code: 'login/deactivated',
        message: 'This account has been deactivated. Please ask an admin of your organization.',
      },
    });
    expect(await login(email, 'Wrong-2026!')).toMatchObject({
      status: 401,
      body: { message: 'Invalid credentials', code: 'login/invalid-credentials' },
    });
  });

  test('[S06 S17] with a password that was changed, or of somebody deactivated, while it was checked begins nothing', async () => {
    const visitor = await identity.signedIn();
    const { sub: userId, org: orgId } = claimsOf(visitor);
    const credentials = identity.app.get(Credentials);
    const { body } = await visitor.get('/api/me');
    const proven = await credentials.personOf(String(body['email']), password);
    if (!proven) throw new Error('the password fits');
    await identity.rows("update credentials set password_hash = 'other' where user_id = $1", [userId]);
    expect(await credentials.begin(proven, 'test', new Date())).toBeUndefined();
    await identity.rows('update credentials set password_hash = $2 where user_id = $1', [userId, proven.passwordHash]);
    await identity.rows('update memberships set is_active = false where org_id = $2 and user_id = $1', [userId, orgId]);
    expect(await credentials.begin(proven, 'test', new Date())).toBeUndefined();
    expect(await identity.rows('select from sessions where user_id = $1', [userId])).toHaveLength(1);
  });

  test('[S16] answers alike for an address that is known, unknown or deactivated', async () => {
    const gone = await member();
    await identity.rows(
      'update memberships m set is_active = false from persons p where p.user_id = m.user_id and p.email = $1',
      [gone],
    );
    const bodies = [];
    for (const email of [await member(), newEmail(), gone])
      bodies.push({ ...(await login(email, 'Wrong-2026!')).body, traceId: '' });
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
  });

  test('[S12] renews a hash that was made with other parameters', async () => {
    const email = await member();
    const old = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await identity.rows('update credentials set password_hash = $2 where email_key = $1', [email, old]);
    expect((await login(email)).status).toBe(200);
    const [stored] = await identity.rows<{ passwordHash: string }>(
      'select password_hash from credentials where email_key = $1',
      [email],
    );
    expect(stored?.passwordHash).toContain('$m=19456,t=2,p=1$');
    expect((await login(email)).status).toBe(200);
  });

  test.each([
    ['no address', undefined, password, 'Invalid email address'],
    ['an address that is none', 'maya', password, 'Invalid email address'],
    ['an address that is an object', { $ne: null }, password, 'Invalid email address'],
    ['no password', 'maya@example.com', undefined, 'Password is required'],
    ['an empty password', 'maya@example.com', '', 'Password is required'],
    ['a password that is a number', 'maya@example.com', 7, 'Password is required'],
  ])('[5.3 D38] with %s is refused with 422', async (_, email, secret, message) => {
    const body = { ...(email !== undefined && { email }), ...(secret !== undefined && { password: secret }) };
    const answer = await identity.visitor().post('/api/login', body, somewhere());
    expect(answer).toMatchObject({ status: 422, body: { message } });
  });

  test.each([
    ['not JSON', '{', {}, 400],
    ['a form', 'email=a', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a NUL in the address', JSON.stringify({ email: 'maya\u0000@example.com', password }), {}, 422],
    ['a password of a megabyte', JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(1_000_000) }), {}, 413],
    [
      'a password of 2,000 characters',
      JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(2_000) }),
      {},
      422,
    ],
  ])('[D38] with %s is refused as what it is', async (_, body, headers, status) => {
    expect((await identity.visitor().post('/api/login', body, { ...somewhere(), ...headers })).status).toBe(status);
  });

  test('[S16] costs one check of a hash for an unknown address as for a wrong password', async () => {
    const passwords = identity.app.get(Passwords);
    const email = await member();
    const hashesOf = async (address: string) => {
      const before = passwords.hashesComputed;
      await login(address, 'Wrong-2026!');
      return passwords.hashesComputed - before;
    };
    // The first one may still be computing the hash that stands for nobody's.
    await hashesOf(newEmail());
    expect([await hashesOf(email), await hashesOf(newEmail())]).toEqual([1, 1]);
  });
});

test('[3.18] a sign-in is told with neither address nor device; joining, refreshing and refused attempts are none', async () => {
  const email = await member();
  const visitor = identity.visitor();
  expect((await login(email, 'Wrong-2026!')).status).toBe(401);
  expect((await visitor.login(email)).status).toBe(200);
  expect((await visitor.post('/api/auth/refresh', {}, somewhere())).status).toBe(200);
  expect((await visitor.login(email)).status).toBe(200);
  const { sub: userId, org: orgId } = claimsOf(visitor);
  const heard = await listenTo('identity', identity.env);
  const signIns = () => heard.heard.filter(({ type, key }) => type === 'MemberSignedIn' && key === userId);
  try {
    await eventually(() => expect(signIns()).toHaveLength(2));
    for (const { data, orgId: told } of signIns()) {
      expect(memberSignedIn.data.parse(data)).toEqual(data);
      expect([told, Object.keys(data as object).toSorted()]).toEqual([orgId, ['signedInAt', 'userId']]);
    }
  } finally {
    await heard.close();
  }
  expect(await identity.rows(`select from es.events where type = 'MemberSignedIn' and org_id = $1`, [orgId])).toEqual(
    [],
  );
});

test('[D38] fifty who sign in at once to one account all get in', async () => {
  const email = await member();
  const answers = await Promise.all(Array.from({ length: 50 }, () => login(email)));
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
});

test('[S07] of fifty sessions that begin at the same moment ten live', async () => {
  const email = await member();
  await identity.warm();
  const credentials = identity.app.get(Credentials);
  const person = await credentials.personOf(email, password);
  if (!person) throw new Error('the password fits');
  await Promise.all(Array.from({ length: 50 }, () => credentials.begin(person, 'test', new Date())));
  expect(
    await identity.rows('select from sessions where user_id = $1 and ended_at is null', [person.userId]),
  ).toHaveLength(10);
});
