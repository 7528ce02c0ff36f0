import { localDateOf, minutesOfDay } from '@caravan/contracts/domain/time/local-days';
import { notificationKinds } from '@caravan/contracts/domain/notification-kinds';
import { timeZoneNames } from '@caravan/contracts/domain/time/time-zones';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isMailWanted,
  isPushWanted,
  isQuiet,
  mailTimeOf,
  nextMorning,
  outsideQuietHours,
  planMail,
  planPushes,
  pushTimeOf,
  switchOf,
} from './delivery.ts';
import type { NoticeKind, RaisedNotice, Switches } from './delivery.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const at = (instant: string) => new Date(instant);
const later = (from: Date, milliseconds: number) => new Date(from.getTime() + milliseconds);
const raisedNotice = (kind: NoticeKind, raisedAt: Date, expiresAt: Date | null = null): RaisedNotice => ({
  kind,
  raisedAt,
  expiresAt,
});
const allOn: Switches = { email: true, push: true, teamUpdates: true, weeklyReports: true };

const zones = fc.constantFrom(...timeZoneNames);
const kinds = fc.constantFrom<NoticeKind>(...notificationKinds, 'weekly-report');
const instants = fc
  .integer({ min: Date.parse('2026-01-01T00:00:00Z'), max: Date.parse('2027-12-31T00:00:00Z') })
  .map((milliseconds) => new Date(milliseconds));
const switches = fc.record({
  email: fc.boolean(),
  push: fc.boolean(),
  teamUpdates: fc.boolean(),
  weeklyReports: fc.boolean(),
});

