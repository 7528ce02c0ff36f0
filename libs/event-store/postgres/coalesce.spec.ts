import { expect, test } from 'vitest';
import type { Tx } from '../core/event-store.ts';
import { coalesce } from './coalesce.ts';

const tx = (): Tx => ({ query: () => Promise.reject(new Error('nothing to ask')) });

/** Doubles numbers, and remembers which were coalesced. */
function doubling() {
  const asked: number[][] = [];
  const double = (_tx: Tx, items: readonly number[]) => {
    asked.push([...items]);
    return Promise.resolve(items.map((item) => item * 2));
  };
  return { asked, double };
}

test('what is asked in one iteration of the event loop is asked at once, and each gets its own answer', async () => {
  const { asked, double } = doubling();
  const one = tx();
  const late = Promise.resolve().then(() => coalesce(one, double, 3));
  expect(await Promise.all([coalesce(one, double, 1), coalesce(one, double, 2), late])).toEqual([2, 4, 6]);
  expect(asked).toEqual([[1, 2, 3]]);
});

test('what is asked after an answer is another question', async () => {
  const { asked, double } = doubling();
  const one = tx();
  await coalesce(one, double, 1);
  await coalesce(one, double, 2);
  expect(asked).toEqual([[1], [2]]);
});

test('two transactions share nothing', async () => {
  const { asked, double } = doubling();
  await Promise.all([coalesce(tx(), double, 1), coalesce(tx(), double, 2)]);
  expect(asked).toEqual([[1], [2]]);
});

test('a question that fails fails for all who asked it, and for nobody else', async () => {
  const { double } = doubling();
  const one = tx();
  const fail = () => Promise.reject(new Error('away'));
  const ends = await Promise.allSettled([coalesce(one, fail, 1), coalesce(one, fail, 2), coalesce(one, double, 3)]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('an answer that is missing is a failure, never somebody else’s', async () => {
  const short = (_tx: Tx, items: readonly number[]) => Promise.resolve(items.slice(1));
  await expect(coalesce(tx(), short, 1)).rejects.toThrow('0 answers to 1 questions');
});
