import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demoHistory, startOfDay } from './history.ts';
import { demoPeople } from './people.ts';

const zone = 'Europe/Berlin';
const now = new Date('2026-11-21T12:00:00Z');
const history = demoHistory(demoPeople, now, zone);
const weekStartedAt = new Date('2026-11-15T23:00:00Z');
const milesOfWeek = (team: number, of = history) =>
  of
    .filter(({ person, startedAt }) => person % 2 === team && startedAt >= weekStartedAt)
    .reduce((sum, { durationMinutes }) => sum + durationMinutes, 0) / 10;

describe('the demo', () => {
  test('[D45 D26] has Thunder at 42.0 miles and Blazers at 38.5 this week', () => {
    expect([milesOfWeek(0), milesOfWeek(1)]).toEqual([42, 38.5]);
  });

  test('[D11] has Maya on a streak of exactly twelve days, and Omar without a movement', () => {
    const days = (name: string) =>
      new Set(
        history
          .filter(({ person }) => demoPeople[person]?.name.startsWith(name))
          .map(({ startedAt }) => localDateOf(startedAt, zone)),
      );
    const maya = days('Maya');
    for (let ago = 0; ago < 12; ago += 1)
      expect(maya).toContain(localDateOf(new Date(now.getTime() - ago * 86_400_000), zone));
    expect(maya).not.toContain('2026-11-09');
    expect(days('Omar').size).toBe(0);
  });

  test('[D26] has ten members of the first hour and ten who began within the last year, whom analytics may tell of', () => {
    const first = new Map<number, number>();
    for (const { person, startedAt } of history)
      first.set(person, Math.min(first.get(person) ?? Infinity, startedAt.getTime()));
    const weeksAgo = [...first.values()].map((at) => (weekStartedAt.getTime() - at) / (7 * 86_400_000));
    expect(weeksAgo.filter((weeks) => weeks > 90)).toHaveLength(10);
    expect(weeksAgo.filter((weeks) => weeks > 15 && weeks < 52)).toHaveLength(10);
  });

  test('is the same for the same seed and instant', () => {
    expect(demoHistory(demoPeople, now, zone)).toEqual(history);
  });

  test('never lies in the future, whenever it is made', () => {
    const instants = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
    const zones = fc.constantFrom('Europe/London', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'America/Los_Angeles');
    fc.assert(
      fc.property(instants, zones, (instant, timeZone) => {
        const movements = demoHistory(demoPeople, instant, timeZone);
        expect(
          movements.every(
            ({ startedAt, durationMinutes }) => startedAt.getTime() + durationMinutes * 60_000 <= instant.getTime(),
          ),
        ).toBe(true);
        expect(movements.every(({ durationMinutes }) => durationMinutes >= 10)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test.each([
    ['2026-03-29', 'Europe/London', '2026-03-29T00:00:00.000Z'],
    ['2026-03-30', 'Europe/London', '2026-03-29T23:00:00.000Z'],
    ['2026-07-01', 'Asia/Kathmandu', '2026-06-30T18:15:00.000Z'],
    ['2026-07-01', 'Pacific/Kiritimati', '2026-06-30T10:00:00.000Z'],
    ['2026-11-16', 'America/Los_Angeles', '2026-11-16T08:00:00.000Z'],
  ])('[D10] %s starts in %s at %s', (date, timeZone, instant) => {
    expect(startOfDay(date, timeZone).toISOString()).toBe(instant);
  });
});
