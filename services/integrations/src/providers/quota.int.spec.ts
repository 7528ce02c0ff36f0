import { randomBytes } from '@caravan/contracts/testing/seeded';
import { closeRedis, createRedis, isRedisReady, type Redis } from '@caravan/service-kit/storage/redis';
import { testServers } from '@caravan/service-kit/testing/servers';
import { startStrava, type StravaSimulator } from '@caravan/simulators/strava/strava';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { providersOf } from '../testing/platforms.ts';
import { ProviderFailure, type Purpose } from './provider.ts';
import { Quota } from './quota.client.ts';

const clock = { is: Date.UTC(2026, 9, 5, 10, 1) };
let redis: Redis;
let strava: StravaSimulator;
let quota: Quota;

const connect = async (prefix: string) => {
  const opened = createRedis({ url: testServers().redis, name: 'quota', prefix });
  await isRedisReady(opened);
  return opened;
};
const newPrefix = () => `t:${randomBytes(5).toString('hex')}:`;
let prefix: string;
beforeAll(async () => {
  strava = await startStrava({ now: () => clock.is });
});
beforeEach(async () => {
  clock.is += 86_400_000;
  strava.usage.limits = { overall: [40, 400], read: [20, 200] };
  strava.usage.refused = 0;
  prefix = newPrefix();
  redis = await connect(prefix);
  quota = new Quota(redis, 'strava', () => clock.is);
});
afterEach(() => closeRedis(redis));
afterAll(() => strava.close());

/** One call of the app, through the quota. */
async function ask(purpose: Purpose, through = quota): Promise<'answered' | 'refused' | 'busy'> {
  try {
    const taken = await through.take(purpose);
    const answer = await fetch(`${strava.url}/api/v3/athlete/activities`);
    await answer.body?.cancel();
    await through.learn(taken, answer);
    return answer.status === 429 ? 'refused' : 'answered';
  } catch (error) {
    if (error instanceof ProviderFailure) return 'busy';
    throw error;
  }
}
const askedFor = async (purpose: Purpose, times: number) => {
  const outcomes: string[] = [];
  for (let nth = 0; nth < times; nth += 1) outcomes.push(await ask(purpose));
  return outcomes.filter((outcome) => outcome === 'answered').length;
};

test('[S34] a fifth of a quota is kept for what the platform tells us of, two fifths for those who wait', async () => {
  expect(await askedFor('background', 30)).toBe(12);
  expect(await askedFor('person', 30)).toBe(4);
  expect(await askedFor('notice', 30)).toBe(4);
  expect([strava.usage.usage()[0], strava.usage.refused]).toEqual([20, 0]);
});

test('[S34] a quota that is used up says when it is whole again, and then it is', async () => {
  await askedFor('notice', 20);
  const refused = await quota.take('notice').catch((error: unknown) => error);
  // 10:01 until 10:15, and two seconds for clocks that differ.
  expect(refused).toMatchObject({ why: 'busy', retryAfterSeconds: 14 * 60 + 2 });
  clock.is += 14 * 60_000 + 2_000;
  expect(await ask('notice')).toBe('answered');
});

test('[S34] a day has an end of its quota, too', async () => {
  strava.usage.limits = { overall: [40, 30], read: [20, 25] };
  expect(await askedFor('notice', 20)).toBe(20);
  clock.is += 15 * 60_000;
  expect(await askedFor('notice', 20)).toBe(5);
  expect(strava.usage.refused).toBe(0);
});

test('[S34] what others use of the app is seen and left to them', async () => {
  await ask('notice');
  strava.usage.spend(12);
  expect(await askedFor('notice', 30)).toBe(7);
  expect(strava.usage.refused).toBe(0);
});

test('[S34] a hundred calls at once of three processes never exceed the quota', async () => {
  await ask('notice');
  const others = await Promise.all([connect(prefix), connect(prefix)]);
  const quotas = [redis, ...others].map((each) => new Quota(each, 'strava', () => clock.is));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, nth) => ask(nth % 2 === 0 ? 'person' : 'notice', quotas[nth % 3])),
  );
  expect(outcomes.filter((outcome) => outcome === 'refused')).toEqual([]);
  expect(strava.usage.usage()[0]).toBeLessThanOrEqual(20);
  expect(outcomes.filter((outcome) => outcome === 'answered').length).toBeGreaterThan(5);
  await Promise.all(others.map(closeRedis));
});

test('[S34] when Redis has forgotten the quota one call finds out before others are asked', async () => {
  await ask('notice');
  strava.usage.spend(18);
  const keys = await redis.keys(`${prefix}*`);
  await redis.del(...keys.map((key) => key.slice(prefix.length)));
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => ask('notice')));
  expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(1);
  expect(await askedFor('notice', 5)).toBe(0);
  expect([strava.usage.usage()[0], strava.usage.refused]).toEqual([20, 0]);
});

test('[S34] a platform that refuses all the same is not asked again in its window', async () => {
  const taken = await quota.take('notice');
  await quota.learn(taken, new Response('', { status: 429 }));
  expect(await askedFor('notice', 5)).toBe(0);
});

test('[S34] without Redis nobody is asked, since nobody could count', async () => {
  const away = createRedis({ url: 'redis://127.0.0.1:9', name: 'away' });
  await expect(new Quota(away, 'strava').take('notice')).rejects.toMatchObject({ why: 'busy', retryAfterSeconds: 5 });
  await closeRedis(away);
});

test('[S34] what is left of the quota stands in the figures', async () => {
  const own = await providersOf({ ...strava.env, REDIS_PREFIX: 'unused:' });
  expect(await own.metrics.registry.metrics()).not.toContain('caravan_provider_quota_left{');
  const day = { from: new Date(0), to: new Date() };
  await expect(own.providers.of('strava').list('nobody', day)).rejects.toMatchObject({ why: 'reconnect' });
  const text = await own.metrics.registry.metrics();
  expect(text).toMatch(/caravan_provider_quota_left\{provider="strava",window="fifteen-minutes".*\} \d+/);
  expect(text).toMatch(/caravan_provider_quota_left\{provider="strava",window="day".*\} \d+/);
  await own.close();
});
