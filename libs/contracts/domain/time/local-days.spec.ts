import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  addDays,
  daysBetween,
  instantOf,
  localDateOf,
  localTimeOf,
  minutesOfDay,
  startOfDate,
  weekStartOf,
} from './local-days.ts';

describe('local days', () => {
  afterEach(() => void vi.restoreAllMocks());

  test('[D10] local dates and times are the same whatever order and signs a locale writes', () => {
    const formats: { readonly format: unknown } = Intl.DateTimeFormat.prototype;
    vi.spyOn(formats, 'format', 'get').mockReturnValue(() => '3/7/26 p.m.');
    const instant = new Date('2026-03-07T22:05:00Z');
    expect(localDateOf(instant, 'Asia/Kathmandu')).toBe('2026-03-08');
    expect(localTimeOf(instant, 'Asia/Kathmandu')).toBe('2026-03-08T03:50');
    expect(minutesOfDay(instant, 'Asia/Kathmandu')).toBe(3 * 60 + 50);
  });

  test.each([
    ['2026-11-27T09:30', 'Pacific/Auckland', '2026-11-26T20:30:00.000Z'],
    ['2026-11-27T00:00', 'America/Los_Angeles', '2026-11-27T08:00:00.000Z'],
    // Clocks were set back: the first of two; and forward: as much later as was skipped.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ])('[D10] a clock that shows %s in %s does so at %s', (time, zone, instant) => {
    expect(instantOf(time, zone)?.toISOString()).toBe(instant);
  });

  test.each(['', '20226-11-27T09:30', '2026-11-31T09:30', '2026-13-01T09:30', '2026-11-27', '2026-11-27T25:00'])(
    '[D10] no clock shows %j',
    (time) => {
      expect(instantOf(time, 'Europe/Berlin')).toBeNull();
    },
  );

  test('[D10] what a clock shows leads back to the instant, in every zone', () => {
    const minutes = fc.integer({ min: 0, max: 40_000_000 }).map((minute) => new Date(Date.UTC(1970, 0, 1, 0, minute)));
    fc.assert(
      fc.property(minutes, fc.constantFrom(...Intl.supportedValuesOf('timeZone')), (instant, zone) => {
        const time = localTimeOf(instant, zone);
        const back = instantOf(time, zone);
        expect(back && localTimeOf(back, zone)).toBe(time);
      }),
    );
  });

  test('[D10] a date begins with its first instant, in every zone', () => {
    const dates = fc.integer({ min: 0, max: 12_000 }).map((days) => addDays('2005-01-01', days));
    fc.assert(
      fc.property(dates, fc.constantFrom(...Intl.supportedValuesOf('timeZone')), (date, zone) => {
        const start = startOfDate(date, zone);
        expect(localDateOf(start, zone) >= date).toBe(true);
        expect(localDateOf(new Date(start.getTime() - 1), zone) < date).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(() => startOfDate('2026-02-30', 'UTC')).toThrow(RangeError);
  });

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

  test('[D10] dates before the year 1000 have four digits of a year, too', () => {
    expect(localTimeOf(new Date('0987-06-05T04:03:00Z'), 'UTC')).toBe('0987-06-05T04:03');
  });

  test('[D10] an unknown zone and no date are refused, not guessed', () => {
    for (const of of [localDateOf, localTimeOf, minutesOfDay]) {
      expect(() => of(new Date(0), 'Mars/Olympus')).toThrow(RangeError);
      expect(() => of(new Date(Number.NaN), 'UTC')).toThrow(RangeError);
    }
    expect(() => instantOf('2026-11-27T09:30', 'Mars/Olympus')).toThrow(RangeError);
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
