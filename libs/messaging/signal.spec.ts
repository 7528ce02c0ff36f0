import { expect, test } from 'vitest';
import { Signal } from './signal.ts';

test('a wait ends when the flag is raised, and at once when it already is', async () => {
  const signal = new Signal();
  const waiting = signal.wait(60_000);
  signal.give();
  expect(await waiting).toBe(true);
  expect(await signal.wait(60_000)).toBe(true);
});

test('a wait that nobody ends is over after its time; a flag that was lowered does not end it', async () => {
  const signal = new Signal();
  signal.give();
  signal.take();
  expect(signal.isUp()).toBe(false);
  expect(await signal.wait(1)).toBe(false);
});