describe('quiet hours', () => {
  test.each([
    ['2026-03-29T00:30:00Z', 'Europe/Berlin', '2026-03-29T06:00:00.000Z'],
    ['2026-10-24T20:00:00Z', 'Europe/Berlin', '2026-10-25T07:00:00.000Z'],
    ['2026-11-16T22:00:00Z', 'Pacific/Kiritimati', '2026-11-17T18:00:00.000Z'],
    ['2026-11-16T22:00:00Z', 'Etc/GMT+12', '2026-11-17T20:00:00.000Z'],
    ['2026-11-16T12:00:00Z', 'Asia/Kathmandu', '2026-11-17T02:15:00.000Z'],
    ['2026-10-03T12:00:00Z', 'Australia/Lord_Howe', '2026-10-03T21:00:00.000Z'],
  ])('[3.46] after %s in %s the next morning is %s: days are longer and shorter', (from, zone, morning) => {
    expect(nextMorning(at(from), zone).toISOString()).toBe(morning);
  });

  test('[3.46] last from 21:00 to 8:00 on the member’s own clock, in every zone, on every day', () => {
    fc.assert(
      fc.property(instants, zones, (now, zone) => {
        const local = minutesOfDay(now, zone);
        expect(isQuiet(now, zone)).toBe(local < 480 || local >= 1260);
        const morning = nextMorning(now, zone);
        expect([minutesOfDay(morning, zone), morning > now, morning <= later(now, 25 * hour)]).toEqual([
          480,
          true,
          true,
        ]);
        expect(isQuiet(outsideQuietHours(now, zone), zone)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a mail', () => {
  test('[D34 3.46] of any notice in any zone never leaves in quiet hours, nor when nobody wants to know any more', () => {
    const lives = fc.option(fc.integer({ min: -hour, max: 3 * day }), { nil: null });
    fc.assert(
      fc.property(kinds, instants, lives, zones, (kind, now, life, zone) => {
        const notice = raisedNotice(kind, now, life === null ? null : later(now, life));
        for (const leaves of [mailTimeOf(notice, zone, now, 300), pushTimeOf(notice, zone, now)]) {
          if (leaves === null) continue;
          expect(isQuiet(leaves, zone)).toBe(false);
          expect(leaves >= now && leaves < later(now, 25 * hour)).toBe(true);
          if (notice.expiresAt) expect(leaves < notice.expiresAt).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('[D34] of what cannot wait leaves five minutes later, of all else with the morning’s digest', () => {
    const noon = at('2026-11-16T12:00:00Z');
    const mails = (kind: NoticeKind) => mailTimeOf(raisedNotice(kind, noon), 'UTC', noon, 300)?.toISOString();
    expect(mails('invite-used')).toBe('2026-11-16T12:05:00.000Z');
    expect(mailTimeOf(raisedNotice('invite-used', noon), 'UTC', noon, 0)).toEqual(noon);
    expect(mails('reaction')).toBe('2026-11-17T08:00:00.000Z');
    expect(mails('weekly-report')).toBe('2026-11-16T12:00:00.000Z');
    expect([mails('export-ready'), mails('recap-ready')]).toEqual([undefined, undefined]);
  });

  test('[D34] of the evening leaves before the quiet hours or not at all', () => {
    const risk = (evening: string) => {
      const notice = raisedNotice('streak-at-risk', at(evening));
      return mailTimeOf(notice, 'UTC', at(evening), 300)?.toISOString();
    };
    expect(risk('2026-11-16T20:00:00Z')).toBe('2026-11-16T20:05:00.000Z');
    expect(risk('2026-11-16T20:58:00Z')).toBe('2026-11-16T20:58:00.000Z');
    expect(risk('2026-11-16T21:00:00Z')).toBeUndefined();
  });

  test('[D34] about what is days old is not written any more, nor pushed the day after', () => {
    const then = at('2026-11-16T12:00:00Z');
    const notice = raisedNotice('reaction', then);
    expect(mailTimeOf(notice, 'UTC', later(then, 2.5 * day), 300)).not.toBeNull();
    expect(mailTimeOf(notice, 'UTC', later(then, 4 * day), 300)).toBeNull();
    expect(pushTimeOf(notice, 'UTC', later(then, 2 * hour))).not.toBeNull();
    expect(pushTimeOf(notice, 'UTC', later(then, 13 * hour))).toBeNull();
  });
});

describe('the switches of 3.46', () => {
  test('[3.46] email ends every mail about notices, team updates those of the team, weekly reports the report', () => {
    fc.assert(
      fc.property(kinds, switches, (kind, chosen) => {
        if (!chosen.email) expect(isMailWanted(kind, chosen)).toBe(false);
        if (!chosen.push) expect(isPushWanted(kind, chosen)).toBe(false);
        expect(isMailWanted(kind, { ...chosen, [switchOf([kind])]: false })).toBe(false);
        expect(isMailWanted(kind, allOn)).toBe(true);
      }),
    );
    expect(isMailWanted('ballot-opened', { ...allOn, teamUpdates: false })).toBe(false);
    expect(isPushWanted('ballot-opened', { ...allOn, teamUpdates: false })).toBe(false);
    expect(isMailWanted('reaction', { ...allOn, teamUpdates: false, weeklyReports: false })).toBe(true);
  });

  test('[3.46] unsubscribing turns off the narrowest one that ends mails like this', () => {
    expect(switchOf(['weekly-report'])).toBe('weeklyReports');
    expect(switchOf(['checkpoint', 'ballot-decided'])).toBe('teamUpdates');
    expect(switchOf(['checkpoint', 'reaction'])).toBe('email');
  });
});

type Told = { readonly noticeId: string; readonly kind: NoticeKind; readonly by: 'mail' | 'push'; readonly at: Date };

/** What a member sees of a history: facts, presses of switches and reads, and sweeps every few minutes that may fail. */
function liveThrough(history: readonly Step[], zone: string): { told: Told[]; chosen: Map<number, Switches> } {
  type Row = RaisedNotice & { noticeId: string; isSayable: boolean; mailAt: Date | null; pushAt: Date | null };
  const rows = new Map<string, Row>();
  const told: Told[] = [];
  const chosen = new Map<number, Switches>();
  let now = at('2026-10-24T09:00:00Z');
  let mine = allOn;
  const sweep = (by: 'mail' | 'push', time: 'mailAt' | 'pushAt') => {
    const waiting = [...rows.values()].filter((row) => row[time] !== null);
    if (!waiting.some((row) => (row[time] ?? now) <= now) || isQuiet(now, zone)) return;
    const who = { timeZone: zone, switches: mine, isReachable: true };
    const ids = by === 'mail' ? planMail(waiting, who, now).told : planPushes(waiting, who, now);
    for (const row of waiting) {
      if (by === 'push' && (row.pushAt ?? now) > now) continue;
      if (ids.includes(row.noticeId)) told.push({ noticeId: row.noticeId, kind: row.kind, by, at: now });
      row[time] = null;
    }
    chosen.set(now.getTime(), mine);
  };
  for (const step of history) {
    now = later(now, step.minutes * minute);
    if (step.is === 'raised' && !rows.has(step.id)) {
      const notice = raisedNotice(step.kind, now);
      const times = { mailAt: mailTimeOf(notice, zone, now, 300), pushAt: pushTimeOf(notice, zone, now) };
      rows.set(step.id, { ...notice, ...times, noticeId: step.id, isSayable: true });
    }
    if (step.is === 'read') rows.delete(step.id);
    if (step.is === 'switched') mine = step.switches;
    if (step.is === 'swept') {
      sweep('mail', 'mailAt');
      sweep('push', 'pushAt');
    }
  }
  return { told, chosen };
}

type Step = { readonly minutes: number } & (
  | { readonly is: 'raised'; readonly id: string; readonly kind: NoticeKind }
  | { readonly is: 'read'; readonly id: string }
  | { readonly is: 'switched'; readonly switches: Switches }
  | { readonly is: 'swept' }
);
const minutes = fc.integer({ min: 0, max: 300 });
const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const steps: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ is: fc.constant('raised' as const), minutes, id: ids, kind: kinds }), weight: 3 },
  fc.record({ is: fc.constant('read' as const), minutes, id: ids }),
  fc.record({ is: fc.constant('switched' as const), minutes, switches }),
  { arbitrary: fc.record({ is: fc.constant('swept' as const), minutes }), weight: 4 },
);

test('[D34 3.46] whatever happens, nothing is told twice, nothing that a switch forbids, nothing in quiet hours', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 60 }), zones, (history, zone) => {
      const { told, chosen } = liveThrough(history, zone);
      // A notice that was read comes again under the same letter: count between reads.
      const reads = history.filter(({ is }) => is === 'read').length;
      const times = Map.groupBy(told, ({ noticeId, by }) => `${noticeId} ${by}`);
      for (const each of times.values()) expect(each.length).toBeLessThanOrEqual(1 + reads);
      for (const one of told) {
        const mine = chosen.get(one.at.getTime()) ?? allOn;
        expect(isQuiet(one.at, zone)).toBe(false);
        expect(one.by === 'mail' ? isMailWanted(one.kind, mine) : isPushWanted(one.kind, mine)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('[D34] one mail tells all that waits; what names somebody erased, is switched off or of yesterday stands in none', () => {
  const now = at('2026-11-16T12:00:00Z');
  const waits = (noticeId: string, kind: NoticeKind, raisedAt: Date, isSayable = true) => ({
    ...raisedNotice(kind, raisedAt),
    noticeId,
    isSayable,
  });
  const waiting = [
    waits('late', 'comment', now),
    waits('early', 'reaction', later(now, -20 * hour)),
    waits('erased', 'comment', now, false),
    waits('team', 'checkpoint', now),
    waits('yesterday', 'streak-at-risk', later(now, -16 * hour)),
  ];
  const who = { timeZone: 'UTC', switches: { ...allOn, teamUpdates: false }, isReachable: true };
  expect(planMail(waiting, who, now)).toEqual({ told: ['early', 'late'], dropped: ['yesterday', 'erased', 'team'] });
  expect(planMail(waiting, { ...who, isReachable: false }, now).told).toEqual([]);
  expect(localDateOf(now, 'UTC')).toBe('2026-11-16');
});

test('[D34] of a night’s notices the three newest are pushed in the morning', () => {
  const now = at('2026-11-16T08:00:00Z');
  const waiting = [5, 1, 4, 2, 3].map((hours) => ({
    ...raisedNotice('reaction', later(now, -hours * hour)),
    noticeId: `${hours}h`,
    isSayable: true,
  }));
  const who = { timeZone: 'UTC', switches: allOn, isReachable: true };
  expect(planPushes(waiting, who, now)).toEqual(['3h', '2h', '1h']);
  expect(planPushes(waiting, { ...who, switches: { ...allOn, push: false } }, now)).toEqual([]);
});
