import { expect, test } from 'vitest';
import { BackgroundWork } from './background-work.ts';
import { Metrics } from './metrics.ts';

function workAt(start: number) {
  const clock = { now: start };
  const metrics = new Metrics('test', { hasProcessMetrics: false });
  return { clock, metrics, work: new BackgroundWork(metrics, () => clock.now) };
}

const minute = 60_000;

test('a background task without a success is late once its allowance is over, and names its last failure', () => {
  const { clock, work } = workAt(0);
  const task = work.register({ kind: 'job', name: 'identity.send-mail', lateAfterSeconds: 60 });
  clock.now = minute;
  expect(work.late()).toEqual([]);
  task.recordFailure(new Error('connection refused'));
  clock.now = minute + 5_000;
  expect(work.late()).toEqual([
    { kind: 'job', task: 'identity.send-mail', lastSuccessAt: null, lateSeconds: 5, problem: 'connection refused' },
  ]);
  task.recordSuccess();
  expect(work.late()).toEqual([]);
});

test('a background task is not late while it has no work, and its allowance begins when work arrives', () => {
  const { clock, work } = workAt(0);
  let backlog = 0;
  work.register({ kind: 'consumer', name: 'scoring.credit-miles', lateAfterSeconds: 30, hasWork: () => backlog > 0 });
  clock.now = 10 * minute;
  expect(work.late()).toEqual([]);
  backlog = 5;
  clock.now += 30_000;
  expect(work.late()).toEqual([]);
  clock.now += 1_000;
  expect(work.late()).toHaveLength(1);
});

test('a success that another process reported earlier does not replace a later one', () => {
  const { clock, work } = workAt(minute);
  const task = work.register({ kind: 'sweep', name: 'social.end-ballots', lateAfterSeconds: 60 });
  task.recordSuccess();
  task.recordSuccess(0);
  expect(task.lastSuccessAt).toBe(minute);
  clock.now = 3 * minute;
  task.recordSuccess(clock.now);
  expect(work.late()).toEqual([]);
});

test('the metrics of background work name the last success and whether a task is late', async () => {
  const { clock, metrics, work } = workAt(minute);
  work.register({ kind: 'relay', name: 'outbox', lateAfterSeconds: 30 }).recordSuccess();
  clock.now = 2 * minute;
  const figures = await metrics.registry.metrics();
  expect(figures).toContain(
    'caravan_background_last_success_timestamp_seconds{kind="relay",task="outbox",service="test"} 60',
  );
  expect(figures).toContain('caravan_background_late{kind="relay",task="outbox",service="test"} 1');
});

test('two background tasks of one name are refused', () => {
  const { work } = workAt(0);
  work.register({ kind: 'timer', name: 'signing-keys', lateAfterSeconds: 60 });
  expect(() => work.register({ kind: 'timer', name: 'signing-keys', lateAfterSeconds: 60 })).toThrow(/twice/);
});
