import fc from 'fast-check';
import { expect, test } from 'vitest';
import { earned, type Figures } from './badges.ts';
import { catalogue } from './catalogue.ts';
import { horizonOf, mayEarn, type Horizon } from './horizon.ts';

const entry = fc.record({
  centimiles: fc.integer({ min: 10, max: 3_000 }),
  activityType: fc.constantFrom('Walking', 'walking', 'Running', 'Yoga', 'Dancing', 'Swimming', 'Hiking'),
  isNextDay: fc.boolean(),
  isCorrection: fc.boolean(),
});

test('[D13] who is told that nothing can be earned misses no badge, whatever is logged', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 150 }), (entries) => {
      let [centimiles, logs, streakDays, count] = [0, 0, 0, 0];
      const activities = new Set<string>();
      const have = new Set<string>();
      let horizon: Horizon | undefined;
      for (const { activityType, isNextDay, isCorrection, ...step } of entries) {
        count += 1;
        centimiles += step.centimiles;
        if (!isCorrection) logs += 1;
        if (isNextDay || streakDays === 0) streakDays += 1;
        activities.add(activityType.toLowerCase());
        const figures: Figures = {
          miles: centimiles / 100,
          logs,
          streakDays,
          activities: Math.min(5, activities.size),
        };
        const due = earned(catalogue, figures).filter((id) => !have.has(id));
        const stand = { miles: centimiles / 100, streakDays, entries: count, activityType };
        if (!horizon || mayEarn(horizon, stand)) {
          for (const id of due) have.add(id);
          horizon = horizonOf(catalogue, figures, { badgeIds: have, entries: count, activities: [...activities] });
        } else expect(due).toEqual([]);
      }
    }),
    { numRuns: 10_000 },
  );
}, 60_000);

test('[D13] between two targets nobody looks', () => {
  const figures: Figures = { miles: 12, logs: 12, streakDays: 4, activities: 1 };
  const badgeIds = new Set(earned(catalogue, figures));
  const horizon = horizonOf(catalogue, figures, { badgeIds, entries: 13, activities: ['walking'] });
  const stand = { miles: 24.99, streakDays: 6, entries: 50, activityType: 'Walking' };
  expect(mayEarn(horizon, stand)).toBe(false);
  expect(mayEarn(horizon, { ...stand, miles: 25 })).toBe(true);
  expect(mayEarn(horizon, { ...stand, streakDays: 7 })).toBe(true);
  expect(mayEarn(horizon, { ...stand, entries: 51 })).toBe(true);
  expect(mayEarn(horizon, { ...stand, activityType: 'Running' })).toBe(true);
});

test('[D13] who has every badge is never looked at again', () => {
  const badgeIds = new Set(catalogue.map(({ id }) => id));
  const horizon = horizonOf(catalogue, {}, { badgeIds, entries: 1, activities: [] });
  expect(mayEarn(horizon, { miles: 1e9, streakDays: 1e9, entries: 1e9, activityType: 'Anything' })).toBe(false);
});
