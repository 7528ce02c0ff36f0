import { expect, test } from 'vitest';
import { lingerMsAfter } from './relay.ts';

const settings = { batchRows: 100, lingerMs: 4, maxLingerMs: 25 };

test('a relay lingers the longer the more it has just sent, and no longer than it may', () => {
  expect([1, 2, 5, 50].map((rows) => lingerMsAfter(rows, settings))).toEqual([4, 6, 15, 25]);
});

test('a relay that is behind does not linger', () => {
  expect(lingerMsAfter(100, settings)).toBe(0);
});
