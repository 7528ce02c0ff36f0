import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, localDateOf } from '../time/local-days.ts';
import { freezesOn, latestStartOf, restDaysOf, standingAt, streakOn } from './streak.ts';
import type { StreakRun, StreakStanding } from './streak.ts';
import { streakDayByDay } from '../../testing/streak-day-by-day.ts';

/** Runs of a set of dates, oldest first: sort, then cut wherever a date is missing. */
function runsOf(days: readonly string[]): StreakRun[] {
  const runs: StreakRun[] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = runs.at(-1);
    if (last && addDays(last.endedOn, 1) === day) last.endedOn = day;
    else runs.push({ startedOn: day, endedOn: day });
  }
  return runs;
}

function toldStreak(days: readonly string[], today: string) {
  const { latest, standing } = knownStreak(days);
  return streakOn(latest, today, standing);
}

function knownStreak(days: readonly string[]) {
  const runs = runsOf(days);
  const start = latestStartOf(runs);
  const latest = runs.at(-1) ?? null;
  return { latest, standing: start && latest ? standingAt(start, latest.endedOn) : undefined };
}

/** With the freezes saved up, where the organisation has any. */
function toldWhere(hasFreezes: boolean, days: readonly string[], today: string) {
  const { latest, standing } = knownStreak(days);
  if (!hasFreezes) return { ...streakOn(latest, today), freezes: 0 };
  return { ...streakOn(latest, today, standing), freezes: freezesOn(latest, today, standing) };
}

describe('a streak', () => {
  test.each([
    ['2026-11-10', '2026-11-21', 12, 'lit'],
    ['2026-11-10', '2026-11-20', 11, 'at-risk'],
    ['2026-11-10', '2026-11-19', 0, 'out'],
    ['2026-11-22', '2026-11-22', 1, 'lit'],
  ] as const)(
    '[D11] without freezes, from %s to %s, is %i days on 2026-11-21: %s',
    (startedOn, endedOn, days, state) => {
      expect(streakOn({ startedOn, endedOn }, '2026-11-21')).toEqual({ days, state });
    },
  );

  test('[D11] of nobody who ever moved is out', () => {
    expect(streakOn(null, '2026-11-21')).toEqual({ days: 0, state: 'out' });
    expect(toldStreak([], '2026-11-21')).toEqual({ days: 0, state: 'out' });
  });

  // 16 November 2026 is a Monday.
  test.each([
    [
      'a day missed in between uses the first freeze',
      ['2026-11-17', '2026-11-19'],
      '2026-11-19',
      { days: 2, state: 'lit' },
    ],
    [
      'a second one in the same week finds none',
      ['2026-11-17', '2026-11-19', '2026-11-21'],
      '2026-11-21',
      { days: 1, state: 'lit' },
    ],
    ['yesterday missed is held', ['2026-11-17', '2026-11-18'], '2026-11-20', { days: 2, state: 'frozen' }],
    ['and for one day only', ['2026-11-17', '2026-11-18'], '2026-11-21', { days: 0, state: 'out' }],
    ['Monday brings another', ['2026-11-14', '2026-11-16', '2026-11-18'], '2026-11-18', { days: 3, state: 'lit' }],
    ['two are saved up', ['2026-11-15', '2026-11-16', '2026-11-19'], '2026-11-19', { days: 3, state: 'lit' }],
    ['never three', ['2026-11-01', '2026-11-02', '2026-11-17'], '2026-11-17', { days: 1, state: 'lit' }],
    [
      'a Monday within the pause helps',
      ['2026-11-12', '2026-11-13', '2026-11-15'],
      '2026-11-17',
      { days: 3, state: 'frozen' },
    ],
    ['nobody has lost today yet', ['2026-11-17', '2026-11-18'], '2026-11-19', { days: 2, state: 'at-risk' }],
  ] as const)('[D11] %s', (_rule, active, today, streak) => {
    expect(toldStreak(active, today)).toEqual(streak);
  });
});

test('[D11] of a freeze to begin with one more comes on Monday, two at most, and a missed day takes one', () => {
  const after = (active: readonly string[], today: string) => toldWhere(true, active, today).freezes;
  expect(after([], '2026-11-18')).toBe(1);
  expect(after(['2026-11-17'], '2026-11-18')).toBe(1);
  expect(after(['2026-11-17'], '2026-11-19')).toBe(0);
  expect(after(['2026-11-17'], '2026-11-23')).toBe(1);
  expect(after(['2026-11-15', '2026-11-16'], '2026-11-16')).toBe(2);
  expect(after(['2026-11-15', '2026-11-16'], '2026-12-14')).toBe(2);
});

test('[D11] a streak whose beginning nobody has looked at has no freezes', () => {
  expect(freezesOn({ startedOn: '2026-11-10', endedOn: '2026-11-20' }, '2026-11-21')).toBe(0);
});

const zones = ['Europe/London', 'Asia/Kathmandu', 'Pacific/Apia', 'Pacific/Kiritimati', 'America/New_York', 'UTC'];
// Around the London, New York and former Apia changes of the clocks.
const anchors = ['2026-03-20T00:00:00Z', '2026-10-20T00:00:00Z', '2026-06-01T00:00:00Z', '2011-12-20T00:00:00Z'];
const movement = fc.record({
  zone: fc.constantFrom(...zones),
  // Hours since the anchor: eight weeks, entered in any order.
  hour: fc.oneof(fc.integer({ min: 0, max: 24 * 56 }), fc.integer({ min: 0, max: 24 * 20 })),
  isRemoved: fc.boolean(),
});

