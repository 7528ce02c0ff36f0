import { describe, expect, test } from 'vitest';
import { isReached, progressAnswer, progressOf } from './progress.ts';

const figures = { centimiles: 499, days: 4, activities: 6, minutes: 50 };

describe("a challenge's progress", () => {
  test('[3.29 4.20 D14] is counted in its own unit', () => {
    const progress = (['miles', 'days', 'activities', 'minutes'] as const).map((targetUnit) =>
      progressOf({ targetUnit, targetValue: 5 }, figures),
    );
    expect(progress).toEqual([4.99, 4, 6, 50]);
  });

  test('[4.21 D14] reaches the target with the last hundredth of a mile, not before', () => {
    const target = { targetUnit: 'miles', targetValue: 5 } as const;
    expect(isReached(target, figures)).toBe(false);
    expect(isReached(target, { ...figures, centimiles: 500 })).toBe(true);
  });

  test('[3.29] says whether the caller has the bonus', () => {
    expect(progressAnswer({ targetUnit: 'days', targetValue: 5 }, figures, true)).toEqual({
      currentProgress: 4,
      targetValue: 5,
      bonusAwarded: true,
    });
  });
});
