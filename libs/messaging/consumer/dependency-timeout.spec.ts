import { expect, test } from 'vitest';
import { DependencyTimeout } from './dependency-timeout.ts';

const minute = 60_000;

test('[F09] news that is late is waited for, a minute from when it was first missed', () => {
  const timeout = new DependencyTimeout();
  expect(timeout.isWithin('org', 5_000)).toBe(true);
  expect(timeout.isWithin('org', 5_000 + minute - 1)).toBe(true);
  expect(timeout.isWithin('org', 5_000 + minute)).toBe(false);
  expect(timeout.isWithin('org', 5_000 + 9 * minute)).toBe(false);
});

test('[F09] each one that is missed is waited for by itself, and anew once it had arrived', () => {
  const timeout = new DependencyTimeout();
  timeout.isWithin('one', 0);
  expect(timeout.isWithin('two', minute)).toBe(true);
  expect(timeout.isWithin('one', minute)).toBe(false);
  timeout.forget('one');
  expect(timeout.isWithin('one', minute)).toBe(true);
});
