import { describe, expect, test } from 'vitest';
import { differences } from './sums.ts';

describe('comparing figures', () => {
  const truth = new Map([
    ['maya', 300],
    ['omar', 100],
  ]);

  test('equal figures differ in nothing, and a figure of 0 may be missing', () => {
    expect(differences('totals', truth, new Map([...truth, ['lena', 0]]))).toEqual([]);
  });

  test('a wrong, a missing and an invented figure are told', () => {
    const claim = new Map([
      ['maya', 301],
      ['yuki', 5],
    ]);
    expect(differences('totals', truth, claim)).toEqual([
      'totals: maya is 301, should be 300',
      'totals: omar is 0, should be 100',
      'totals: yuki is 5, should be 0',
    ]);
  });

  test('a long list is cut', () => {
    const many = new Map(Array.from({ length: 9 }, (_, index) => [String(index), 1]));
    expect(differences('totals', many, new Map()).at(-1)).toBe('totals: 4 more');
  });
});
