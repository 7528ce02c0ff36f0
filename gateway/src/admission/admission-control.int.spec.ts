import { randomUUID } from '@caravan/contracts/testing/seeded';
import { RedisSessionCache } from '@caravan/auth/session-cache';
import { SessionLiveness } from '@caravan/auth/session-liveness';
import { signTestToken, testClaims, testKey, testKeys, testRules } from '@caravan/auth/testing/tokens';
import { RefusedToken, TokenVerifier } from '@caravan/auth/token-verifier';
import type { Rejected } from '@caravan/kernel/rejected';
import { Limits } from '@caravan/service-kit/storage/limits';
import { closeRedis, createRedis, isRedisReady } from '@caravan/service-kit/storage/redis';
import { testServers } from '@caravan/service-kit/testing/servers';
import { startTcpProxy } from '@caravan/service-kit/testing/tcp-proxy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';
import { gatewayEnvSchema } from '../env.ts';
import { AdmissionControl, type AdmissionLimits } from './admission-control.ts';

const key = testKey();
const settings = { url: testServers().redis, prefix: `admission-${randomUUID()}:`, name: 'test' };
const connections = [createRedis(settings), createRedis(settings)] as const;
const cache = {
  read: () => Promise.resolve('live' as const),
  onEnded: () => Promise.resolve(),
  onInterrupted: () => undefined,
  isListening: () => true,
};
const source = { stateOf: () => Promise.resolve('live' as const) };

beforeAll(async () => {
  for (const each of connections) expect(await isRedisReady(each)).toBe(true);
});
afterAll(() => Promise.all(connections.map(closeRedis)));

/** Gates of two processes. */
const admissions = (limits: Partial<AdmissionLimits>) =>
  connections.map((each) => {
    const tokens = new TokenVerifier(testRules, testKeys(key));
    const all = {
      perAccount: 1_000,
      perAddress: 1_000,
      filesPerAddress: 1_000,
      deliveriesPerAddress: 1_000,
      writesFactor: 1,
      ...limits,
    };
    return new AdmissionControl(
      { tokens, sessions: new SessionLiveness(cache, source), limits: new Limits(each), refusedTokens },
      all,
    );
  }) as [AdmissionControl, AdmissionControl];

const noted: unknown[] = [];
const refusedTokens = {
  note: (error: unknown) => {
    if (error instanceof RefusedToken) noted.push(error.fault);
  },
};
const letIn = (admission: AdmissionControl, authorization: string | undefined, address: string) =>
  admission.admit({ authorization, address }, 'member');

/** How many of so many pass, all asking at once of both processes. */
async function passing(count: number, ask: (index: number) => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, index) => ask(index)));
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}
const bearerOf = async (claims: object) => `Bearer ${await signTestToken(key, claims)}`;
let networks = 0;
const somewhere = () => `198.51.100.${(networks += 1)}`;

describe('admission control', () => {
  test('[S25] lets an account ask as often as it may wherever it is, through all processes together', async () => {
    const [one, other] = admissions({ perAccount: 200 });
    const bearer = await bearerOf(testClaims());
    expect(await passing(300, (index) => letIn(index % 2 === 0 ? one : other, bearer, somewhere()))).toBe(200);
    const refusal = await letIn(one, bearer, somewhere()).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ kind: 'too-many', code: 'request/too-many' });
    expect(refusal).toHaveProperty('message', expect.stringMatching(/wait \d+ seconds and try again/));
    await letIn(other, await bearerOf(testClaims()), somewhere());
  });

  test('[S25] counts what is open by address, each operation apart, whoever else is signed in there', async () => {
    const [one, other] = admissions({ perAddress: 40 });
    const office = somewhere();
    expect(await passing(60, (index) => (index % 2 === 0 ? one : other).countOpen('/api/login', office))).toBe(40);
    await one.countOpen('/api/signup', office);
    await one.countOpen('/api/login', somewhere());
    await letIn(one, await bearerOf(testClaims()), office);
  });

  test('[S33] lets a platform tell of all its members from one address, and nobody tell without end', async () => {
    const [one, other] = admissions({ perAddress: 20, deliveriesPerAddress: 60 });
    const platform = somewhere();
    const path = '/api/webhooks/google-health';
    expect(await passing(90, (index) => (index % 2 === 0 ? one : other).countDelivery(path, platform))).toBe(60);
    await one.countOpen('/api/login', platform);
    await one.countDelivery(path, somewhere());
  });

  test('[S25] counts an IPv6 address by its /64', async () => {
    const [admission] = admissions({ perAddress: 20, filesPerAddress: 20 });
    const open = (index: number) => admission.countOpen('/api/login', `2001:db8:1:2::${index.toString(16)}`);
    expect(await passing(30, open)).toBe(20);
    expect(await passing(30, (index) => admission.countFile(`2001:db8:1:2::${index.toString(16)}`))).toBe(20);
    await admission.countOpen('/api/login', '2001:db8:1:3::1');
  });

  test('[S25 S38] counts refused tokens by address, and none that is good', async () => {
    const [one, other] = admissions({ perAddress: 2 });
    const office = somewhere();
    const good = await Promise.all(Array.from({ length: 60 }, () => bearerOf(testClaims())));
    for (const bearer of good) await letIn(one, bearer, office);
    const kinds = [];
    for (let index = 0; index < 21; index += 1)
      kinds.push(
        await letIn(index % 2 === 0 ? one : other, 'Bearer x.y.z', office).catch(
          (error: unknown) => (error as Rejected).kind,
        ),
      );
    expect(kinds).toEqual([...Array<string>(20).fill('unauthenticated'), 'too-many']);
    expect(noted.splice(0)).toEqual(Array<string>(20).fill('malformed'));
    await letIn(one, good[0], office);
  });
});

