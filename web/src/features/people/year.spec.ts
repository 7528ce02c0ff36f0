import fc from 'fast-check';
import { expect, test } from 'vitest';
import { yearOf } from './year.ts';

const log = (loggedOn: string, distanceMiles: number, durationMinutes: number) => ({
  loggedOn,
  distanceMiles,
  durationMinutes,
});

test('[2.107 D44] a year is the sum of its logs: miles, activities, days moved, minutes, and miles by month', () => {
  const year = yearOf([log('2026-01-31', 3, 30), log('2026-03-02', 1.5, 15), log('2026-03-02', 0.1, 1)]);
  expect(year).toEqual({
    miles: 4.6,
    activities: 3,
    activeDays: 2,
    minutes: 46,
    milesByMonth: [3, 0, 1.6, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  });
});

test('[D44] a year without logs is empty, not missing', () => {
  expect(yearOf([])).toMatchObject({ miles: 0, activities: 0, activeDays: 0, minutes: 0 });
});

test('[D5] sums stay exact to the hundredth, whatever the logs', () => {
  const centimiles = fc.array(fc.integer({ min: 1, max: 14_400 }), { maxLength: 200 });
  fc.assert(
    fc.property(centimiles, (all) => {
      const { miles } = yearOf(all.map((each) => log('2026-05-01', each / 100, 10)));
      expect(miles).toBe(all.reduce((sum, each) => sum + each, 0) / 100);
    }),
  );
});
