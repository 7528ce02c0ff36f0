import { expect, test } from 'vitest';
import { Crashes, defaultPausesMs } from './crashes.ts';

test('a program that crashes now and then is always started again, soon', () => {
  const crashes = new Crashes();
  const pauses = Array.from({ length: 20 }, (_, nth) => crashes.note('scoring', 'SIGKILL', nth * 60_000));
  expect(new Set(pauses)).toEqual(new Set([defaultPausesMs[0]]));
  expect(crashes.counts).toEqual({ scoring: { count: 20, lastAt: '1970-01-01T00:19:00.000Z', how: 'SIGKILL' } });
});

test('one that crashes again within a minute waits longer each time, and the fifth time is its last', () => {
  const crashes = new Crashes();
  const pauses = [0, 10, 20, 30, 59].map((second) => crashes.note('kafka', 'exit code 1', second * 1000));
  expect(pauses).toEqual([...defaultPausesMs, undefined]);
  expect(crashes.note('redis', 'SIGSEGV', 59_000)).toBe(defaultPausesMs[0]);
});

test('crashes of more than a minute ago are forgotten', () => {
  const crashes = new Crashes();
  for (const second of [0, 10, 20, 30]) crashes.note('kafka', 'exit code 1', second * 1000);
  expect(crashes.note('kafka', 'exit code 1', 60_000)).toBe(defaultPausesMs[3]);
});
