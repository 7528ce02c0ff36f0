import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { onlyZone, withTimeZone } from '@caravan/contracts/domain/time/organisation-zone';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closingTimeFor } from './bonus-challenge.ts';

const berlin = { zones: onlyZone('Europe/Berlin'), lastOpenedAt: new Date('2026-11-17T09:00:00.000Z') };
const closing = (at: string, place = berlin) => closingTimeFor(new Date(at), place)?.toISOString();

describe('a bonus challenge opens', () => {
  test('[D15] in the daytime of its organisation, and closes at 18:00', () => {
    expect(closing('2026-11-18T08:00:00.000Z')).toBe('2026-11-18T17:00:00.000Z');
    expect(closing('2026-11-18T13:59:59.999Z')).toBe('2026-11-18T17:00:00.000Z');
    expect(closing('2026-11-18T07:59:59.999Z')).toBeUndefined();
    expect(closing('2026-11-18T14:00:00.000Z')).toBeUndefined();
  });

  test('[D15] once a day at most', () => {
    const opened = { ...berlin, lastOpenedAt: new Date('2026-11-18T08:00:00.000Z') };
    expect(closing('2026-11-18T12:00:00.000Z', opened)).toBeUndefined();
    expect(closing('2026-11-19T08:00:00.000Z', opened)).toBe('2026-11-19T17:00:00.000Z');
  });

  test('[D10 D15] once on the Sunday that a change of the time zone makes longer', () => {
    const zones = withTimeZone(onlyZone('Pacific/Kiritimati'), 'Pacific/Honolulu', new Date('2026-11-18T12:00:00Z'));
    // 10:00 on Sunday; a day later it is still Sunday, and another day later it is Monday in Honolulu.
    const opened = { zones, lastOpenedAt: new Date('2026-11-21T20:00:00.000Z') };
    expect(closing('2026-11-22T20:00:00.000Z', opened)).toBeUndefined();
    expect(closing('2026-11-23T20:00:00.000Z', opened)).toBe('2026-11-24T04:00:00.000Z');
  });

  test('[D15] at once in an organisation that never had one, at any hour', () => {
    const never = { zones: onlyZone('Europe/Berlin'), lastOpenedAt: null };
    expect(closingTimeFor(new Date('2026-11-18T02:00:00.000Z'), never)).toEqual(new Date('2026-11-19T02:00:00.000Z'));
  });

  test('[D15] for three to nine hours, on a date that has none yet, in every zone and over every change of clocks', () => {
    const zones = ['Europe/London', 'Asia/Kathmandu', 'Pacific/Apia', 'Pacific/Kiritimati', 'America/St_Johns'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 72 * 60 }),
        (timeZone, at, minutesBefore) => {
          const lastOpenedAt = new Date(at.getTime() - minutesBefore * 60_000);
          const expiresAt = closingTimeFor(at, { zones: onlyZone(timeZone), lastOpenedAt });
          if (!expiresAt) return;
          const hours = (expiresAt.getTime() - at.getTime()) / 3_600_000;
          expect(hours).toBeGreaterThan(2.98);
          expect(hours).toBeLessThanOrEqual(9);
          expect(localDateOf(expiresAt, timeZone)).toBe(localDateOf(at, timeZone));
          expect(localDateOf(lastOpenedAt, timeZone)).not.toBe(localDateOf(at, timeZone));
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
