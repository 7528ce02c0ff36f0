import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BadAnswer, Dependencies, Dependency, Unanswered } from './dependency.ts';
import { Metrics } from '../telemetry/metrics.ts';

const never = () => new Promise<never>(() => undefined);
const failing = () => Promise.reject(new Error('lost'));
const outcome = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);

describe('a dependency', () => {
  test('is given up when its time is over, and after some calls in vain not asked at all', async () => {
    const dependency = new Dependency({ name: 'store', budgetMilliseconds: 20, failures: 2 });
    let asked = 0;
    const ask = () => {
      asked += 1;
      return never();
    };
    for (let call = 0; call < 5; call += 1) expect(await outcome(dependency.call(ask))).toBeInstanceOf(Unanswered);
    expect([asked, dependency.state]).toEqual([2, 'open']);
    expect(dependency.refusal()).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 });
  });

  test('is asked by one call when it was left alone for a while; the others are refused at once meanwhile', async () => {
    const dependency = new Dependency({
      name: 'store',
      budgetMilliseconds: 1_000,
      failures: 1,
      probeAfterMilliseconds: 5,
    });
    await outcome(dependency.call(failing));
    await pause(10);
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = dependency.call(() => promise);
    expect(dependency.state).toBe('half-open');
    await expect(dependency.call(() => Promise.resolve('late'))).rejects.toBeInstanceOf(Unanswered);
    resolve('back');
    expect([await first, dependency.state]).toEqual(['back', 'closed']);
  });

  test('answers by refusing: such errors count as answers', async () => {
    const isAway = (error: unknown) => !(error instanceof RangeError);
    const dependency = new Dependency({ name: 'store', budgetMilliseconds: 1_000, failures: 1, isAway });
    for (const refusal of [new RangeError('no'), new BadAnswer('no')])
      await expect(dependency.call(() => Promise.reject(refusal))).rejects.toThrow('no');
    expect(dependency.state).toBe('closed');
  });

  test('with a probe is not asked by people until the probe was answered, one at a time', async () => {
    let isThere = true;
    let running = 0;
    let most = 0;
    const dependency = new Dependency({
      name: 'store',
      budgetMilliseconds: 1_000,
      probeAfterMilliseconds: 5,
      probe: async () => {
        most = Math.max(most, (running += 1));
        await pause(2);
        running -= 1;
        if (!isThere) throw new Error('silent');
      },
    });
    for (let vain = 0; vain < 5; vain += 1) dependency.suspect();
    expect([await dependency.isAlive(), dependency.refusal()]).toEqual([true, undefined]);
    isThere = false;
    for (let vain = 0; vain < 5; vain += 1) dependency.suspect();
    expect(await dependency.isAlive()).toBe(false);
    expect(dependency.refusal()).toBeInstanceOf(Unanswered);
    isThere = true;
    await expect.poll(() => dependency.state).toBe('closed');
    expect(most).toBe(1);
  });

  test('is held open by what knows better, and closed again', () => {
    const dependency = new Dependency({ name: 'redis', budgetMilliseconds: 300 });
    dependency.hold(true);
    dependency.hold(true);
    expect(dependency.state).toBe('open');
    dependency.hold(false);
    expect(dependency.state).toBe('closed');
  });
});

test('figures tell of each dependency whether it is asked, and how often it was given up', async () => {
  const metrics = new Metrics('test', { hasProcessMetrics: false });
  const dependencies = new Dependencies(metrics);
  dependencies.of({ name: 'redis', budgetMilliseconds: 300 });
  const store = dependencies.of({ name: 'store', budgetMilliseconds: 5, failures: 1 });
  await outcome(store.call(never));
  const text = await metrics.registry.metrics();
  expect(text).toMatch(/caravan_breaker_state\{dependency="redis".*\} 0/);
  expect(text).toMatch(/caravan_breaker_state\{dependency="store".*\} 2/);
  expect(text).toMatch(/caravan_budget_overruns_total\{dependency="store".*\} 1/);
});

test('[S42] listeners are called when a dependency answers again, and not before', async () => {
  const dependencies = new Dependencies(new Metrics('test', { hasProcessMetrics: false }));
  const restored: string[] = [];
  dependencies.onRestored((name) => restored.push(name));
  let isThere = false;
  const store = dependencies.of({
    name: 'store',
    budgetMilliseconds: 1_000,
    probeAfterMilliseconds: 5,
    probe: () => (isThere ? Promise.resolve() : failing()),
  });
  await outcome(store.call(failing));
  expect(await outcome(store.call(failing))).toMatchObject({ dependency: 'store', wasAsked: false });
  expect(restored).toEqual([]);
  isThere = true;
  await expect.poll(() => restored).toEqual(['store']);
  expect(store.state).toBe('closed');
});
