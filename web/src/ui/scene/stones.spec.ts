// @vitest-environment node
import { addDays } from '@caravan/contracts/domain/time/local-days';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastDaysOf, stonesOf } from './stones.ts';

// 16 November 2026 is a Monday.
const week = {
  today: '2026-11-19',
  days: [
    { on: '2026-11-15', miles: 9, movements: 1 },
    { on: '2026-11-16', miles: 4, movements: 2 },
    { on: '2026-11-18', miles: 1, movements: 1 },
  ],
  restDays: ['2026-11-17'],
};

test('[D10 D11] the week is seven stones from Monday: moved, rest, today due, ahead', () => {
  expect(stonesOf(week).map(({ on, state, share }) => [on, state, share])).toEqual([
    ['2026-11-16', 'moved', 1],
    ['2026-11-17', 'rest', 0],
    ['2026-11-18', 'moved', 0.25],
    ['2026-11-19', 'due', 0],
    ['2026-11-20', 'ahead', 0],
    ['2026-11-21', 'ahead', 0],
    ['2026-11-22', 'ahead', 0],
  ]);
});

test('[D11] a day without movement and without a freeze is missed, and today is due until somebody moves', () => {
  const states = (days: typeof week.days) => stonesOf({ ...week, days, restDays: [] }).map(({ state }) => state);
  expect(states([])).toEqual(['missed', 'missed', 'missed', 'due', 'ahead', 'ahead', 'ahead']);
  expect(states([{ on: '2026-11-19', miles: 2, movements: 1 }])[3]).toBe('moved');
});

test('a short week has no towers: stones are drawn against two miles at least', () => {
  const [monday] = stonesOf({ ...week, days: [{ on: '2026-11-16', miles: 1, movements: 1 }] });
  expect(monday?.share).toBe(0.5);
});

test('heights of stones are in proportion to miles, in every week', () => {
  const miles = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(miles, (tenths) => {
      const days = tenths.map((tenth, nth) => ({ on: addDays('2026-11-16', nth), miles: tenth / 10, movements: 1 }));
      const stones = stonesOf({ today: '2026-11-22', days, restDays: [] });
      const tallest = Math.max(2, ...days.map((day) => day.miles));
      for (const [nth, { share }] of stones.entries()) expect(share).toBeCloseTo((days[nth]?.miles ?? 0) / tallest, 9);
    }),
  );
});

test('the last fourteen days end with today', () => {
  const days = lastDaysOf(week, 14);
  expect([days.length, days[0]?.on, days.at(-1)]).toEqual([14, '2026-11-06', { on: '2026-11-19', state: 'due' }]);
  expect(days.slice(-5).map(({ state }) => state)).toEqual(['moved', 'moved', 'rest', 'moved', 'due']);
});
