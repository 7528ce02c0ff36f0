import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysBetween, localDateOf, weekStartOf } from './local-days.ts';

describe('local days', () => {
  test.each([
    ['2026-03-29T00:30:00Z', 'Europe/London', '2026-03-29'],
    ['2026-03-29T23:30:00Z', 'Europe/London', '2026-03-30'],
    ['2026-10-25T23:30:00Z', 'Europe/London', '2026-10-25'],
    ['2026-06-30T18:20:00Z', 'Asia/Kathmandu', '2026-07-01'],
    ['2026-12-31T10:30:00Z', 'Pacific/Kiritimati', '2027-01-01'],
    ['2026-12-31T11:30:00Z', 'Pacific/Apia', '2027-01-01'],
  ])('[D10] %s in %s falls on %s', (instant, zone, date) => {
    expect(localDateOf(new Date(instant), zone)).toBe(date);
  });

  test.each([
    ['2026-11-16', '2026-11-16'],
    ['2026-11-21', '2026-11-16'],
    ['2026-11-22', '2026-11-16'],
    ['2026-03-01', '2026-02-23'],
    ['2028-02-29', '2028-02-28'],
  ])('[D10] the week of %s starts on Monday %s', (date, monday) => {
    expect(weekStartOf(date)).toBe(monday);
  });

  test('days added can be counted back, over leap days and changes of clock', () => {
    const dates = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('1990-01-01', days));
    fc.assert(
      fc.property(dates, fc.integer({ min: -1000, max: 1000 }), (date, days) => {
        expect(daysBetween(date, addDays(date, days))).toBe(days);
      }),
    );
  });
});
