import { afterEach, expect, test, vi } from 'vitest';
import { Health } from './health.controller.ts';

afterEach(() => vi.useRealTimers());

test('a process that starts or stops is not ready, whatever its parts say', async () => {
  const health = new Health();
  health.register('postgres', () => undefined);
  expect(await health.problems()).toEqual({ process: 'starting' });
  health.enter('running');
  expect(await health.problems()).toEqual({});
  health.enter('stopping');
  expect(await health.problems()).toEqual({ process: 'stopping' });
});

test('every part that is not ready is named with its reason', async () => {
  const health = new Health();
  health.enter('running');
  health.register('redis', () => Promise.reject(new Error('Connection is closed')));
  health.register('kafka', () => 'has no partitions yet');
  health.register('postgres', () => undefined);
  expect(await health.problems()).toEqual({ redis: 'Connection is closed', kafka: 'has no partitions yet' });
});

test('a part that does not answer within two seconds is not ready', async () => {
  vi.useFakeTimers();
  const health = new Health();
  health.enter('running');
  health.register('postgres', () => new Promise(() => undefined));
  const problems = health.problems();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await problems).toEqual({ postgres: 'no answer in time' });
});
