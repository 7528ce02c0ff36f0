import { addDays, localDateOf, minutesOfDay, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { onlyZone, withTimeZone } from '@caravan/contracts/domain/time/organisation-zone';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueWeeks, participationOf } from './recap.ts';

const at = (instant: string) => new Date(instant);
const of = (timeZone: string, changes: object = {}) => ({
  zones: onlyZone(timeZone),
  foundedAt: at('2026-01-05T12:00:00Z'),
  latestWeek: null as string | null,
  ...changes,
});
const isDue = (timeZone: string, instant: string, latestWeek: string) =>
  dueWeeks(of(timeZone, { latestWeek }), at(instant)).length > 0;

describe('[D28] the recap of a week is due from six on Monday morning, by the organisation’s clock', () => {
  test.each([
    ['UTC', '2026-11-16T05:59:59Z', '2026-11-16T06:00:00Z', '2026-11-02'],
    // A day ahead of everybody, and a day behind.
    ['Pacific/Kiritimati', '2026-11-15T15:59:59Z', '2026-11-15T16:00:00Z', '2026-11-02'],
    ['Etc/GMT+12', '2026-11-16T17:59:59Z', '2026-11-16T18:00:00Z', '2026-11-02'],
    // The night before, clocks went forward, and back.
    ['Europe/Berlin', '2026-03-30T03:59:59Z', '2026-03-30T04:00:00Z', '2026-03-16'],
    ['Europe/Berlin', '2026-10-26T04:59:59Z', '2026-10-26T05:00:00Z', '2026-10-12'],
    ['Asia/Kathmandu', '2026-11-16T00:14:59Z', '2026-11-16T00:15:00Z', '2026-11-02'],
  ])('in %s', (timeZone, before, from, latestWeek) => {
    expect([isDue(timeZone, before, latestWeek), isDue(timeZone, from, latestWeek)]).toEqual([false, true]);
    expect(dueWeeks(of(timeZone, { latestWeek }), at(from))).toEqual([addDays(latestWeek, 7)]);
  });
});

test('[D10 D28] a recap of the week of a change is due by the clock of the new time zone', () => {
  const zones = withTimeZone(onlyZone('Europe/Berlin'), 'America/Los_Angeles', at('2026-11-18T12:00:00Z'));
  const changing = of('Europe/Berlin', { zones, latestWeek: '2026-11-09' });
  expect(dueWeeks(changing, at('2026-11-23T13:59:59Z'))).toEqual([]);
  expect(dueWeeks(changing, at('2026-11-23T14:00:00Z'))).toEqual(['2026-11-16']);
});

test('[D28] weeks that were missed follow, oldest first, up to eight', () => {
  const now = at('2026-11-18T12:00:00Z');
  expect(dueWeeks(of('UTC', { latestWeek: '2026-10-19' }), now)).toEqual(['2026-10-26', '2026-11-02', '2026-11-09']);
  expect(dueWeeks(of('UTC', { latestWeek: '2025-01-06' }), now)).toHaveLength(8);
  expect(dueWeeks(of('UTC', { latestWeek: '2026-11-09' }), now)).toEqual([]);
});

test('[D28] an organisation has its first recap on the Monday after it was founded', () => {
  const founded = of('Europe/Berlin', { foundedAt: at('2026-11-18T12:00:00Z') });
  expect(dueWeeks(founded, at('2026-11-20T12:00:00Z'))).toEqual([]);
  expect(dueWeeks(founded, at('2026-11-23T12:00:00Z'))).toEqual(['2026-11-16']);
});

test('[D28] whenever one looks, each week becomes due once, never before its Monday at six', () => {
  const zones = ['Pacific/Kiritimati', 'Etc/GMT+12', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC'];
  const minutes = fc.array(fc.integer({ min: 1, max: 6 * 1440 }), { minLength: 20, maxLength: 60 });
  fc.assert(
    fc.property(fc.constantFrom(...zones), minutes, (timeZone, pauses) => {
      const told: string[] = [];
      let now = Date.parse('2026-03-10T00:00:00Z');
      for (const pause of pauses) {
        now += pause * 60_000;
        for (const week of dueWeeks(of(timeZone, { latestWeek: told.at(-1) ?? '2026-03-02' }), new Date(now))) {
          const today = localDateOf(new Date(now), timeZone);
          expect(week).toBe(weekStartOf(week));
          expect(addDays(week, 7) <= today).toBe(true);
          if (addDays(week, 7) === today) expect(minutesOfDay(new Date(now), timeZone)).toBeGreaterThanOrEqual(360);
          told.push(week);
        }
      }
      expect(told).toEqual(told.map((_, nth) => addDays('2026-03-02', 7 * (nth + 1))));
    }),
    { numRuns: 100 },
  );
});

test('[3.18] participation is a share of the active members, in per cent', () => {
  expect([participationOf(1, 3), participationOf(0, 5), participationOf(0, 0), participationOf(3, 2)]).toEqual([
    33.3, 0, 0, 100,
  ]);
});
