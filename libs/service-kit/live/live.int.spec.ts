import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { LiveAnnouncement, LiveKind } from '@caravan/contracts/http/live';
import { afterEach, describe, expect, test } from 'vitest';
import type { ServiceEnv } from '../process/env.ts';
import { Live } from './live.ts';
import { createLog } from '../telemetry/log.ts';
import { channelName, closeRedis, createRedis, createSubscriber, isRedisReady } from '../storage/redis.ts';
import { ownBackground } from '../testing/background.ts';
import { openPages } from '../testing/open-pages.ts';
import { testServers } from '../testing/servers.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const log = createLog({ service: 'test', level: 'silent' });

/** Several processes of one service, and everything that they publish for an organisation. */
async function processes(count: number) {
  const orgId = randomUUID();
  const prefix = `t:${randomUUID()}:`;
  const settings = { url: testServers().redis, prefix, name: 'test' };
  const redis = createRedis(settings);
  const subscriber = createSubscriber({ ...settings, background: ownBackground() });
  endings.push(() => Promise.all([redis, subscriber].map(closeRedis)));
  await isRedisReady(redis);
  const announced: LiveAnnouncement[] = [];
  subscriber.on('message', (_channel, message) => announced.push(JSON.parse(message) as LiveAnnouncement));
  await subscriber.subscribe(channelName(redis, `live:${orgId}`));
  const env = { REDIS_URL: testServers().redis, REDIS_PREFIX: prefix, SERVICE_NAME: 'scoring' };
  const start = async () => {
    const own = createRedis(settings);
    await isRedisReady(own);
    const live = new Live(own, log, ownBackground(), env as ServiceEnv);
    endings.push(async () => {
      await live.onModuleDestroy();
      await closeRedis(own);
    });
    return live;
  };
  const all = await Promise.all(Array.from({ length: count }, start));
  const kinds = () => announced.flatMap((announcement) => announcement.kinds);
  return { all, announced, kinds, orgId, redis, env };
}

describe('several processes of a service', () => {
  test('[D35] publish what is due in a tick as one message', async () => {
    const { all, announced, kinds, orgId } = await processes(3);
    all[0]?.publish(orgId, ['feed']);
    await expect.poll(kinds).toEqual(['feed']);
    // Another process has published for this organisation just now.
    const later: LiveKind[] = ['board', 'stats', 'journey', 'badges', 'challenges', 'comments'];
    later.forEach((kind, nth) => all[nth % 3]?.publish(orgId, [kind]));
    all[1]?.publish(orgId, ['me'], { to: 'maya', teams: { teamIds: [orgId], kinds: ['teams'] } });
    await expect.poll(() => kinds().toSorted()).toEqual(['feed', ...later].toSorted());
    // The process that had the turn publishes its own, and one of the others what all of them handed over.
    expect(announced.length).toBeLessThanOrEqual(3);
    const persons = Object.assign({}, ...announced.map((announcement) => announcement.persons)) as object;
    expect(persons).toEqual({ maya: ['me'] });
  });

  test('[D35] answer once what a page asked all of them for', async () => {
    const { all, announced, orgId, env, redis } = await processes(3);
    const reader = randomUUID();
    let composed = 0;
    for (const live of all) {
      live.compose('board', async () => {
        composed += 1;
        return { all: { users: [] } };
      });
      live.onApplicationBootstrap();
    }
    const listening = async () => (await redis.pubsub('NUMSUB', channelName(redis, 'live-requests')))[1];
    await expect.poll(listening).toBe(3);
    const pages = await openPages(env, orgId, { readers: [reader], topics: ['board'] });
    endings.push(() => pages.close());
    await pages.want();
    await expect.poll(() => pages.partGiven(reader, 'board')).toEqual({ users: [] });
    // Every process has looked again by the time that a later message of each has been published.
    for (const live of all) {
      const before = announced.length;
      live.publish(orgId, ['branding']);
      await expect.poll(() => announced.length).toBeGreaterThan(before);
    }
    expect(composed).toBe(1);
  });

  test('[D35 F01] a message is published by another process when the one that had the turn died', async () => {
    const { all, kinds, orgId, redis } = await processes(2);
    await redis.set(`live-turn:scoring:${orgId}`, 'a process that died', 'PX', 300);
    for (const live of all) live.publish(orgId, ['feed']);
    await expect.poll(kinds).toEqual(['feed']);
  });
});
