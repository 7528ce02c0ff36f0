import { randomUUID } from '@caravan/contracts/testing/seeded';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { BackgroundWork } from '../telemetry/background-work.ts';
import { defineJob } from '../jobs/job.ts';
import { Jobs } from '../jobs/jobs.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { closeRedis, createRedis, createSubscriber, isRedisReady, type Redis } from './redis.ts';
import { testServers } from '../testing/servers.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';

const log = createLog({ service: 'test', level: 'silent' });
const heartbeat = { everyMilliseconds: 50, answerMilliseconds: 500, blockingMilliseconds: 10_000 };
const patience = { timeout: 30_000 };
const prefix = `t:${randomUUID()}:`;
let proxy: TcpProxy;
let url: string;
let background: BackgroundWork;
let direct: Redis;

beforeEach(async () => {
  const server = new URL(testServers().redis);
  proxy = await startTcpProxy({ host: server.hostname, port: Number(server.port) });
  server.port = String(proxy.port);
  url = server.href;
  background = new BackgroundWork(new Metrics('test', { hasProcessMetrics: false }));
  direct = createRedis({ url: testServers().redis, name: 'direct' });
  expect(await isRedisReady(direct)).toBe(true);
});
afterEach(async () => {
  await closeRedis(direct);
  await proxy.close();
});

test('a subscriber whose connection went silent reconnects and receives later messages', async () => {
  const subscriber = createSubscriber({ url, name: 'silent', heartbeat, background });
  const heard: string[] = [];
  subscriber.on('message', (_channel, message) => heard.push(message));
  await subscriber.subscribe(`${prefix}news`);
  proxy.silence();
  const say = async () => {
    await direct.publish(`${prefix}news`, 'said again');
    return heard.length;
  };
  await expect.poll(say, patience).toBeGreaterThan(0);
  await closeRedis(subscriber);
});

test('an idle connection for commands that went silent is replaced before its next use', async () => {
  const redis = createRedis({ url, prefix, name: 'idle', heartbeat });
  expect(await isRedisReady(redis)).toBe(true);
  const lost = new Promise((resolve) => redis.once('close', resolve));
  proxy.silence();
  await lost;
  expect(await isRedisReady(redis)).toBe(true);
  expect(await redis.ping()).toBe('PONG');
  await closeRedis(redis);
});

test('a repeated job runs again after all connections of its worker went silent', async () => {
  const tick = defineJob({ name: 'silent.tick', data: z.object({}), attempts: 1, everySeconds: 1 });
  const jobs = new Jobs({ url, prefix, name: 'silent-jobs', heartbeat }, { log, background });
  let runs = 0;
  await jobs.work(tick, () => Promise.resolve(void (runs += 1)));
  await expect.poll(() => runs, patience).toBeGreaterThan(1);
  proxy.silence();
  runs = 0;
  await expect.poll(() => runs, patience).toBeGreaterThan(1);
  await jobs.close();
});

test('a job that Redis did not take is enqueued as soon as Redis is back', async () => {
  const count = defineJob({ name: 'silent.count', data: z.object({ to: z.number() }), remadeBy: null });
  const jobs = new Jobs({ url, prefix, name: 'silent-jobs', heartbeat }, { log, background });
  const counted: number[] = [];
  await jobs.work(count, (data) => Promise.resolve(void counted.push((data as { to: number }).to)));
  await jobs.enqueue(count, { to: 1 }, { key: 'first' });
  await expect.poll(() => counted, patience).toEqual([1]);
  await proxy.cut();
  await expect(jobs.enqueue(count, { to: 2 }, { key: 'refused' })).rejects.toThrow();
  await jobs.enqueueOrKeep(count, { to: 3 }, { key: 'kept' });
  await proxy.restore();
  await expect.poll(() => counted, patience).toEqual([1, 3]);
  await jobs.close();
});
