import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, localDateOf, localTimeOf, weekStartOf } from './local-days.ts';
import {
  comingChange,
  onlyZone,
  organisationDateOf,
  organisationWeekOf,
  organisationZoneAt,
  startOfOrganisationDate,
  withTimeZone,
  type ZoneHistory,
} from './organisation-zone.ts';

const hour = 3_600_000;
const east = 'Pacific/Kiritimati';
const west = 'Pacific/Pago_Pago';
const zoneNames = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kathmandu', 'Australia/Lord_Howe', east, west];
const anyZone = fc.constantFrom(...zoneNames);
const anyInstant = fc
  .integer({ min: 0, max: 3 * 365 * 24 * 12 })
  .map((fives) => new Date(Date.UTC(2026, 0, 1) + fives * 300_000));

type Wish = { readonly timeZone: string; readonly at: Date };

/** The histories that one wish after the other leaves, the oldest first. */
function historiesOf(first: string, wishes: readonly Wish[]): ZoneHistory[] {
  const histories = [onlyZone(first)];
  for (const { timeZone, at } of wishes)
    histories.push(withTimeZone(histories.at(-1) ?? onlyZone(first), timeZone, at));
  return histories;
}

// Hours apart as well as weeks, so that wishes come before, in and after the hours around a Monday.
const anyWishes = fc
  .array(fc.tuple(anyZone, fc.integer({ min: 0, max: 400 }), anyInstant), { maxLength: 6 })
  .map((drawn) =>
    drawn
      .flatMap(([timeZone, hours, at]) => [
        { timeZone, at },
        { timeZone: zoneNames[hours % zoneNames.length] ?? 'UTC', at: new Date(at.getTime() + hours * hour) },
      ])
      .toSorted((one, other) => one.at.getTime() - other.at.getTime()),
  );

const around = (instant: Date): fc.Arbitrary<Date> =>
  fc.integer({ min: -72 * 60, max: 72 * 60 }).map((minutes) => new Date(instant.getTime() + minutes * 60_000));

/** Instants near a boundary of the history, where there is one. */
const withInstants = fc.tuple(anyZone, anyWishes).chain(([first, wishes]) => {
  const zones = historiesOf(first, wishes).at(-1) ?? onlyZone(first);
  const boundaries = zones.changes.map(({ from }) => startOfOrganisationDate(zones, from));
  const instants = fc.oneof(anyInstant, ...boundaries.map(around));
  return fc.record({ zones: fc.constant(zones), one: instants, other: instants });
});

