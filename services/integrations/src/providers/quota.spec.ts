import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quotaWindows, shares, toldBy, windowAt } from './quota.ts';

const quarter = quotaWindows[0].milliseconds;
const at = (time: string) => Date.parse(`2026-10-05T${time}Z`);

test('[S34] a quarter of an hour begins two seconds late here, whatever the clocks say', () => {
  const { nth, leftMilliseconds } = windowAt(at('10:01:00'), quarter);
  expect(leftMilliseconds).toBe(14 * 60_000 + 2_000);
  expect(windowAt(at('10:15:01.999'), quarter).nth).toBe(nth);
  expect(windowAt(at('10:15:02'), quarter).nth).toBe(nth + 1);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (now) => {
      const { leftMilliseconds: left } = windowAt(now, quarter);
      expect(left > 0 && left <= quarter).toBe(true);
    }),
  );
});

test('[S34] both kinds of limits are read from the headers, and half of them say nothing', () => {
  const headers: Record<string, string> = {
    'x-ratelimit-limit': '200,2000',
    'x-ratelimit-usage': '14,260',
    'x-readratelimit-limit': '100, 1000',
    'x-readratelimit-usage': '9, 8',
  };
  const quotaToldBy = (named: Record<string, string>) => toldBy((name) => named[name] ?? null);
  expect(quotaToldBy(headers)).toEqual({
    fifteenMinutes: [
      { limit: 200, used: 14 },
      { limit: 100, used: 9 },
    ],
    day: [
      { limit: 2_000, used: 260 },
      { limit: 1_000, used: 8 },
    ],
  });
  expect(quotaToldBy({ 'x-ratelimit-limit': '200,2000' })).toBeUndefined();
  expect(quotaToldBy({ 'x-ratelimit-limit': 'many', 'x-ratelimit-usage': '1,2' })).toBeUndefined();
});

test('[S34] what the platform tells us of may use the whole quota, everything else leaves it a fifth', () => {
  expect(shares.notice).toBe(1);
  expect(Math.max(shares.person, shares.background)).toBe(0.8);
});