describe('with the settings that an operator gets', () => {
  const limitOf = (name: 'ACCOUNT' | 'ADDRESS') =>
    gatewayEnvSchema.shape[`LIMIT_PER_${name}_PER_MINUTE`].parse(undefined);
  const files = gatewayEnvSchema.shape.LIMIT_FILES_PER_ADDRESS_PER_MINUTE.parse(undefined);
  let under: GatewayUnderTest;
  beforeAll(async () => {
    under = await startGatewayUnderTest((_request, response) => response.end('{}'), {
      LIMIT_PER_ACCOUNT_PER_MINUTE: limitOf('ACCOUNT'),
      LIMIT_PER_ADDRESS_PER_MINUTE: limitOf('ADDRESS'),
      LIMIT_FILES_PER_ADDRESS_PER_MINUTE: files,
      TRUSTED_PROXIES: '127.0.0.1',
    });
  });
  afterAll(() => under.close());

  const office = { 'x-forwarded-for': '2001:db8:aaaa:bbbb::7' };
  const pages = ['me', 'org/branding', 'dashboard/stats', 'weekly-challenges', 'bonus-challenge', 'journey'];
  const calls = [...pages, 'user/badges', 'me/settings', 'feed/all?limit=10', 'leaderboard'];
  /** Statuses of so many requests, fifty at a time. */
  async function statuses(count: number, ask: (index: number) => Promise<Response>): Promise<Record<number, number>> {
    const seen: Record<number, number> = {};
    for (let from = 0; from < count; from += 50) {
      const some = Array.from({ length: 50 }, (_, index) => ask(from + index));
      for (const { status } of await Promise.all(some)) seen[status] = (seen[status] ?? 0) + 1;
    }
    return seen;
  }

  test('[S25 D38] an office of a thousand behind one address signs in and views its pages within a minute', async () => {
    const people = Array.from({ length: 50 }, () => testClaims());
    const redis = createRedis({ url: testServers().redis, prefix: under.prefix, name: 'test' });
    expect(await isRedisReady(redis)).toBe(true);
    await Promise.all(people.map(({ sid }) => new RedisSessionCache(redis, redis).putLive(String(sid))));
    await closeRedis(redis);
    const tokens = await Promise.all(people.map((claims) => under.tokenFor(claims)));
    const refresh = () => under.call('/api/auth/refresh', { method: 'POST', headers: office, body: '{}' });
    expect(await statuses(1_000, refresh)).toEqual({ 200: 1_000 });
    expect(await statuses(200, () => under.call('/dashboard', { headers: office }))).toEqual({ 200: 200 });
    const view = (index: number) =>
      under.call(`/api/${calls[index % calls.length]}`, { as: tokens[index % tokens.length] ?? '', headers: office });
    expect(await statuses(1_000, view)).toEqual({ 200: 1_000 });
  });

  test('[S25 D38] five hundred people at one address, with two browsers of six connections each, meet no limit', () => {
    const limits = gatewayEnvSchema.shape;
    expect(limits.LIMIT_CONNECTIONS_PER_ADDRESS.parse(undefined)).toBeGreaterThan(500 * 2 * 6);
    expect(limits.LIMIT_UNFINISHED_BODIES_PER_ADDRESS.parse(undefined)).toBeGreaterThan(500 * 2);
    // Sixty kilobytes of each of them at once; a log has one.
    const halfBytes = (limits.LIMIT_UNFINISHED_MEGABYTES.parse(undefined) * 1024 * 1024) / 2;
    expect(halfBytes).toBeGreaterThan(500 * 60 * 1024);
  });

  test('[S25 D38] the worst minute of three devices with a dashboard each stays well below what an account may ask', () => {
    // Measured before news travelled in the stream (design/live-pages.md): 90 GETs per open page in ten seconds of a busy organisation.
    expect(limitOf('ACCOUNT')).toBeGreaterThan(1.8 * 3 * 90 * 6);
  });
});

test('[S42 F05] with a Redis that hangs everybody is let in by identity, and counted here', async () => {
  const redis = new URL(testServers().redis);
  const proxy = await startTcpProxy({ host: redis.hostname, port: Number(redis.port) });
  redis.port = String(proxy.port);
  const under = await startGatewayUnderTest((_request, response) => response.end('{}'), {
    REDIS_URL: redis.href,
    LIMIT_PER_ACCOUNT_PER_MINUTE: 100,
  });
  expect((await under.call('/api/me')).status).toBe(200);
  proxy.freeze();
  const strangers = await Promise.all(Array.from({ length: 20 }, () => under.tokenFor(testClaims())));
  under.asked.length = 0;
  for (const as of strangers) expect((await under.call('/api/me', { as })).status).toBe(200);
  expect(under.asked).toHaveLength(strangers.length);
  const busy = await under.tokenFor(testClaims());
  const statuses = await Promise.all(
    Array.from({ length: 120 }, async () => (await under.call('/api/me', { as: busy })).status),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  proxy.thaw();
  await under.close();
  await proxy.close();
});
