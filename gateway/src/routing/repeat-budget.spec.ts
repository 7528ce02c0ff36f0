import { expect, test } from 'vitest';
import { RepeatBudget } from './repeat-budget.ts';

test('silent requests are repeated up to twenty at once, and then one for ten that were answered', () => {
  const budget = new RepeatBudget();
  const takeAll = () => {
    let taken = 0;
    while (budget.take()) taken += 1;
    return taken;
  };
  expect(takeAll()).toBe(20);
  for (let request = 0; request < 11; request += 1) budget.recordAnswer();
  expect(takeAll()).toBe(1);
  for (let request = 0; request < 10_000; request += 1) budget.recordAnswer();
  expect(takeAll()).toBe(20);
});
