import { expect, test } from 'vitest';
import { shareOf, timeLeft } from './challenge.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T15:12:59Z', { hours: 3, minutes: 12 }],
  ['2026-11-21T12:00:01Z', { hours: 0, minutes: 0 }],
  ['2026-11-23T14:00:00Z', { hours: 50, minutes: 0 }],
  ['2026-11-21T12:00:00Z', null],
  ['2026-11-20T12:00:00Z', null],
  ['soon', null],
])('[4.17] until %s it is %j', (expiresAt, left) => {
  expect(timeLeft(expiresAt, now)).toEqual(left);
});

test('[4.20] progress is what is done, divided by the target', () => {
  expect(shareOf(3, 4)).toBe(0.75);
  expect(shareOf(60, 50)).toBe(1.2);
  expect(shareOf(0, 0)).toBe(1);
});
