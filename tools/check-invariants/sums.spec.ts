import { describe, expect, test } from 'vitest';
import { differences } from './sums.ts';
import type { Figure } from './sums.ts';

/** As a database tells figures: by rising ids. */
async function* told(figures: Readonly<Record<string, number>>): AsyncGenerator<Figure> {
  for (const [id, sum] of Object.entries(figures).toSorted()) yield await Promise.resolve({ id, sum });
}

describe('comparing figures', () => {
  const truth = { maya: 300, omar: 100 };

  test('equal figures differ in nothing, and a figure of 0 may be missing', async () => {
    expect(await differences({ name: 'totals' }, told(truth), told({ ...truth, lena: 0 }))).toEqual([]);
    expect(await differences({ name: 'totals' }, told({}), told({}))).toEqual([]);
  });

  test('a wrong, a missing and an invented figure are told', async () => {
    expect(await differences({ name: 'totals' }, told(truth), told({ ada: 7, maya: 301, yuki: 5 }))).toEqual([
      'totals: ada is 7, should be 0',
      'totals: maya is 301, should be 300',
      'totals: omar is 0, should be 100',
      'totals: yuki is 5, should be 0',
    ]);
  });

  test('a part may lack what the whole has, and has nothing that is not in it', async () => {
    const part = { name: 'totals', isPart: true };
    expect(await differences(part, told(truth), told({ maya: 300 }))).toEqual([]);
    expect(await differences(part, told(truth), told({ maya: 301, yuki: 5 }))).toEqual([
      'totals: maya is 301, should be 300',
      'totals: yuki is 5, should be 0',
    ]);
  });

  test('a long list is cut', async () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [String(index), 1]));
    expect((await differences({ name: 'totals' }, told(many), told({}))).at(-1)).toBe('totals: 4 more');
  });
});
