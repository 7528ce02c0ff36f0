// @vitest-environment node
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chasePlaces } from './chase-places.ts';
import { drawLines } from './line-chart.ts';
import { spreadApart } from './spread.ts';
import { monthColumns, monthTotals, yearGrid } from './year-grid.ts';

test('labels of a chart are moved apart, keep their order and stay inside', () => {
  expect(spreadApart([10, 12, 50], { gap: 16, low: 0, high: 100 })).toEqual([10, 26, 50]);
  expect(spreadApart([90, 95, 99], { gap: 16, low: 0, high: 100 })).toEqual([68, 84, 100]);
  expect(spreadApart([1, 2, 3], { gap: 80, low: 0, high: 100 })).toEqual([0, 50, 100]);
  const within = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(within, (values) => {
      const places = spreadApart(
        values.toSorted((one, other) => one - other),
        { gap: 16, low: 0, high: 100 },
      );
      for (const [nth, place] of places.entries()) {
        expect(place).toBeGreaterThanOrEqual(-1e-9);
        expect(place).toBeLessThanOrEqual(100 + 1e-9);
        if (nth > 0) expect(place - (places[nth - 1] ?? 0)).toBeGreaterThanOrEqual(16 - 1e-9);
      }
    }),
  );
});

test('[2.75] neighbours stand on the chase road to scale, and faces that are close do not cover each other', () => {
  expect(chasePlaces([-10, -5, 0])).toEqual([0.09, 0.5, 0.91]);
  const [far, near, own, ahead] = chasePlaces([-100, -0.2, 0, 0.1]);
  expect([far, (own ?? 0) - (near ?? 0) > 0.19, (ahead ?? 1) <= 0.91]).toEqual([0.09, true, true]);
  expect(chasePlaces([0])).toEqual([0.5]);
});

const box = { width: 340, height: 176, left: 34, right: 76, top: 14, bottom: 24 };

test('[D12] a line of ranks counts downwards: the better rank is higher, and ticks are whole', () => {
  const { lines, ticks } = drawLines([[9, 8, 7, 5]], { box, isDownwards: true });
  expect(lines[0]?.path).toBe('M34 152L110.7 117.5L187.3 83L264 14');
  expect(ticks.every(({ value }) => Number.isInteger(value))).toBe(true);
  expect(ticks.map(({ value }) => value)).toEqual([5, 7, 9]);
});

test('a line chart has gaps where there are no values, and a line without any is not drawn', () => {
  const { lines } = drawLines(
    [
      [null, 4, null, 6, 7],
      [null, null, null, null, null],
    ],
    { box },
  );
  expect(lines[0]?.path.match(/[ML]/g)).toEqual(['M', 'M', 'L']);
  expect(lines[1]).toBeNull();
});

test('labels of lines that end together stand apart', () => {
  const { lines } = drawLines(
    [
      [20, 40],
      [30, 40],
      [10, 41],
    ],
    { box },
  );
  const labels = lines.map((line) => line?.labelY ?? 0).toSorted((one, other) => one - other);
  expect((labels[1] ?? 0) - (labels[0] ?? 0)).toBeGreaterThanOrEqual(16);
  expect((labels[2] ?? 0) - (labels[1] ?? 0)).toBeGreaterThanOrEqual(16);
});

// 19 November 2026 is a Thursday, the first of January too.
const year = {
  today: '2026-11-19',
  days: [
    { on: '2025-12-31', miles: 9, movements: 1 },
    { on: '2026-01-01', miles: 1, movements: 1 },
    { on: '2026-01-05', miles: 2, movements: 1 },
    { on: '2026-11-17', miles: 3, movements: 2 },
    { on: '2026-11-18', miles: 8, movements: 2 },
    { on: '2026-11-16', miles: 0, movements: 1 },
  ],
  restDays: ['2026-11-15'],
};

test('[D10 D11] a year has every day once, in weeks from Monday; moved days have four steps, rest days their own', () => {
  const grid = yearGrid(2026, year);
  expect(grid).toHaveLength(365);
  expect(yearGrid(2028, year)).toHaveLength(366);
  expect(grid[0]).toEqual({ on: '2026-01-01', week: 0, weekday: 3, level: 1, isToday: false });
  const levels = new Map(grid.map(({ on, level }) => [on, level]));
  const levelsOf = (...dates: string[]) => dates.map((on) => levels.get(on));
  expect(levelsOf('2026-01-05', '2026-11-17', '2026-11-18', '2026-11-16')).toEqual([2, 3, 4, 1]);
  expect(levelsOf('2026-11-15', '2026-11-14', '2026-11-20')).toEqual(['rest', 'none', 'ahead']);
  expect(grid.filter(({ isToday }) => isToday).map(({ on }) => on)).toEqual(['2026-11-19']);
});

test('months of a year are named above the week in which most of their first days are', () => {
  const columns = monthColumns(yearGrid(2026, year));
  expect(columns).toHaveLength(12);
  expect(columns.slice(0, 2)).toEqual([
    { month: '2026-01-01', week: 0 },
    { month: '2026-02-01', week: 5 },
  ]);
});

test('[D44] the table of a year tells its months: days moved, miles and rest days', () => {
  const months = monthTotals(2026, year);
  expect(months[0]).toEqual({ month: '2026-01-01', days: 2, miles: 3, rests: 0 });
  expect(months[10]).toEqual({ month: '2026-11-01', days: 3, miles: 11, rests: 1 });
});