describe('the dates and weeks of an organisation that changes its time zone', () => {
  test('[D10] are those of its only zone while it has never changed', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (timeZone, at) => {
        expect(organisationDateOf(onlyZone(timeZone), at)).toBe(localDateOf(at, timeZone));
      }),
    );
  });

  test('[D10] never decrease as time passes', () => {
    fc.assert(
      fc.property(withInstants, ({ zones, one, other }) => {
        const [earlier, later] = one < other ? [one, other] : [other, one];
        expect(organisationDateOf(zones, earlier) <= organisationDateOf(zones, later)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('[D10] an instant lies between the beginnings of its date and of the next, and so of its week', () => {
    fc.assert(
      fc.property(withInstants, ({ zones, one }) => {
        const date = organisationDateOf(zones, one);
        const week = organisationWeekOf(zones, one);
        for (const [from, until] of [
          [date, addDays(date, 1)],
          [week, addDays(week, 7)],
        ] as const) {
          expect(startOfOrganisationDate(zones, from) <= one).toBe(true);
          expect(startOfOrganisationDate(zones, until) > one).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('[D10] a date begins with the first instant that lies on it, or after it where there is none', () => {
    const away = fc.integer({ min: -3, max: 10 });
    fc.assert(
      fc.property(withInstants, away, ({ zones, one }, days) => {
        const date = addDays(organisationDateOf(zones, one), days);
        const start = startOfOrganisationDate(zones, date);
        expect(organisationDateOf(zones, start) >= date).toBe(true);
        expect(organisationDateOf(zones, new Date(start.getTime() - 1)) < date).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('[D10] of instants before a change stay the same, however many changes follow', () => {
    fc.assert(
      fc.property(anyZone, anyWishes, fc.integer({ min: 0, max: 60 * 24 * 9 }), (first, wishes, minutes) => {
        const histories = historiesOf(first, wishes);
        for (const [nth, { at }] of wishes.entries()) {
          const before = new Date(at.getTime() - minutes * 60_000);
          const dates = histories.slice(nth).map((zones) => organisationDateOf(zones, before));
          expect(new Set(dates).size).toBe(1);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('[D10] changes begin on Mondays, one after the other, each with another zone than the one before', () => {
    fc.assert(
      fc.property(anyZone, anyWishes, (first, wishes) => {
        const { changes } = historiesOf(first, wishes).at(-1) ?? onlyZone(first);
        for (const [nth, { from, timeZone }] of changes.entries()) {
          expect(weekStartOf(from)).toBe(from);
          expect(timeZone).not.toBe(changes[nth - 1]?.timeZone ?? first);
          expect((changes[nth - 1]?.from ?? '') < from).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a change of the time zone', () => {
  const thursday = new Date('2026-11-26T12:00:00Z');
  const monday = '2026-11-30';
  const toLosAngeles = withTimeZone(onlyZone('Europe/Berlin'), 'America/Los_Angeles', thursday);

  test('[D10] holds from the next Monday', () => {
    expect(toLosAngeles).toEqual({
      first: 'Europe/Berlin',
      changes: [{ from: monday, timeZone: 'America/Los_Angeles' }],
    });
    expect(comingChange(toLosAngeles, thursday)).toEqual({ from: monday, timeZone: 'America/Los_Angeles' });
    expect(organisationZoneAt(toLosAngeles, thursday)).toBe('Europe/Berlin');
    const begun = startOfOrganisationDate(toLosAngeles, monday);
    expect(comingChange(toLosAngeles, begun)).toBeNull();
    expect(organisationZoneAt(toLosAngeles, begun)).toBe('America/Los_Angeles');
  });

  test.each([
    // Sunday goes on until Monday has begun in the new zone.
    ['Europe/Berlin', 'America/Los_Angeles', '2026-11-30T08:00:00Z', '2026-11-29'],
    // Sunday ends early.
    ['America/Los_Angeles', 'Europe/Berlin', '2026-11-29T23:00:00Z', '2026-11-29'],
    [east, west, '2026-11-30T11:00:00Z', '2026-11-29'],
    // When Monday begins there it is Saturday's last hour here: Sunday is left out.
    [west, east, '2026-11-29T10:00:00Z', '2026-11-28'],
  ])('[D10] from %s to %s begins its Monday at %s', (from, to, start, dateBefore) => {
    const zones = withTimeZone(onlyZone(from), to, thursday);
    const begun = new Date(start);
    expect(startOfOrganisationDate(zones, monday)).toEqual(begun);
    expect(organisationDateOf(zones, begun)).toBe(monday);
    const before = new Date(begun.getTime() - 1);
    expect([organisationDateOf(zones, before), organisationWeekOf(zones, before)]).toEqual([dateBefore, '2026-11-23']);
  });

  test('[D10] to a zone whose Monday begins before the old Sunday starts that Sunday together with the Monday', () => {
    const zones = withTimeZone(onlyZone(west), east, thursday);
    expect(startOfOrganisationDate(zones, '2026-11-29')).toEqual(startOfOrganisationDate(zones, monday));
  });

  test.each([
    ['2026-03-26T12:00:00Z', 'America/New_York', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
    ['2026-10-22T12:00:00Z', 'Europe/Berlin', 'America/New_York', '2026-10-26T04:00:00Z'],
    ['2026-10-29T12:00:00Z', 'Europe/Berlin', 'America/New_York', '2026-11-02T05:00:00Z'],
  ])('[D10] made at %s from %s to %s follows the clocks that change on that Sunday', (at, from, to, start) => {
    const zones = withTimeZone(onlyZone(from), to, new Date(at));
    const [change] = zones.changes;
    expect(startOfOrganisationDate(zones, change?.from ?? '')).toEqual(new Date(start));
    expect(localTimeOf(new Date(start), to)).toBe(`${change?.from}T00:00`);
  });

  test('[D10] skips a Monday that has begun in either zone or begins within the next hour', () => {
    const fromOf = (at: string) => withTimeZone(onlyZone('Europe/Berlin'), 'Asia/Tokyo', new Date(at)).changes[0]?.from;
    expect(fromOf('2026-11-29T13:59:59Z')).toBe(monday);
    expect(fromOf('2026-11-29T14:00:00Z')).toBe('2026-12-07');
    expect(fromOf('2026-11-29T20:00:00Z')).toBe('2026-12-07');
  });

  test('[D10] replaces a pending change, and choosing the present zone withdraws the pending change', () => {
    const friday = new Date('2026-11-27T12:00:00Z');
    expect(withTimeZone(toLosAngeles, 'America/Denver', friday).changes).toEqual([
      { from: monday, timeZone: 'America/Denver' },
    ]);
    expect(withTimeZone(toLosAngeles, 'America/Los_Angeles', friday)).toBe(toLosAngeles);
    expect(withTimeZone(toLosAngeles, 'Europe/Berlin', friday)).toEqual(onlyZone('Europe/Berlin'));
  });

  test('[D10] cannot be withdrawn during the hours by which it lengthens its Sunday', () => {
    const inAddedHours = new Date('2026-11-30T03:00:00Z');
    expect(organisationDateOf(toLosAngeles, inAddedHours)).toBe('2026-11-29');
    expect(withTimeZone(toLosAngeles, 'Europe/Berlin', inAddedHours).changes).toEqual([
      { from: monday, timeZone: 'America/Los_Angeles' },
      { from: '2026-12-07', timeZone: 'Europe/Berlin' },
    ]);
    // Monday has begun in neither of these two.
    expect(withTimeZone(toLosAngeles, west, inAddedHours).changes).toEqual([{ from: monday, timeZone: west }]);
  });
});
