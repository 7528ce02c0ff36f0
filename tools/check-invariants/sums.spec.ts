import { describe, expect, test } from 'vitest';
import { differences } from './sums.ts';
import type { Figure } from './sums.ts';

/** As a database tells figures: by rising ids. */
async function* figuresOf(figures: Readonly<Record<string, number>>): AsyncGenerator<Figure> {
  for (const [id, sum] of Object.entries(figures).toSorted()) yield await Promise.resolve({ id, sum });
}

describe('comparing figures', () => {
  const truth = { maya: 300, omar: 100 };

  test('equal figures differ in nothing, and a figure of 0 may be missing', async () => {
    expect(await differences({ name: 'totals' }, figuresOf(truth), figuresOf({ ...truth, lena: 0 }))).toEqual([]);
    expect(await differences({ name: 'totals' }, figuresOf({}), figuresOf({}))).toEqual([]);
  });

  test('a wrong, a missing and an invented figure are told', async () => {
    expect(await differences({ name: 'totals' }, figuresOf(truth), figuresOf({ ada: 7, maya: 301, yuki: 5 }))).toEqual([
      'totals: ada is 7, should be 0',
      'totals: maya is 301, should be 300',
      'totals: omar is 0, should be 100',
      'totals: yuki is 5, should be 0',
    ]);
  });

  test('a part may lack what the whole has, and has nothing that is not in it', async () => {
    const part = { name: 'totals', isPart: true };
    expect(await differences(part, figuresOf(truth), figuresOf({ maya: 300 }))).toEqual([]);
    expect(await differences(part, figuresOf(truth), figuresOf({ maya: 301, yuki: 5 }))).toEqual([
      'totals: maya is 301, should be 300',
      'totals: yuki is 5, should be 0',
    ]);
  });

  test('a long list is cut', async () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [String(index), 1]));
    expect((await differences({ name: 'totals' }, figuresOf(many), figuresOf({}))).at(-1)).toBe('totals: 4 more');
  });
});
