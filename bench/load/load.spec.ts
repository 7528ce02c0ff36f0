import { describe, expect, test } from 'vitest';
import { bendOf, brokenBecause, nextRate, recoveredAfter } from './bend.ts';
import { highestLags, lagsIn } from './lags.ts';
import { outcomeOf, Tally } from './tally.ts';

describe('what became of a request', () => {
  test.each([
    [200, undefined, 'good'],
    [204, undefined, 'good'],
    [503, '2', 'refused'],
    [429, '60', 'refused'],
    [503, undefined, 'failed'],
    [429, 'soon', 'failed'],
    [500, '2', 'failed'],
    [404, undefined, 'failed'],
  ])('%i with Retry-After %s is %s', (status, retryAfter, outcome) => {
    expect(outcomeOf(status, retryAfter)).toBe(outcome);
  });

  test('times are of good answers, counts of all, of one act or of several', () => {
    const tally = new Tally();
    for (const milliseconds of [10, 20, 30]) tally.note('log', 'good', milliseconds);
    tally.note('log', 'refused', 1);
    tally.note('me', 'failed', 5_000);
    expect(tally.of('log')).toEqual({ count: 4, good: 3, refused: 1, failed: 0, p50: 20, p95: 30, p99: 30 });
    expect(tally.of('log', 'me')).toMatchObject({ count: 5, failed: 1, p99: 30 });
    expect(tally.of('board')).toMatchObject({ count: 0, p50: 0 });
  });

  test('failures are told in their words, the commonest first', () => {
    const tally = new Tally();
    for (const words of ['me 500', 'log 502', 'log 502']) tally.noteFailure(words);
    expect(tally.failuresByWords).toEqual(['2× log 502', '1× me 500']);
  });
});

describe('the point where it bends', () => {
  const well = { rate: 100, goodRate: 99, goodShare: 1, p95Milliseconds: 80 };

  test('a step breaks by refusals, by slow answers, or by fewer answers than were asked for', () => {
    expect(brokenBecause(well, 100)).toBeUndefined();
    expect(brokenBecause({ ...well, goodShare: 0.98 }, 100)).toBe('2.0 % refused');
    expect(brokenBecause({ ...well, p95Milliseconds: 101 }, 100)).toBe('p95 101 ms');
    expect(brokenBecause({ ...well, goodRate: 94 }, 100)).toBe('94 a second of 100 answered');
  });

  test('the last rate that held is told, with what broke the next one', () => {
    const steps = [
      { ...well, rate: 50, goodRate: 50 },
      well,
      { ...well, rate: 150, goodRate: 149, p95Milliseconds: 400 },
    ];
    expect(bendOf(steps, 100)).toEqual({ held: 100, brokeAt: 150, because: 'p95 400 ms' });
    expect(bendOf(steps.slice(0, 2), 100)).toEqual({ held: 100, brokeAt: undefined, because: 'nothing broke' });
    expect(bendOf(steps.slice(2), 100)).toMatchObject({ held: 0, brokeAt: 150 });
  });

  test('load grows by half at a time', () => {
    expect([10, 15, 1].map(nextRate)).toEqual([15, 23, 2]);
  });

  test('it has recovered when nothing is bad any more, not when something is good again', () => {
    const looks = [false, true, false, true, true].map((isWell, second) => ({ second, isWell }));
    expect(recoveredAfter(looks)).toBe(3);
    expect(recoveredAfter(looks.slice(3))).toBe(0);
    expect(recoveredAfter(looks.slice(0, 3))).toBeUndefined();
  });
});

describe('how far consumers are behind', () => {
  const figures = [
    'caravan_consumer_lag_messages{group="scoring.credit-miles",topic="activity.v1",service="scoring"} 12',
    'caravan_consumer_lag_messages{group="scoring.credit-miles",topic="identity.v1",service="scoring"} 3',
    'caravan_consumer_lag_messages{group="scoring.project-members",topic="identity.v1",service="scoring"} 0',
    'caravan_outbox_rows{service="scoring"} 4',
  ].join('\n');

  test('each group is as far behind as all its topics together, and the outbox counts as one', () => {
    expect(lagsIn('scoring', figures)).toEqual({
      'scoring.credit-miles': 15,
      'scoring.project-members': 0,
      'scoring outbox': 4,
    });
  });

  test('the highest of each is kept', () => {
    expect(highestLags([{ a: 1, b: 2 }, { a: 3 }])).toEqual({ a: 3, b: 2 });
  });
});
