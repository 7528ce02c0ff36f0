import { describe, expect, test } from 'vitest';
import { timeZoneSchema, toldTimeZoneSchema } from '../../events/fields.ts';
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

test.each([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
])('[D10] %s, which IANA has renamed, is kept as %s and offered under no other name', (old, current) => {
  expect([canonicalTimeZone(old), canonicalTimeZone(current)]).toEqual([current, current]);
  expect([timeZoneNames.has(old), timeZoneNames.has(current)]).toEqual([false, true]);
});

test('[D10] zones of whole hours are those from fourteen ahead of UTC to twelve behind it, and UTC', () => {
  const names = [...timeZoneNames].filter((name) => name.startsWith('Etc/') || name === 'UTC');
  const ahead = Array.from({ length: 14 }, (_, nth) => `Etc/GMT-${nth + 1}`);
  const behind = Array.from({ length: 12 }, (_, nth) => `Etc/GMT+${nth + 1}`);
  expect(new Set(names)).toEqual(new Set([...ahead, ...behind, 'UTC']));
});

test('[D10] zones are offered in the order of their names', () => {
  expect([...timeZoneNames]).toEqual([...timeZoneNames].toSorted());
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
  expect(keptFormatters()).toBe(128);
});

test('[S24] a zone that is at hand pushes none of the others out', () => {
  const names = [...timeZoneNames].slice(0, 128);
  for (const name of [...names, ...names.toReversed()]) minutesOfDay(new Date(0), name);
  expect(keptFormatters()).toBe(128);
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
