import { randomUUID } from '@caravan/contracts/testing/seeded';
import { Rejected } from '@caravan/kernel/rejected';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LimitReached, Limits, type Taken } from './limits.ts';
import { closeRedis, createRedis, isRedisReady, type Redis } from './redis.ts';
import { testServers } from '../testing/servers.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';

const prefix = `t:${randomUUID()}:`;
let proxy: TcpProxy;
let connections: Redis[];
let processes: Limits[];

beforeAll(async () => {
  const url = new URL(testServers().redis);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  connections = Array.from({ length: 3 }, (_, nth) => createRedis({ url: url.href, prefix, name: `limits-${nth}` }));
  processes = connections.map((redis) => new Limits(redis));
  for (const redis of connections) expect(await isRedisReady(redis)).toBe(true);
});
afterAll(async () => {
  await Promise.all(connections.map(closeRedis));
  await proxy.close();
});

const perMinute = (points: number, name = 'guess') => ({ name, points, seconds: 60 });
const nth = (index: number): Limits => processes[index % processes.length] as Limits;
/** What became of each: what was taken, or why not. */
const all = (attempts: Promise<Taken>[]) =>
  Promise.all(attempts.map((attempt) => attempt.catch((refusal: unknown) => refusal)));
const refusals = (outcomes: unknown[]) => outcomes.filter((outcome) => outcome instanceof LimitReached);

describe('a limit', () => {
  test('[S15 S25] is never passed, however many processes ask at the same moment', async () => {
    const counts = [{ of: perMinute(10), by: randomUUID() }];
    const outcomes = await all(Array.from({ length: 90 }, (_, index) => nth(index).take(counts)));
    expect(refusals(outcomes)).toHaveLength(80);
  });

  test('[S15 S25] is not used up by what is given back, nor by what it refused', async () => {
    const counts = [{ of: perMinute(3), by: randomUUID() }];
    const taken = await Promise.all([1, 2, 3].map((index) => nth(index).take(counts)));
    expect(refusals(await all(Array.from({ length: 20 }, (_, index) => nth(index).take(counts))))).toHaveLength(20);
    for (const each of taken) {
      await each.giveBack();
      await each.giveBack();
    }
    expect(refusals(await all(Array.from({ length: 4 }, (_, index) => nth(index).take(counts))))).toHaveLength(1);
  });

  test('[S25 D38] is used up by work that was accepted or refused, and not by work that failed', async () => {
    const counts = [{ of: perMinute(2), by: randomUUID() }];
    const failing = [
      new Error('the database is away'),
      new Rejected('service/unavailable', 'unavailable', 'as asked'),
      new LimitReached('another limit', 1_000),
    ];
    for (const failure of [...failing, ...failing])
      await expect(nth(0).charge(counts, () => Promise.reject(failure))).rejects.toBe(failure);
    const refusal = new Rejected('some/refusal', 'conflict', 'as asked');
    await expect(nth(1).charge(counts, () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(await nth(2).charge(counts, () => Promise.resolve('done'))).toBe('done');
    await expect(nth(0).charge(counts, () => Promise.resolve('done'))).rejects.toBeInstanceOf(LimitReached);
  });

  test('[S25] of several takes from all or from none, and says how long the longest lasts', async () => {
    const narrow = { of: perMinute(1, 'narrow'), by: randomUUID() };
    const wide = { of: { name: 'wide', points: 2, seconds: 600 }, by: randomUUID() };
    await nth(0).take([narrow, wide]);
    await expect(nth(1).take([wide, narrow])).rejects.toMatchObject({ limit: 'narrow' });
    await nth(2).take([wide]);
    const refusal = await nth(0)
      .take([narrow, wide])
      .catch((error: unknown) => error as LimitReached);
    expect(refusal).toMatchObject({ limit: 'wide' });
    expect((refusal as LimitReached).retryAfterSeconds).toBeGreaterThan(590);
    expect((refusal as LimitReached).retryAfterSeconds).toBeLessThanOrEqual(600);
  });

  test('[S25] begins anew when it is cleared and when its time is over, and takes nothing back into the new one', async () => {
    const cleared = [{ of: perMinute(1), by: randomUUID() }];
    await nth(0).take(cleared);
    await nth(1).clear(cleared);
    await nth(2).take(cleared);
    const short = [{ of: { name: 'short', points: 1, seconds: 1 }, by: randomUUID() }];
    const old = await nth(0).take(short);
    await expect
      .poll(() =>
        nth(1)
          .take(short)
          .catch((error: unknown) => error),
      )
      .toHaveProperty('giveBack');
    await old.giveBack();
    await expect(nth(2).take(short)).rejects.toBeInstanceOf(LimitReached);
  });

  test('[S42] is kept in memory while Redis is away, and in Redis again afterwards', async () => {
    const counts = [{ of: perMinute(2), by: randomUUID() }];
    const before = await nth(0).take(counts);
    await proxy.cut();
    await expect.poll(() => connections[0]?.status).not.toBe('ready');
    const [first] = await Promise.all([nth(0).take(counts), nth(0).take(counts)]);
    await expect(nth(0).take(counts)).rejects.toBeInstanceOf(LimitReached);
    await first.giveBack();
    await before.giveBack();
    await nth(0).take(counts);
    await expect(nth(0).take(counts)).rejects.toBeInstanceOf(LimitReached);
    await proxy.restore();
    await expect.poll(() => connections[0]?.status).toBe('ready');
    await nth(0).take(counts);
    await expect(nth(0).take(counts)).rejects.toBeInstanceOf(LimitReached);
  });
});
