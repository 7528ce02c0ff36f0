import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { foundOrganisation, invite } from '../../testing/organisations.ts';
import { newEmail, password } from '../../testing/visitor.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';

const perAddress = 60;

let identity: IdentityUnderTest;
beforeAll(async () => {
  // What an operator gets, but for a limit that takes a while to reach.
  identity = await startIdentity({ FAILURES_PER_ADDRESS: String(perAddress), ADDRESS_PROBES_PER_HOUR: '' });
});
afterAll(() => identity.close());

let networks = 0;
/** One of the addresses of a connection that nobody else has. */
const somewhere = () => {
  networks += 1;
  const network = networks.toString(16);
  return (host = 1) => ({ 'x-forwarded-for': `2001:db8:${network}::${host.toString(16)}` });
};
const wrong = 'Wrong-2026!';
const login = (email: string, secret = password, from = somewhere()()) =>
  identity.visitor().post('/api/login', { email, password: secret }, from);
/** Signs in on a device that keeps its cookies. */
const loginOn = (device: Visitor, email: string, secret = password, from = somewhere()()) =>
  device.post('/api/login', { email, password: secret }, from);
const statusesOf = async (answers: Promise<Answer>[]) => (await Promise.all(answers)).map(({ status }) => status);
const count = (statuses: number[], wanted: number) => statuses.filter((status) => status === wanted).length;

/** Somebody with an account, and the device they signed up on. */
async function member() {
  const email = newEmail();
  const device = identity.visitor();
  expect((await device.signUp({ email })).status).toBe(200);
  device.cookie = undefined;
  device.token = undefined;
  return { email, device };
}

describe('guessing at one account', () => {
  test('[S15] stops after ten with 429 there, and shuts nobody out elsewhere', async () => {
    const { email, device } = await member();
    const here = somewhere();
    for (let guess = 0; guess < 10; guess += 1)
      expect((await login(email, `Wrong-${guess}!`, here(guess + 1))).status).toBe(401);
    const refused = await login(email, password, here(99));
    expect(refused).toMatchObject({ status: 429, body: { code: 'auth/too-many-attempts' } });
    expect(refused.body['message']).toMatch(
      /^Too many wrong passwords from here\. Please try again in 1[45] minutes, /,
    );
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(800);
    expect(retryAfter).toBeLessThanOrEqual(900);
    expect((await loginOn(device, email, password, here(1))).status).toBe(200);
    expect((await login(email, password)).status).toBe(200);
    expect((await login(email, password, here(1))).status).toBe(429);
  });

  test('[S15] on a known device stops after ten too, and nobody elsewhere notices', async () => {
    const { email, device } = await member();
    for (let guess = 0; guess < 10; guess += 1) expect((await loginOn(device, email, wrong)).status).toBe(401);
    expect((await loginOn(device, email)).status).toBe(429);
    expect((await login(email)).status).toBe(200);
  });

  test('[S15] with the cookie of another account is a stranger’s', async () => {
    const { email } = await member();
    const { device: others } = await member();
    const here = somewhere();
    for (let guess = 0; guess < 10; guess += 1) await login(email, wrong, here());
    expect((await loginOn(others, email, password, here())).status).toBe(429);
  });

  test('[S15] with fifty at once gets no more than ten tries', async () => {
    const { email } = await member();
    const here = somewhere();
    const statuses = await statusesOf(
      Array.from({ length: 50 }, (_, guess) => login(email, `Wrong-${guess}!`, here(guess))),
    );
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([10, 40]);
  });

  test('[S15 S16] stops in the same words where nobody has that address', async () => {
    const here = somewhere();
    const words = [];
    for (const email of [(await member()).email, newEmail()]) {
      for (let guess = 0; guess < 10; guess += 1) expect((await login(email, wrong, here())).status).toBe(401);
      const { status, body } = await login(email, wrong, here());
      words.push({ ...body, status, traceId: '' });
    }
    expect(words[0]).toMatchObject({ status: 429 });
    expect(words[1]).toEqual(words[0]);
  });

  test('[S15] begins anew after a success, which counts for nothing itself', async () => {
    const { email } = await member();
    const here = somewhere();
    for (let round = 0; round < 2; round += 1) {
      for (let guess = 0; guess < 9; guess += 1) await login(email, wrong, here());
      expect((await login(email, password, here())).status).toBe(200);
    }
    const statuses = await statusesOf(Array.from({ length: 30 }, () => login(email, password, here())));
    expect(count(statuses, 200)).toBe(30);
  });

  test('[S15] from many addresses leaves each of them one try; a right password and a known device get through', async () => {
    const { email, device } = await member();
    const army = Array.from({ length: 10 }, () => somewhere());
    for (const soldier of army)
      expect(await statusesOf(Array.from({ length: 5 }, () => login(email, wrong, soldier())))).toEqual(
        Array(5).fill(401),
      );
    expect((await login(email, wrong, army[0]?.())).status).toBe(429);
    const recruit = somewhere();
    expect((await login(email, wrong, recruit())).status).toBe(401);
    expect((await login(email, wrong, recruit(2))).status).toBe(429);
    expect((await login(email)).status).toBe(200);
    expect((await loginOn(device, email, wrong)).status).toBe(401);
    expect((await loginOn(device, email)).status).toBe(200);
  });
});

