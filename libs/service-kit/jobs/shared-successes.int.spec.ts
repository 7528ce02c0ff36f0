import { randomUUID } from '@caravan/contracts/testing/seeded';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BackgroundWork } from '../telemetry/background-work.ts';
import type { ServiceEnv } from '../process/env.ts';
import { closeRedis, createRedis, isRedisReady, type Redis } from '../storage/redis.ts';
import { SharedSuccesses } from './shared-successes.ts';
import { ownBackground } from '../testing/background.ts';
import { testServers } from '../testing/servers.ts';

const env = { SERVICE_NAME: 'social' } as ServiceEnv;
const prefix = `t:${randomUUID()}:`;
let redis: Redis;

beforeAll(async () => {
  redis = createRedis({ url: testServers().redis, prefix, name: 'test' });
  expect(await isRedisReady(redis)).toBe(true);
});
afterAll(() => closeRedis(redis));

/** One of several processes of a service. */
function processOf(background: BackgroundWork) {
  const job = background.register({ kind: 'job', name: 'social.end-ballots', lateAfterSeconds: 60, isShared: true });
  const timer = background.register({ kind: 'timer', name: 'own', lateAfterSeconds: 60 });
  return { background, job, timer, successes: new SharedSuccesses(redis, background, env) };
}

test('a repeated job that succeeded in one process of a service is late in none of its processes', async () => {
  const [first, second, third] = [ownBackground(), ownBackground(), ownBackground()].map(processOf);
  if (!first || !second || !third) throw new Error('There are three processes');
  first.job.recordSuccess();
  first.timer.recordSuccess();
  for (const { successes } of [first, second, third]) await successes.share();
  expect([second, third].map(({ job }) => job.lastSuccessAt)).toEqual([
    first.job.lastSuccessAt,
    first.job.lastSuccessAt,
  ]);
  // Timers are not shared: each process runs its own.
  expect(second.timer.lastSuccessAt).toBeUndefined();
});

test('a process whose clock is ahead reports no success in the future', async () => {
  const [ahead, here] = [ownBackground(), ownBackground()].map(processOf);
  if (!ahead || !here) throw new Error('There are two processes');
  ahead.job.recordSuccess(Date.now() + 3_600_000);
  for (const { successes } of [ahead, here]) await successes.share();
  expect(here.job.lastSuccessAt).toBeLessThanOrEqual(Date.now());
});
