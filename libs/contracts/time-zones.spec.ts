import { describe, expect, test } from 'vitest';
import { timeZoneSchema, toldTimeZoneSchema } from './fields.ts';
import { keptFormatters, localDateOf, minutesOfDay } from './local-days.ts';
import { canonicalTimeZone, timeZoneNames } from './time-zones.ts';

describe('[D10] a zone is kept under one name', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['eUrOpE/bErLiN', 'Europe/Berlin'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['asia/calcutta', 'Asia/Kolkata'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['EST5EDT', 'America/New_York'],
    ['utc', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['GMT', 'UTC'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
  ])('%s as %s', (given, kept) => {
    expect(timeZoneSchema.parse(given)).toBe(kept);
  });

  test('and the runtime knows the rules of every one', () => {
    expect(timeZoneNames.size).toBeGreaterThan(400);
    expect(timeZoneNames.size).toBeLessThan(600);
    for (const name of timeZoneNames) {
      expect(localDateOf(new Date('2026-06-15T12:00:00Z'), name)).toMatch(/^2026-06-1[456]$/);
      expect(canonicalTimeZone(name)).toBe(name);
    }
  });
});

test.each(['+01:23', '-0800', '+01'])('[D10] an offset is no zone, and the refusal says what is: %s', (zone) => {
  const [issue] = timeZoneSchema.safeParse(zone).error?.issues ?? [];
  expect(issue?.message).toBe('A time zone is a name such as Europe/Berlin, not an offset');
});

test.each(['', ' ', 'Mars/Olympus', 'localtime', 'Etc/GMT+15', 'SystemV/AST4', 'x'.repeat(65), 'Europe/Berlin\0'])(
  '[D10] what IANA does not name is refused: %j',
  (zone) => {
    const { success, error } = timeZoneSchema.safeParse(zone);
    expect([success, error?.issues[0]?.message]).toEqual([false, 'Unknown time zone']);
  },
);

test('[S24] six hundred spellings leave no more behind than a few', () => {
  const noon = new Date('2026-06-15T12:00:00Z');
  const berlin: string = 'europe/berlin';
  for (let nth = 0; nth < 600; nth += 1) {
    const spelled = [...berlin].map((letter, at) => ((nth >> at) & 1 ? letter.toUpperCase() : letter)).join('');
    expect(toldTimeZoneSchema.parse(spelled)).toBe('Europe/Berlin');
    expect(localDateOf(noon, spelled)).toBe('2026-06-15');
  }
  expect(keptFormatters()).toBeLessThanOrEqual(2 * 128);
});

test('[S24] a wall clock is read with what is kept at hand, one for each zone', () => {
  const before = keptFormatters();
  for (let nth = 0; nth < 100; nth += 1)
    expect(minutesOfDay(new Date('2026-06-15T12:34:00Z'), 'Antarctica/Troll')).toBe(14 * 60 + 34);
  expect(keptFormatters() - before).toBeLessThanOrEqual(1);
});

test('a fact of another service never stands still for its zone: what nobody knows counts as UTC', () => {
  expect(toldTimeZoneSchema.parse('+01:23')).toBe('UTC');
  expect(toldTimeZoneSchema.parse('US/Pacific')).toBe('America/Los_Angeles');
});
