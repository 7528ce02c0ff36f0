import { expect, test } from 'vitest';
import { Patience } from './patience.ts';

const minute = 60_000;

test('[F09] news that is late is waited for, a minute from when it was first missed', () => {
  const patience = new Patience();
  expect(patience.lastsFor('org', 5_000)).toBe(true);
  expect(patience.lastsFor('org', 5_000 + minute - 1)).toBe(true);
  expect(patience.lastsFor('org', 5_000 + minute)).toBe(false);
  expect(patience.lastsFor('org', 5_000 + 9 * minute)).toBe(false);
});

test('[F09] each one that is missed is waited for by itself, and anew once it had arrived', () => {
  const patience = new Patience();
  patience.lastsFor('one', 0);
  expect(patience.lastsFor('two', minute)).toBe(true);
  expect(patience.lastsFor('one', minute)).toBe(false);
  patience.forget('one');
  expect(patience.lastsFor('one', minute)).toBe(true);
});
