import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newestOf } from './log-news.ts';
import type { LogNews } from './log-news.ts';

const logged = { is: 'logged', revision: 1 } as const;
const correction = (revision: number) => ({ is: 'corrected', revision }) as const;
const removed = { is: 'removed' } as const;

test.each<[string, LogNews[], LogNews]>([
  ['a log', [logged, logged], logged],
  ['a correction of it', [logged, correction(2)], { is: 'logged', revision: 2 }],
  ['corrections alone', [correction(2), correction(3)], correction(3)],
  ['an older correction that comes late', [correction(3), correction(2)], correction(3)],
  ['the log told again after its correction', [correction(2), logged], { is: 'logged', revision: 2 }],
  ['one taken back', [logged, correction(2), removed], removed],
  ['one taken back, and told again', [removed, logged, correction(2)], removed],
])('[D8] of %s the newest is left', (_what, all, left) => {
  expect(newestOf(all, () => 'log')).toEqual([left]);
});

test('[D8] the order in which news of many logs is told makes no difference', () => {
  const news = fc.oneof(
    fc.record({ id: fc.nat(3), is: fc.constant('removed' as const) }),
    fc.record({ id: fc.nat(3), is: fc.constant('logged' as const), revision: fc.constant(1) }),
    fc.record({ id: fc.nat(3), is: fc.constant('corrected' as const), revision: fc.integer({ min: 2, max: 5 }) }),
  );
  const told = fc
    .array(news)
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
  const left = (all: (LogNews & { id: number })[]) =>
    newestOf(all, ({ id }) => String(id)).toSorted((a, b) => a.id - b.id);
  fc.assert(
    fc.property(told, ([all, shuffled]) => {
      expect(left(shuffled)).toEqual(left(all));
    }),
  );
});
