import { describe, expect, test } from 'vitest';
import { backfillOf, failureOf, isOver, newsOf, nightAt, restSeconds, spanOf, stretchOf } from './run.ts';

const day = 86_400_000;
const now = new Date('2026-11-20T12:00:00.000Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * day);
const soon = new Date(now.getTime() + 15 * 60_000);

describe('the span of a sync', () => {
  test.each([
    ['after connecting is 30 days', 'connect', { connectedAt: now, lastSyncedAt: null }, daysAgo(30)],
    ['begins 3 days before the last one', 'asked', { connectedAt: daysAgo(99), lastSyncedAt: daysAgo(1) }, daysAgo(4)],
    ['at night 7 days before', 'nightly', { connectedAt: daysAgo(99), lastSyncedAt: daysAgo(1) }, daysAgo(8)],
    [
      'leaves nothing out, however long ago',
      'asked',
      { connectedAt: daysAgo(99), lastSyncedAt: daysAgo(60) },
      daysAgo(63),
    ],
    ['ends 30 days before connecting', 'nightly', { connectedAt: daysAgo(2), lastSyncedAt: daysAgo(29) }, daysAgo(32)],
  ] as const)('%s', (_, cause, account, from) => {
    expect(spanOf(cause, account, now)).toEqual({ from, to: soon });
  });

  test('is fetched in stretches of ten days, the newest first', () => {
    const starts: Date[] = [];
    let run: { from: Date; reachedAt: Date } = { from: daysAgo(25), reachedAt: now };
    while (!isOver(run)) {
      const stretch = stretchOf(run);
      expect(stretch.to).toEqual(run.reachedAt);
      starts.push(stretch.from);
      run = { ...run, reachedAt: stretch.from };
    }
    expect(starts).toEqual([daysAgo(10), daysAgo(20), daysAgo(25)]);
  });

  test('tells how many of the 30 days are done', () => {
    const daysDone = (reachedAt: Date) => backfillOf({ from: daysAgo(30), reachedAt }).daysDone;
    expect([soon, daysAgo(10), daysAgo(20), daysAgo(30)].map(daysDone)).toEqual([0, 10, 20, 30]);
  });
});

describe('a sync that failed', () => {
  test('[F11] rests longer each time, and as long as the platform says', () => {
    expect([1, 2, 5, 12, 29].map((tries) => restSeconds('unreachable', tries, undefined))).toEqual([
      10, 20, 160, 3_600, 3_600,
    ]);
    expect(restSeconds('busy', 1, 900)).toBe(900);
  });

  test('is given up where trying again is in vain', () => {
    expect(restSeconds('reconnect', 1, undefined)).toBeNull();
    expect(restSeconds('refused', 1, undefined)).toBeNull();
    expect([restSeconds('unreadable', 4, 1), restSeconds('unreadable', 5, 1)]).toEqual([80, null]);
    expect(restSeconds('unreachable', 30, undefined)).toBeNull();
  });

  test('is told in the words of the history', () => {
    const whys = ['unreachable', 'busy', 'reconnect', 'unreadable', 'refused', 'scope'] as const;
    expect(whys.map(failureOf)).toEqual(['unreachable', 'busy', 'reconnect', 'unreadable', 'unreadable', 'reconnect']);
  });
});

test.each([
  ['nightly', false, 'unreachable', 'failed'],
  ['nightly', true, 'unreachable', null],
  ['connect', false, 'reconnect', 'failed'],
  ['asked', false, 'busy', null],
  ['asked', true, null, 'recovered'],
  ['nightly', false, null, null],
  ['connect', true, null, 'completed'],
] as const)(
  '[D34] of a run (%s, trouble before: %s) that ends with %s its member is told: %s',
  (cause, wasFailing, failure, news) => {
    expect(newsOf({ cause, wasFailing }, failure)).toBe(news);
  },
);

test.each([
  ['00:59', undefined],
  ['01:00', { night: '2026-11-20', minutesGone: 0, minutes: 300 }],
  ['03:30', { night: '2026-11-20', minutesGone: 150, minutes: 300 }],
  ['06:00', { night: '2026-11-20', minutesGone: 300, minutes: 300 }],
  // Whoever was away at night does it by day.
  ['23:59', { night: '2026-11-20', minutesGone: 300, minutes: 300 }],
])('the night at %s', (time, night) => {
  expect(nightAt(new Date(`2026-11-20T${time}:00.000Z`))).toEqual(night);
});
