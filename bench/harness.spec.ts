import { describe, expect, test } from 'vitest';
import { interleave, judge, median, percentile } from './harness.ts';

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
});