test('[D11] every history of movements, travels, back-dated entries, removals and freezes switched off and on is told as a walk through the calendar tells it', () => {
  const history = fc.record({
    anchor: fc.constantFrom(...anchors),
    movements: fc.array(movement, { maxLength: 40 }),
    zone: fc.constantFrom(...zones),
    later: fc.integer({ min: 0, max: 12 }),
    // After how many of the movements an admin turns the switch.
    switchedAfter: fc.array(fc.integer({ min: 0, max: 39 }), { maxLength: 3 }),
  });
  const hits = new Map<string, number>();
  const property = fc.property(history, ({ anchor, movements, zone, later, switchedAfter }) => {
    const instant = (hour: number) => new Date(Date.parse(anchor) + hour * 3_600_000);
    const entered = movements.map((one, index) => ({
      hour: one.hour,
      isKept: !one.isRemoved || index % 2 === 1,
      on: localDateOf(instant(one.hour), one.zone),
    }));
    const readings = [...switchedAfter.toSorted((a, b) => a - b), movements.length];
    for (const [flips, until] of readings.entries()) {
      const kept = entered.slice(0, until).filter(({ isKept }) => isKept);
      const days = kept.map(({ on }) => on);
      const latest = Math.max(0, ...kept.map(({ hour }) => hour));
      const today = localDateOf(instant(latest + later * 24), zone);
      // A date ahead of today, brought from further east, is lit; the calendar then ends on it.
      const last = [...days, today].sort().at(-1) ?? today;
      const first = [...days].sort()[0] ?? today;
      const hasFreezes = flips % 2 === 0;
      const told = toldWhere(hasFreezes, days, today);
      expect(told).toEqual(streakDayByDay(new Set(days), first, last, hasFreezes));
      const isLate = kept.some(({ hour }, nth) => hour < (kept[nth - 1]?.hour ?? 0));
      const isTravelled = new Set(movements.map((one) => one.zone)).size > 1;
      for (const kind of [
        told.state,
        isLate && 'late',
        isTravelled && 'travelled',
        today < last && 'ahead of today',
        ...days,
      ])
        if (typeof kind === 'string') hits.set(kind, (hits.get(kind) ?? 0) + 1);
    }
  });
  fc.assert(property, { numRuns: 10_000 });
  // A generator that stops producing one of these proves nothing of it any more: both changes of London's clocks, and the
  // day before the one that Apia left out.
  const kinds = ['lit', 'at-risk', 'frozen', 'out', 'late', 'travelled', 'ahead of today'];
  for (const kind of [...kinds, '2026-03-29', '2026-10-25', '2011-12-29'])
    expect(hits.get(kind), kind).toBeGreaterThan(20);
}, 60_000);

test('[D11] with every day active a streak is as long as its dates, and freezes never count as days', () => {
  const property = fc.property(fc.integer({ min: 1, max: 900 }), fc.boolean(), (days, movedToday) => {
    const today = '2026-11-21';
    const endedOn = movedToday ? today : addDays(today, -1);
    const run = { startedOn: addDays(endedOn, 1 - days), endedOn };
    const standing: StreakStanding = { days, freezes: 2 };
    expect(streakOn(run, today).days).toBe(days);
    expect(streakOn(run, today, standing).days).toBe(days);
  });
  fc.assert(property);
});

describe('rest days', () => {
  test.each([
    ['a gap that one freeze holds is a rest day', ['2026-11-17', '2026-11-19'], '2026-11-19', ['2026-11-18']],
    [
      'two freezes hold two days',
      ['2026-11-15', '2026-11-16', '2026-11-19'],
      '2026-11-19',
      ['2026-11-17', '2026-11-18'],
    ],
    ['a gap that ends the streak has none', ['2026-11-10', '2026-11-13'], '2026-11-13', []],
    ['days since the last movement are held while the streak lives', ['2026-11-17'], '2026-11-19', ['2026-11-18']],
    ['today is not missed yet', ['2026-11-17', '2026-11-18'], '2026-11-19', []],
    ['a member who never moved has no rest days', [], '2026-11-19', []],
  ] as const)('[D11] %s', (_rule, active, today, expected) => {
    expect(restDaysOf(runsOf(active), today)).toEqual(expected);
  });

  test('[D11] the streak is the number of active dates back from today, over rest days, in every history', () => {
    const offsets = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 45 });
    fc.assert(
      fc.property(offsets, fc.integer({ min: 0, max: 4 }), (days, later) => {
        const active = new Set(days.map((nth) => addDays('2026-09-01', nth)));
        const today = addDays('2026-09-01', Math.max(0, ...days) + later);
        const rests = new Set(restDaysOf(runsOf([...active]), today));
        let day = active.has(today) ? today : addDays(today, -1);
        let counted = 0;
        for (; active.has(day) || rests.has(day); day = addDays(day, -1)) counted += active.has(day) ? 1 : 0;
        expect([...rests].filter((rest) => active.has(rest) || rest >= today)).toEqual([]);
        expect(counted).toBe(toldStreak([...active], today).days);
      }),
    );
  });
});
