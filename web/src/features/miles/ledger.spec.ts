import type { Miles, MilesEntry } from '@caravan/contracts/http/scores';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOf } from './ledger.ts';

const entry = (on: string, miles: number): MilesEntry => ({
  at: `${on}T12:00:00.000Z`,
  on,
  kind: 'log',
  miles,
  explanation: '',
});
const sumsOf = (entries: readonly MilesEntry[]) =>
  [...new Set(entries.map(({ on }) => on))].map((on) => {
    const sum = entries
      .filter((each) => each.on === on)
      .reduce((hundredths, { miles }) => hundredths + Math.round(miles * 100), 0);
    return { on, miles: sum / 100 };
  });
const page = (entries: MilesEntry[], days: Miles['days'], totalMiles: number): Miles => ({ entries, days, totalMiles });

test('[D9 D10] entries stand by the dates they count for, with the total after each of them', () => {
  const entries = [entry('2026-11-21', -1), entry('2026-11-21', 3), entry('2026-11-20', 4.5)];
  const days = daysOf([page(entries, sumsOf(entries), 6.5)]);
  expect(days.map(({ on, miles, lines }) => [on, miles, lines.map(({ totalMiles }) => totalMiles)])).toEqual([
    ['2026-11-21', 2, [6.5, 7.5]],
    ['2026-11-20', 4.5, [4.5]],
  ]);
});

test('[D5 D9] however many entries and pages: the days add up to the total, and before the first there was nothing', () => {
  const entries = fc.array(fc.record({ hundredths: fc.integer({ min: -14_400, max: 28_800 }), day: fc.nat(5) }), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 60 }), (drawn, pageSize) => {
      const total = drawn.reduce((sum, { hundredths }) => sum + hundredths, 0);
      const ledger = drawn
        .toSorted((one, other) => other.day - one.day)
        .map(({ hundredths, day }) => entry(`2026-11-1${day}`, hundredths / 100));
      const sums = sumsOf(ledger);
      const pages = Array.from({ length: Math.ceil(ledger.length / pageSize) }, (_, index) => {
        const shown = ledger.slice(index * pageSize, (index + 1) * pageSize);
        const days = sums.filter(({ on }) => shown.some((each) => each.on === on));
        return page(shown, days, total / 100);
      });
      const days = daysOf(pages);
      expect(days.map(({ on, miles }) => ({ on, miles }))).toEqual(sums);
      expect(days.reduce((sum, { miles }) => sum + Math.round(miles * 100), 0)).toBe(total);
      const first = days.at(-1)?.lines.at(-1);
      expect(Math.round(((first?.totalMiles ?? 0) - (first?.miles ?? 0)) * 100)).toBe(0);
      expect(days[0]?.lines[0]?.totalMiles).toBe(total / 100);
    }),
    { numRuns: 2_000 },
  );
});
