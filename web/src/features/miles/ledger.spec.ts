import type { MilesEntry } from '@caravan/contracts/http/scores';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOf } from './ledger.ts';

const entry = (at: string, miles: number): MilesEntry => ({ at, kind: 'log', miles, explanation: '' });
const dateOf = (iso: string) => iso.slice(0, 10);

test('[D9] entries stand by local dates, with the total after each of them', () => {
  const days = daysOf(
    [entry('2026-11-21T10:00Z', -1), entry('2026-11-21T09:00Z', 3), entry('2026-11-20T09:00Z', 4.5)],
    6.5,
    dateOf,
  );
  expect(days.map(({ on, miles, lines }) => [on, miles, lines.map(({ totalMiles }) => totalMiles)])).toEqual([
    ['2026-11-21', 2, [6.5, 7.5]],
    ['2026-11-20', 4.5, [4.5]],
  ]);
});

test('[D5 D9] however many entries: the days add up to the total, and before the first there was nothing', () => {
  const entries = fc.array(fc.record({ hundredths: fc.integer({ min: -14_400, max: 28_800 }), day: fc.nat(5) }), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(entries, (drawn) => {
      const newestFirst = drawn.toSorted((one, other) => other.day - one.day);
      const total = drawn.reduce((sum, { hundredths }) => sum + hundredths, 0);
      const ledger = newestFirst.map(({ hundredths, day }) => entry(`2026-11-1${day}T09:00Z`, hundredths / 100));
      const days = daysOf(ledger, total / 100, dateOf);
      expect(days.reduce((sum, { miles }) => sum + Math.round(miles * 100), 0)).toBe(total);
      const first = days.at(-1)?.lines.at(-1);
      expect(Math.round(((first?.totalMiles ?? 0) - (first?.miles ?? 0)) * 100)).toBe(0);
      expect(days[0]?.lines[0]?.totalMiles).toBe(total / 100);
    }),
    { numRuns: 2_000 },
  );
});
