import {
  addDays,
  localDateOf,
  minutesOfDay,
  startOfDate,
  weekStartOf,
} from '@caravan/contracts/domain/time/local-days';
import { timeZoneNames } from '@caravan/contracts/domain/time/time-zones';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endingRounds, goalRounds, lastMorningBefore, streakRounds } from './notice-times.ts';

const berlin = 'Europe/Berlin';
const zone = fc.oneof(
  fc.constantFrom('Pacific/Kiritimati', 'Etc/GMT-14', 'Etc/GMT+12', 'Pacific/Pago_Pago', 'Australia/Lord_Howe', berlin),
  fc.constantFrom(...timeZoneNames),
);
const instant = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2028-12-31'), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000));
const later = (at: Date, minutes: number) => new Date(at.getTime() + minutes * 60_000);
const hourOf = (at: Date, timeZone: string) => Math.floor(minutesOfDay(at, timeZone) / 60);

describe('a reminder', () => {
  test.each([
    ['2026-11-18T16:59:59.999Z', []],
    ['2026-11-18T17:00:00.000Z', [{ timeZone: berlin, on: '2026-11-18' }]],
    ['2026-11-18T18:59:59.999Z', [{ timeZone: berlin, on: '2026-11-18' }]],
    ['2026-11-18T19:00:00.000Z', []],
  ])('[D11] of a streak is due from 18 to 20 h of the local day: %s', (at, rounds) => {
    expect(streakRounds([berlin], new Date(at))).toEqual(rounds);
  });

  test.each([
    ['2026-11-19T11:30:00.000Z', []],
    ['2026-11-20T11:00:00.000Z', [{ timeZone: berlin, on: '2026-11-20' }]],
    ['2026-11-20T13:00:00.000Z', []],
  ])("[9.5] of the weekly goal is due at Friday's noon: %s", (at, rounds) => {
    expect(goalRounds([berlin], new Date(at))).toEqual(rounds);
  });

  test.each([
    ["a week's midnight", '2026-11-22T23:00:00.000Z', berlin, '2026-11-22'],
    ['six in the evening', '2026-11-18T17:00:00.000Z', berlin, '2026-11-18'],
    ['midnight in Berlin, for Auckland', '2026-11-22T23:00:00.000Z', 'Pacific/Auckland', '2026-11-23'],
    ['midnight in Berlin, for Pago Pago', '2026-11-22T23:00:00.000Z', 'Pacific/Pago_Pago', '2026-11-22'],
    ['nine in the morning', '2026-11-18T08:00:00.000Z', berlin, '2026-11-17'],
  ])('[D14] of what ends is due on the last morning that leaves time: %s', (_, end, timeZone, on) => {
    expect(lastMorningBefore(new Date(end), timeZone)).toBe(on);
  });

  test('[D10 D14] of what ends is due on one local date, before it ends, at most a day and a half ahead', () => {
    fc.assert(
      fc.property(zone, instant, fc.integer({ min: -60, max: 60 * 60 }), (timeZone, end, minutesBefore) => {
        const at = later(end, -minutesBefore);
        const [round] = endingRounds([timeZone], at, end);
        if (!round) return;
        expect(at.getTime()).toBeLessThan(end.getTime());
        expect(minutesBefore).toBeLessThanOrEqual(36 * 60);
        expect([8, 9]).toContain(hourOf(at, timeZone));
        expect(round.on).toBe(lastMorningBefore(end, timeZone));
      }),
      { numRuns: 3_000 },
    );
  });

  test('[D10 D11] is due once on every local date, in every zone, over every change of clocks, however often one looks', () => {
    fc.assert(
      fc.property(zone, instant, fc.integer({ min: 5, max: 90 }), (timeZone, from, everyMinutes) => {
        const seen = new Set<string>();
        for (let minutes = 0; minutes < 8 * 24 * 60; minutes += everyMinutes)
          for (const { on } of streakRounds([timeZone], later(from, minutes))) {
            const at = later(from, minutes);
            expect(on).toBe(localDateOf(at, timeZone));
            expect([18, 19]).toContain(hourOf(at, timeZone));
            seen.add(on);
          }
        // The first and the last date may be there in part.
        const dates = [...seen].toSorted();
        expect(dates).toEqual(dates.map((_, nth) => addDays(dates[0] ?? '', nth)));
        expect(dates.length).toBeGreaterThanOrEqual(7);
      }),
      { numRuns: 60 },
    );
  });

  test('[9.5 D10] of the weekly goal is due once a week', () => {
    fc.assert(
      fc.property(zone, instant, (timeZone, from) => {
        const seen = new Set<string>();
        for (let minutes = 0; minutes < 15 * 24 * 60; minutes += 45)
          for (const { on } of goalRounds([timeZone], later(from, minutes))) seen.add(on);
        const weeks = [...seen].map((on) => weekStartOf(on));
        expect(new Set(weeks).size).toBe(weeks.length);
        expect(weeks.length).toBeGreaterThanOrEqual(2);
      }),
      { numRuns: 60 },
    );
  });

  test('[D10] a local date begins at its first instant, also where midnight is skipped', () => {
    // Midnight of this Sunday does not exist in Beirut.
    expect(startOfDate('2026-03-29', 'Asia/Beirut').toISOString()).toBe('2026-03-28T22:00:00.000Z');
    expect(startOfDate('2026-11-23', 'Etc/GMT-14').toISOString()).toBe('2026-11-22T10:00:00.000Z');
    fc.assert(
      fc.property(zone, instant, (timeZone, at) => {
        const date = localDateOf(at, timeZone);
        const start = startOfDate(date, timeZone);
        expect(localDateOf(start, timeZone)).toBe(date);
        expect(localDateOf(new Date(start.getTime() - 1), timeZone) < date).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
