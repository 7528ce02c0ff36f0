import { expect, test, vi } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { Sweep, Sweeps } from './sweeps.ts';
import { ownBackground } from '../testing/background.ts';

type Line = { level: string; key?: string; failures?: number; againInSeconds?: number };

function sweepUnderTest() {
  const lines: Line[] = [];
  const log = createLog({
    service: 'scoring',
    destination: { write: (line) => void lines.push(JSON.parse(line) as Line) },
  });
  const metrics = new Metrics('scoring', { hasProcessMetrics: false });
  let now = 0;
  const failures = metrics.counter<'sweep'>('failures_total', 'failures', ['sweep']);
  const sweep = new Sweep({ name: 'rows', log, failures, background: ownBackground(), now: () => now });
  const pass = (milliseconds: number) => (now += milliseconds);
  return { sweep, lines, failures, pass };
}

/** Work that fails for some rows; answers what it was asked for. */
const workOf = (bad: ReadonlySet<string>) => {
  const taken: string[] = [];
  const work = (row: string) => {
    taken.push(row);
    return bad.has(row) ? Promise.reject(new Error(row)) : Promise.resolve();
  };
  return { taken, work };
};
const key = (row: string) => row;

test('a row whose work throws stops none of those behind it, and is warned of and counted', async () => {
  const { sweep, lines, failures } = sweepUnderTest();
  const { taken, work } = workOf(new Set(['a']));
  await sweep.each(['a', 'b', 'c'], key, work);
  expect(taken).toEqual(['a', 'b', 'c']);
  expect(lines).toMatchObject([{ level: 'warn', sweep: 'rows', key: 'a', failures: 1, againInSeconds: 1 }]);
  expect((await failures.get()).values).toMatchObject([{ value: 1, labels: { sweep: 'rows' } }]);
});

test('what failed is left alone twice as long each time, at most five minutes, and can be left out of a query', async () => {
  const { sweep, lines, pass } = sweepUnderTest();
  const { taken, work } = workOf(new Set(['a']));
  for (let second = 0; second < 800; second += 1) {
    await sweep.each(['a'], key, work);
    pass(1_000);
  }
  expect(lines.map(({ againInSeconds }) => againInSeconds)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
  expect(taken).toHaveLength(10);
  expect(sweep.resting()).toEqual(['a']);
  pass(300_000);
  expect(sweep.resting()).toEqual([]);
});

test('where the database is away no row is to blame: the look ends, and all of them are due again', async () => {
  const { sweep } = sweepUnderTest();
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  await expect(sweep.each(['a', 'b'], key, () => Promise.reject(away))).rejects.toBe(away);
  expect([sweep.size, sweep.resting()]).toEqual([0, []]);
});

test('what is done at last is forgotten: its next failure is a first one', async () => {
  const { sweep, lines, pass } = sweepUnderTest();
  const bad = new Set(['a']);
  const { work } = workOf(bad);
  await sweep.each(['a'], key, work);
  bad.clear();
  pass(1_000);
  await sweep.each(['a'], key, work);
  expect([sweep.size, sweep.resting()]).toEqual([0, []]);
  bad.add('a');
  await sweep.each(['a'], key, work);
  expect(lines.map(({ failures }) => failures)).toEqual([1, 1]);
});

test('a look that fails as a whole is tried again within ten seconds, however long it lasts', async () => {
  const { sweep, lines, pass } = sweepUnderTest();
  for (let second = 0; second < 100; second += 1) {
    await sweep.look(() => Promise.reject(new Error('the database is away')));
    pass(1_000);
  }
  expect(lines.map(({ againInSeconds }) => againInSeconds).slice(0, 6)).toEqual([1, 2, 4, 8, 10, 10]);
  expect(sweep.resting()).toEqual([]);
});

test('the figures of all sweeps of a process stand side by side', async () => {
  const metrics = new Metrics('scoring', { hasProcessMetrics: false });
  const sweeps = new Sweeps(createLog({ service: 'scoring', level: 'silent' }), metrics, ownBackground());
  await sweeps.of('one').attempt('a', () => Promise.reject(new Error('a')));
  await sweeps.of('two').attempt('a', () => Promise.resolve());
  const told = await metrics.registry.metrics();
  expect(told).toContain('caravan_sweep_failures_total{sweep="one",service="scoring"} 1');
  expect(told).toContain('caravan_sweep_resting_rows{sweep="two",service="scoring"} 0');
  expect(sweeps.of('one').size).toBe(1);
});

test('a sweep that the end of its process interrupts counts no failure and skips its other rows', async () => {
  const metrics = new Metrics('scoring', { hasProcessMetrics: false });
  const sweeps = new Sweeps(createLog({ service: 'scoring', level: 'silent' }), metrics, ownBackground());
  const sweep = sweeps.of('rows');
  const { taken, work } = workOf(new Set(['a', 'b']));
  const endRow = (row: string) => {
    sweeps.onModuleDestroy();
    return work(row);
  };
  await sweep.each(['a', 'b'], key, endRow);
  await sweep.look(() => Promise.reject(new Error('the pool has ended')));
  expect(taken).toEqual(['a']);
  expect(await metrics.registry.metrics()).not.toContain('caravan_sweep_failures_total{');
});

test('a sweep is late when it has been running for five minutes, and not while it is idle', async () => {
  vi.useFakeTimers();
  const background = ownBackground();
  const sweeps = new Sweeps(createLog({ service: 'scoring', level: 'silent' }), new Metrics('scoring'), background);
  await sweeps.of('rows').attempt('a', () => Promise.resolve());
  vi.advanceTimersByTime(3_600_000);
  expect(background.late()).toEqual([]);
  void sweeps.of('rows').attempt('b', () => new Promise(() => undefined));
  vi.advanceTimersByTime(299_000);
  expect(background.late()).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(background.late()).toMatchObject([{ kind: 'sweep', task: 'rows sweep' }]);
  vi.useRealTimers();
});
