import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { LiveAnnouncement } from '@caravan/contracts/http/live';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Dependency } from '../process/dependency.ts';
import { createLog } from '../telemetry/log.ts';
import { Live } from '../live/live.ts';
import {
  channelName,
  closeRedis,
  createRedis,
  createSubscriber,
  isRedisReady,
  type Redis,
  redisDependency,
} from './redis.ts';
import { testServers } from '../testing/servers.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';
import { ownBackground } from '../testing/background.ts';

const prefix = `t:${randomUUID()}:`;
const redisHere = new Dependency(redisDependency);
let proxy: TcpProxy;
let redis: Redis;
let subscriber: Redis;

beforeAll(async () => {
  const url = new URL(testServers().redis);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  redis = createRedis({ url: url.href, prefix, name: 'test', dependency: redisHere });
  subscriber = createSubscriber({ url: url.href, name: 'test', background: ownBackground() });
  expect(await isRedisReady(redis)).toBe(true);
});
afterAll(async () => {
  await closeRedis(redis);
  await closeRedis(subscriber);
  await proxy.close();
});

test('keys carry the prefix of the installation', async () => {
  await redis.set('sid:1', 'live', 'EX', 60);
  const direct = createRedis({ url: testServers().redis, name: 'direct' });
  await isRedisReady(direct);
  expect(await direct.get(`${prefix}sid:1`)).toBe('live');
  await closeRedis(direct);
});

test('[D35] what changes is heard at once, a burst of changes as one more message, also after Redis was away', async () => {
  const heard: string[] = [];
  const log = createLog({ service: 'test', level: 'silent' });
  const live = new Live(redis, log, ownBackground());
  subscriber.on('message', (_channel, message) => heard.push(message));
  await subscriber.subscribe(channelName(redis, 'live:org-1'));
  live.publish('org-1', ['feed', 'board']);
  live.publish('org-1', ['me']);
  live.publish('org-1', ['me', 'stats']);
  live.publish('org-1', ['me'], { to: 'maya' });
  live.publish('org-1', ['me', 'logs'], { to: 'maya' });
  await expect
    .poll(() => heard)
    .toEqual(['{"kinds":["feed","board"]}', '{"kinds":["me","stats"],"persons":{"maya":["me","logs"]}}']);

  await proxy.cut();
  expect(() => live.publish('org-1', ['me'])).not.toThrow();
  await proxy.restore();
  const heardAgain = () => {
    live.publish('org-1', ['branding']);
    return heard.at(-1);
  };
  await expect.poll(heardAgain).toContain('branding');
});

test.each(['away', 'hanging'])('[S18] what changes while Redis is %s is told when it is back', async (how) => {
  await expect.poll(() => redis.status).toBe('ready');
  const orgId = `org-${how}`;
  const heard: LiveAnnouncement[] = [];
  const direct = createSubscriber({ url: testServers().redis, name: 'direct', background: ownBackground() });
  direct.on('message', (_channel, message) => heard.push(JSON.parse(message) as LiveAnnouncement));
  await direct.subscribe(channelName(redis, `live:${orgId}`));
  const live = new Live(redis, createLog({ service: 'test', level: 'silent' }), ownBackground());
  if (how === 'away') await proxy.cut();
  else proxy.freeze();
  live.publish(orgId, ['feed']);
  await expect.poll(() => redis.status).not.toBe('ready');
  live.publish(orgId, ['me'], { to: 'maya', teams: { teamIds: ['thunder'], kinds: ['challenges'] } });
  if (how === 'away') await proxy.restore();
  else proxy.thaw();
  const receivedNews = () => ({
    kinds: heard.flatMap(({ kinds }) => kinds),
    persons: Object.assign({}, ...heard.map(({ persons }) => persons)) as object,
    teams: Object.assign({}, ...heard.map(({ teams }) => teams)) as object,
  });
  await expect
    .poll(receivedNews)
    .toEqual({ kinds: ['feed'], persons: { maya: ['me'] }, teams: { thunder: ['challenges'] } });
  await closeRedis(direct);
});

test('[S42] while Redis is away a command fails at once and is not sent later', async () => {
  await expect.poll(() => redis.status).toBe('ready');
  await proxy.cut();
  await expect.poll(() => redis.status).not.toBe('ready');
  await expect(redis.set('late', '1', 'EX', 60)).rejects.toThrow("Stream isn't writeable");
  await proxy.restore();
  await expect.poll(() => redis.status).toBe('ready');
  expect(await redis.get('late')).toBeNull();
});

test('[S42] a Redis that hangs is left alone after the first command without an answer, until it greets again', async () => {
  await expect.poll(() => redis.status).toBe('ready');
  proxy.freeze();
  const [first, second] = await Promise.allSettled([redis.get('a'), redis.set('b', '1')]);
  expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
  expect(redisHere.state).toBe('open');
  for (let call = 0; call < 100; call += 1) await expect(redis.get('a')).rejects.toThrow("Stream isn't writeable");
  proxy.thaw();
  await expect.poll(() => redis.status).toBe('ready');
  expect([redisHere.state, await redis.get('late')]).toEqual(['closed', null]);
});

test('[S42] an answer that lies in the socket while this process was busy is no silence', async () => {
  const direct = createRedis({ url: testServers().redis, prefix, name: 'direct' });
  expect(await isRedisReady(direct)).toBe(true);
  const asked = direct.get('a');
  await new Promise((resolve) => setImmediate(resolve));
  const until = performance.now() + 2 * redisDependency.budgetMilliseconds;
  while (performance.now() < until);
  expect([await asked, direct.status]).toEqual([null, 'ready']);
  await closeRedis(direct);
});
