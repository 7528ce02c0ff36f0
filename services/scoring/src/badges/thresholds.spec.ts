import fc from 'fast-check';
import { expect, test } from 'vitest';
import { earnedBadgeIds, type Figures } from './badges.ts';
import { catalogue } from './catalogue.ts';
import { nextThresholdsOf, mayEarn, type NextThresholds } from './badges.ts';

const entry = fc.record({
  centimiles: fc.integer({ min: 10, max: 3_000 }),
  activityType: fc.constantFrom('Walking', 'walking', 'Running', 'Yoga', 'Dancing', 'Swimming', 'Hiking'),
  isNextDay: fc.boolean(),
  isCorrection: fc.boolean(),
});

test('[D13] who is told that nothing can be earned misses no badge, whatever is logged', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 150 }), (entries) => {
      let centimiles = 0;
      let logs = 0;
      let streakDays = 0;
      let count = 0;
      const activities = new Set<string>();
      const have = new Set<string>();
      let thresholds: NextThresholds | undefined;
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
        const due = earnedBadgeIds(catalogue, figures).filter((id) => !have.has(id));
        const member = { miles: centimiles / 100, streakDays, entries: count, activityType };
        if (!thresholds || mayEarn(thresholds, member)) {
          for (const id of due) have.add(id);
          thresholds = nextThresholdsOf(catalogue, figures, {
            badgeIds: have,
            entries: count,
            activities: [...activities],
          });
        } else expect(due).toEqual([]);
      }
    }),
    { numRuns: 10_000 },
  );
}, 60_000);

test('[D13] between two targets nobody looks', () => {
  const figures: Figures = { miles: 12, logs: 12, streakDays: 4, activities: 1 };
  const badgeIds = new Set(earnedBadgeIds(catalogue, figures));
  const thresholds = nextThresholdsOf(catalogue, figures, { badgeIds, entries: 13, activities: ['walking'] });
  const member = { miles: 24.99, streakDays: 6, entries: 50, activityType: 'Walking' };
  expect(mayEarn(thresholds, member)).toBe(false);
  expect(mayEarn(thresholds, { ...member, miles: 25 })).toBe(true);
  expect(mayEarn(thresholds, { ...member, streakDays: 7 })).toBe(true);
  expect(mayEarn(thresholds, { ...member, entries: 51 })).toBe(true);
  expect(mayEarn(thresholds, { ...member, activityType: 'Running' })).toBe(true);
});

test('[D13] who has every badge is never looked at again', () => {
  const badgeIds = new Set(catalogue.map(({ id }) => id));
  const thresholds = nextThresholdsOf(catalogue, {}, { badgeIds, entries: 1, activities: [] });
  expect(mayEarn(thresholds, { miles: 1e9, streakDays: 1e9, entries: 1e9, activityType: 'Anything' })).toBe(false);
});
