import { randomUUID } from '@caravan/contracts/testing/seeded';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { Dependencies, type Dependency } from '../process/dependency.ts';
import { defineJob } from './job.ts';
import { Jobs } from './jobs.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { ownBackground } from '../testing/background.ts';
import { testServers } from '../testing/servers.ts';

const log = createLog({ service: 'test', level: 'silent' });
const patience = { timeout: 20_000 };
const hourSeconds = 3_600;
let isThere: boolean;
let server: Dependency;
let jobs: Jobs;

beforeEach(() => {
  isThere = true;
  const dependencies = new Dependencies(new Metrics('test', { hasProcessMetrics: false }));
  server = dependencies.of({
    name: 'server',
    budgetMilliseconds: 1_000,
    probeAfterMilliseconds: 20,
    probe: answer,
  });
  const settings = { url: testServers().redis, prefix: `t:${randomUUID()}:`, name: 'retries' };
  jobs = new Jobs(settings, { log, background: ownBackground(), dependencies });
});
afterEach(() => jobs.close());

const answer = () => (isThere ? Promise.resolve() : Promise.reject(new Error('away')));

test('waiting attempts of a job are retried as soon as the breaker of its dependency closes', async () => {
  const send = defineJob({
    name: 'retries.send',
    data: z.object({ nth: z.number() }),
    attempts: 2,
    backoffSeconds: hourSeconds,
    needs: ['server'],
    remadeBy: null,
  });
  const tried: number[] = [];
  const sent: number[] = [];
  await jobs.work(send, async (data) => {
    const { nth } = data as { nth: number };
    tried.push(nth);
    await server.call(answer);
    sent.push(nth);
  });
  isThere = false;
  await jobs.enqueue(send, { nth: 1 }, { key: 'asked in vain' });
  await expect.poll(() => tried, patience).toEqual([1]);
  await expect.poll(() => server.state, patience).not.toBe('closed');
  for (const nth of [2, 3]) await jobs.enqueue(send, { nth }, { key: `not asked ${nth}` });
  await expect.poll(() => new Set(tried).size, patience).toBe(3);
  isThere = true;
  await expect.poll(() => sent.toSorted(), patience).toEqual([1, 2, 3]);
  expect((await jobs.counts())['retries.send']).toMatchObject({ failed: 0 });
});

test('a repeated job runs at once when the breaker of its dependency closes', async () => {
  const sweep = defineJob({
    name: 'retries.sweep',
    data: z.object({}),
    attempts: 1,
    everySeconds: 600,
    needs: ['server'],
    remadeBy: null,
  });
  let swept = 0;
  let tried = 0;
  isThere = false;
  await server.call(answer).catch(() => undefined);
  await jobs.work(sweep, async () => {
    tried += 1;
    await server.call(answer);
    swept += 1;
  });
  await expect.poll(() => tried, patience).toBe(1);
  isThere = true;
  await expect.poll(() => swept, patience).toBe(1);
  expect((await jobs.counts())['retries.sweep']).toMatchObject({ failed: 0 });
});