describe('guessing from one address', () => {
  test('[S15 S25] stops whatever the accounts; a known device there and other addresses go on', async () => {
    const { email, device } = await member();
    const bystander = await member();
    const here = somewhere();
    const statuses = [];
    for (let from = 0; from < perAddress; from += 20)
      statuses.push(...(await statusesOf(Array.from({ length: 20 }, (_, nth) => login(newEmail(), wrong, here(nth))))));
    expect(count(statuses, 401)).toBe(perAddress);
    expect((await login(bystander.email, password, here())).status).toBe(429);
    expect((await loginOn(device, email, password, here())).status).toBe(200);
    expect((await login(bystander.email)).status).toBe(200);
  });

  test('[S15 D1] counts invites that are guessed at sign-up, together with those that are looked up', async () => {
    const code = await invite(identity, (await foundOrganisation(identity)).orgId);
    const here = somewhere();
    const join = (guess: string, host = 1) =>
      identity.visitor().post('/api/signup', { name: 'Eve', email: newEmail(), password, invite: guess }, here(host));
    const look = (guess: string) => identity.visitor().get(`/api/invitations?code=${guess}`, here());
    const guesses = Array.from({ length: perAddress - 1 }, (_, nth) => join(`guess-${nth}`, nth));
    expect(count(await statusesOf(guesses), 422)).toBe(perAddress - 1);
    expect((await look(code)).status).toBe(200);
    expect((await look('guess')).status).toBe(404);
    expect(await join(code)).toMatchObject({ status: 429, body: { code: 'auth/too-many-attempts' } });
    expect((await look(code)).status).toBe(429);
    expect((await identity.visitor().signUp({ invite: code })).status).toBe(200);
  });

  test('[D39 S15 S25] learns of ten taken addresses an hour, with an invite or without', async () => {
    const code = await invite(identity, (await foundOrganisation(identity)).orgId);
    const people = await Promise.all(Array.from({ length: 11 }, () => member()));
    const here = somewhere();
    const signUp = (email: string, nth: number) => {
      const body = { name: 'Eve', email, password, ...(nth % 2 === 0 && { invite: code }) };
      return identity.visitor().post('/api/signup', body, here(nth));
    };
    const [last, ...first] = people.map(({ email }) => email) as [string, ...string[]];
    // Asked twice, told once: the same answer again tells nothing new.
    for (let round = 0; round < 2; round += 1)
      expect(await statusesOf(first.map((email, nth) => signUp(email.toUpperCase(), nth)))).toEqual(
        Array(10).fill(409),
      );
    for (const email of [last, newEmail()]) {
      const refused = await signUp(email, 1);
      expect(refused).toMatchObject({ status: 429, body: { code: 'auth/too-many-attempts' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
    }
    expect((await identity.visitor().signUp({ email: last })).status).toBe(409);
  });

  test('[D38] takes fifty newcomers at once', async () => {
    const here = somewhere();
    const fields = () => ({ name: 'Maya', email: newEmail(), password });
    const statuses = await statusesOf(
      Array.from({ length: 50 }, (_, nth) => identity.visitor().post('/api/signup', fields(), here(nth))),
    );
    expect(count(statuses, 200)).toBe(50);
  });
});
