import { expect, test } from 'vitest';
import { IdleMemory } from './idle-memory.ts';

const mebibyte = 1024 * 1024;
const minute = 60_000;
const idle = { busyShare: 0.04, heapBytes: 60 * mebibyte, nowMilliseconds: 0 };

test('memory is given back when nothing is to be done, and not while there is', () => {
  expect(new IdleMemory().shouldGive({ ...idle, busyShare: 0.06 })).toBe(false);
  expect(new IdleMemory().shouldGive(idle)).toBe(true);
});

test('it is given back again once much has come, and no more often than every ten minutes', () => {
  const memory = new IdleMemory();
  memory.gave({ heapBytes: 36 * mebibyte, nowMilliseconds: 0 });
  const after = (minutes: number, mebibytes: number) =>
    memory.shouldGive({ ...idle, heapBytes: mebibytes * mebibyte, nowMilliseconds: minutes * minute });
  expect([after(9, 80), after(10, 43), after(10, 44)]).toEqual([false, false, true]);
});
