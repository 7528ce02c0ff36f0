import { describe, expect, test } from 'vitest';
import { growthExponent, interleave, judge, median, percentile } from './harness.ts';

describe('the bench', () => {
  test('variants run in turn and are told by their medians', async () => {
    const order: string[] = [];
    const values = { floor: [10, 12, 11], subject: [20, 30, 25] };
    const next = (name: 'floor' | 'subject') => async () => {
      order.push(name);
      return { rate: values[name][order.filter((ran) => ran === name).length - 1] ?? 0 };
    };
    const { floor, subject } = await interleave({ floor: next('floor'), subject: next('subject') }, 3);
    expect(order).toEqual(['floor', 'subject', 'floor', 'subject', 'floor', 'subject']);
    expect([floor.median('rate'), subject.median('rate')]).toEqual([11, 25]);
    expect(floor.spread('rate')).toBeCloseTo(2 / 11);
  });

  test('a run whose floor moved more than 20 % is not judged', () => {
    const finding = { goal: 'G1', what: 'share of the floor', value: 0.5, wanted: { atLeast: 0.4 } };
    expect(judge({ ...finding, floorSpread: 0.1 }).verdict).toBe('met');
    expect(judge({ ...finding, value: 0.3, floorSpread: 0.1 }).verdict).toBe('missed');
    expect(judge({ ...finding, floorSpread: 0.3 }).verdict).toBe('not judged');
  });

  test('medians and percentiles are taken from the values in order', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(percentile([5, 4, 3, 2, 1], 0.99)).toBe(5);
    expect(percentile([5, 4, 3, 2, 1], 0.5)).toBe(3);
  });

  test('growth is the slope of a straight line through the logarithms of sizes and costs', () => {
    const costs = (of: (size: number) => number) => [1e3, 1e4, 1e5, 1e6].map((size) => ({ size, cost: of(size) }));
    expect(growthExponent(costs(() => 7))).toBeCloseTo(0);
    expect(growthExponent(costs((size) => 3 * size))).toBeCloseTo(1);
    expect(growthExponent(costs((size) => 5 * size ** 0.3))).toBeCloseTo(0.3);
    // What grows with the depth of a tree grows by a tenth from a thousand to a million.
    expect(growthExponent(costs(Math.log))).toBeCloseTo(0.1, 2);
  });

  test('growth is not told from one size, nor from costs that are none', () => {
    const twice = [1, 2].map((cost) => ({ size: 10, cost }));
    expect(() => growthExponent(twice)).toThrow('No growth');
    expect(() => growthExponent([{ size: 1, cost: 0 }, ...twice])).toThrow('No growth');
  });
});
