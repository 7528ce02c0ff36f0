import { expect, test } from 'vitest';
import { timeAgo } from './time-ago.ts';

const now = new Date('2026-11-16T12:00:00.000Z');

test.each([
  [-90, 'just now'],
  [0, 'just now'],
  [59.9, 'just now'],
  [60, '1 minute ago'],
  [119, '1 minute ago'],
  [3_599, '59 minutes ago'],
  [3_600, '1 hour ago'],
  [86_399, '23 hours ago'],
  [86_400, '1 day ago'],
  [30 * 86_400, '30 days ago'],
])('[3.26] what was %d seconds ago reads %j', (seconds, text) => {
  expect(timeAgo(new Date(now.getTime() - seconds * 1_000), now)).toBe(text);
});
