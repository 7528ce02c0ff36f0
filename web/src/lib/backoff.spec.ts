// @vitest-environment node
import { expect, test } from 'vitest';
import { backOffMilliseconds, pause } from './backoff.ts';

test('[D35] each failure doubles the wait up to half a minute, and chance keeps pages out of step', () => {
  expect([1, 2, 3, 4, 5, 6, 60].map((failures) => backOffMilliseconds(failures, 0.5))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ]);
  expect([0, 1].map((chance) => backOffMilliseconds(1, chance))).toEqual([750, 1250]);
});

/** A signal that counts who listens to it. */
function countedSignal() {
  const stop = new AbortController();
  const { signal } = stop;
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...how: Parameters<typeof add>) => {
    listeners += 1;
    add(...how);
  };
  signal.removeEventListener = (...how: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...how);
  };
  return { stop, signal, listeners: () => listeners };
}

test('[D35] a pause leaves no listener behind, whether it ends by itself or is ended', async () => {
  const { stop, signal, listeners } = countedSignal();
  await pause(0, signal);
  expect(listeners()).toBe(0);
  const long = pause(60_000, signal);
  expect(listeners()).toBe(1);
  stop.abort();
  await long;
  expect(listeners()).toBe(0);
  await pause(60_000, signal);
});
