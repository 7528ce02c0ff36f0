import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { centimilesOf, milesOf } from './miles.ts';

describe('miles', () => {
  test.each([
    [1, 1, 10],
    [10, 1, 100],
    [30, 1, 300],
    [30, 2, 600],
    [25, 1.5, 375],
    [1440, 1, 14_400],
  ])('[1.2 9.1 D5] %i minutes at ×%f earn %i hundredths of a mile', (minutes, multiplier, centimiles) => {
    expect(centimilesOf(minutes, multiplier)).toBe(centimiles);
  });

  test('[D5] credited miles are whole hundredths, so that any sum of them is exact', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1440 }), { maxLength: 200 }), (durations) => {
        const entries = durations.map((minutes) => centimilesOf(minutes, 1));
        const total = entries.reduce((sum, entry) => sum + entry, 0);
        expect(entries.every(Number.isInteger)).toBe(true);
        expect(total).toBe(durations.reduce((sum, minutes) => sum + minutes, 0) * 10);
        expect(milesOf(total) * 100).toBeCloseTo(total, 6);
      }),
    );
  });
});
