import { randomUUID } from '@caravan/contracts/testing/seeded';
import {
  closeRedis,
  createRedis,
  createSubscriber,
  isRedisReady,
  type Redis,
} from '@caravan/service-kit/storage/redis';
import { ownBackground } from '@caravan/service-kit/testing/background';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterAll, describe, expect, test } from 'vitest';
import { RedisSessionCache } from './session-cache.ts';
import { SessionLiveness } from './session-liveness.ts';

const open: Redis[] = [];
afterAll(() => Promise.all(open.map(closeRedis)));

/** What one process of an installation has. */
async function startProcess(prefix: string) {
  const settings = { url: testServers().redis, prefix, name: 'test' };
  const redis = createRedis(settings);
  const subscriber = createSubscriber({ ...settings, background: ownBackground() });
  open.push(redis, subscriber);
  await Promise.all([isRedisReady(redis), isRedisReady(subscriber)]);
  const cache = new RedisSessionCache(redis, subscriber);
  // Whatever is asked about lives, so only the announcement can tell of an end.
  const announced = {
    read: () => Promise.resolve('live' as const),
    onEnded: cache.onEnded.bind(cache),
    onInterrupted: cache.onInterrupted.bind(cache),
    isListening: cache.isListening.bind(cache),
  };
  const sessions = new SessionLiveness(announced, { stateOf: () => Promise.reject(new Error('away')) });
  await sessions.listen();
  return { redis, subscriber, cache, sessions };
}

describe('the cache in Redis', () => {
  test('[S04] tells every process at once that sessions have ended, also those it knew as live', async () => {
    const prefix = `t:${randomUUID()}:`;
    const identity = await startProcess(prefix);
    const activity = await startProcess(prefix);
    const one = randomUUID();
    const other = randomUUID();
    const third = randomUUID();
    for (const sid of [one, other, third]) await identity.cache.putLive(sid);
    for (const sid of [one, other, third]) await activity.sessions.assertLive(sid);
    await identity.cache.putEnded([one, other]);
    const ended = { code: 'auth/session-ended' };
    await expect.poll(() => activity.sessions.assertLive(one).catch((error: unknown) => error)).toMatchObject(ended);
    await expect(activity.sessions.assertLive(other)).rejects.toMatchObject(ended);
    await expect(activity.sessions.assertLive(third)).resolves.toBeUndefined();
  });

  test('[S04] a process that loses its connection to Redis knows that it may have missed announcements', async () => {
    const { cache, subscriber } = await startProcess(`t:${randomUUID()}:`);
    let interruptions = 0;
    cache.onInterrupted(() => (interruptions += 1));
    subscriber.disconnect(true);
    await expect.poll(() => interruptions).toBe(1);
  });

  test('[S04] whoever ends a session refuses it before the announcement is heard', async () => {
    const { cache, sessions } = await startProcess(`t:${randomUUID()}:`);
    const sid = randomUUID();
    await cache.putLive(sid);
    await sessions.assertLive(sid);
    const ending = cache.putEnded([sid]);
    await expect(sessions.assertLive(sid)).rejects.toMatchObject({ code: 'auth/session-ended' });
    await ending;
  });

  test('[S04] an end is final: nothing makes the session live again', async () => {
    const { cache } = await startProcess(`t:${randomUUID()}:`);
    const sid = randomUUID();
    await cache.putEnded([sid]);
    await cache.putLive(sid);
    expect(await cache.read(sid)).toBe('ended');
  });

  test('[S04] forgets by itself, and believes nothing it did not write', async () => {
    const { cache, redis } = await startProcess(`t:${randomUUID()}:`);
    const sid = randomUUID();
    expect(await cache.read(sid)).toBeUndefined();
    await cache.putLive(sid);
    expect(await redis.ttl(`sid:${sid}`)).toBeGreaterThan(0);
    await redis.set(`sid:${sid}`, 'whatever');
    expect(await cache.read(sid)).toBeUndefined();
  });

  test('[S04] of one installation says nothing to another on the same server', async () => {
    const ours = await startProcess(`t:${randomUUID()}:`);
    const theirs = await startProcess(`t:${randomUUID()}:`);
    const sid = randomUUID();
    await ours.cache.putLive(sid);
    await ours.sessions.assertLive(sid);
    await theirs.cache.putEnded([sid]);
    await expect(ours.sessions.assertLive(sid)).resolves.toBeUndefined();
    expect(await ours.cache.read(sid)).toBe('live');
  });
});
