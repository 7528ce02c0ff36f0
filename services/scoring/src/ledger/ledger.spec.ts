import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, expect, test } from 'vitest';
import type { MilesCredited, MilesEntry } from './ledger.ts';
import { ledger } from './ledger.ts';
import type { CorrectMiles, CreditMiles, TakeBackMiles } from './ledger.ts';

const command: CreditMiles = {
  type: 'CreditMiles',
  logId: '019a8c10-0000-7000-8000-000000000041',
  userId: '019a8c10-0000-7000-8000-000000000031',
  teamId: '019a8c10-0000-7000-8000-000000000021',
  centimiles: 300,
  activity: 'Walking',
  durationMinutes: 30,
  multiplier: 1,
  creditedOn: '2026-11-16',
  startedAt: '2026-11-16T17:00:00.000Z',
  loggedAt: '2026-11-16T17:31:00.000Z',
  zones: onlyZone('Europe/Berlin'),
};
const creditedEvent = (weekStartsOn: string): MilesCredited => ({
  type: 'MilesCredited',
  data: {
    entryId: command.logId,
    kind: 'log',
    logId: command.logId,
    userId: command.userId,
    teamId: command.teamId,
    centimiles: 300,
    creditedOn: '2026-11-16',
    weekStartsOn,
    creditedAt: '2026-11-16T17:31:00.000Z',
    basis: { activity: 'Walking', minutes: 30, durationMinutes: 30, multiplier: 1 },
  },
});
const given = specOf(ledger, { by: null });

test('[D5 D9] a log becomes one entry of the miles it earned', () => {
  given().when(command).then(creditedEvent('2026-11-16'));
});

test('[D5] a log that was credited is not credited again', () => {
  given(creditedEvent('2026-11-16')).when(command).thenNothing();
  given(creditedEvent('2026-11-16'))
    .when({ ...command, centimiles: 900 })
    .thenNothing();
});

test.each([
  ['Europe/Berlin', '2026-11-15T22:59:59.000Z', '2026-11-09'],
  ['Europe/Berlin', '2026-11-15T23:00:00.000Z', '2026-11-16'],
  ['America/Los_Angeles', '2026-11-16T07:59:00.000Z', '2026-11-09'],
  ['Pacific/Auckland', '2026-11-15T11:00:00.000Z', '2026-11-16'],
  // The clocks of London go back at 01:00 on Sunday: its Monday starts at 00:00Z, no longer at 23:00Z.
  ['Europe/London', '2026-10-25T23:30:00.000Z', '2026-10-19'],
  ['Europe/London', '2026-10-26T00:00:00.000Z', '2026-10-26'],
])("[D10] in the organisation's zone %s, %s lies in the week of %s", (timeZone, startedAt, weekStartsOn) => {
  given()
    .when({ ...command, zones: onlyZone(timeZone), startedAt })
    .then(creditedEvent(weekStartsOn));
});

const { logId, userId, teamId } = command;
const first = '019a8c10-0000-7000-8000-0000000000e1';
const second = '019a8c10-0000-7000-8000-0000000000e2';
const correct = (changes: Partial<CorrectMiles>): CorrectMiles => ({
  type: 'CorrectMiles',
  logId,
  revision: 2,
  correctedAt: '2026-11-17T09:00:00.000Z',
  entryIds: [first, second],
  centimiles: 300,
  activity: 'Walking',
  durationMinutes: 30,
  multiplier: 1,
  creditedOn: '2026-11-16',
  startedAt: command.startedAt,
  zones: onlyZone('Europe/Berlin'),
  ...changes,
});
const entry = (changes: Partial<MilesEntry> & Pick<MilesEntry, 'basis'>): MilesCredited => ({
  type: 'MilesCredited',
  data: {
    entryId: first,
    kind: 'correction',
    logId,
    userId,
    teamId,
    centimiles: -100,
    creditedOn: '2026-11-16',
    weekStartsOn: '2026-11-16',
    creditedAt: '2026-11-17T09:00:00.000Z',
    movements: 0,
    ...(changes.kind !== 'removal' && { revision: 2 }),
    ...changes,
  },
});
const basis = { activity: 'Walking', previousMinutes: 30, previousMultiplier: 1, multiplier: 1 };
const takeBack: TakeBackMiles = {
  type: 'TakeBackMiles',
  logId,
  entryId: second,
  removedAt: '2026-11-18T09:00:00.000Z',
};
const once = creditedEvent('2026-11-16');
const shorter = entry({ basis: { ...basis, minutes: -10, durationMinutes: 20 } });

describe('a corrected log', () => {
  test('[D8 D9] becomes an entry of the difference; nothing is overwritten', () => {
    given(once)
      .when(correct({ centimiles: 200, durationMinutes: 20 }))
      .then(shorter);
  });

  test('[D8 D10 D12] that moves to another date goes out there and comes in here', () => {
    const moved = correct({ creditedOn: '2026-11-15', startedAt: '2026-11-15T09:00:00.000Z' });
    // It moves to another week as well, and both weeks have new sums since the correction.
    const kept = { reachedAt: '2026-11-16T17:31:00.000Z', weekReachedAt: '2026-11-17T09:00:00.000Z' };
    given(once)
      .when(moved)
      .then(
        entry({ ...kept, centimiles: -300, movements: -1, basis: { ...basis, minutes: -30, durationMinutes: 30 } }),
        entry({
          ...kept,
          entryId: second,
          centimiles: 300,
          movements: 1,
          creditedOn: '2026-11-15',
          weekStartsOn: '2026-11-09',
          basis: { ...basis, minutes: 30, durationMinutes: 30 },
        }),
      );
  });

  test('[D12] whose miles stay the same leaves the total reached when it was reached', () => {
    given(once)
      .when(correct({ durationMinutes: 15, multiplier: 2 }))
      .then(
        entry({
          centimiles: 0,
          reachedAt: '2026-11-16T17:31:00.000Z',
          basis: { ...basis, minutes: -15, durationMinutes: 15, multiplier: 2 },
        }),
      );
  });

  test('[D8] that says what was credited already is no entry', () => {
    given(once).when(correct({})).thenNothing();
    given(once)
      .when(correct({ activity: 'Yoga' }))
      .thenNothing();
  });

  test('[D5] told twice, or by an older correction that comes late, changes nothing', () => {
    given(once, shorter)
      .when(correct({ centimiles: 200, durationMinutes: 20 }))
      .thenNothing();
    given(once, { ...shorter, data: { ...shorter.data, revision: 5 } })
      .when(correct({ revision: 4, centimiles: 900, durationMinutes: 90 }))
      .thenNothing();
  });

  test('[D9] of which nobody knows was never credited', () => {
    given().when(correct({})).rejects('ledger/log-unknown', 'not-found');
    given().when(takeBack).rejects('ledger/log-unknown', 'not-found');
  });
});

describe('a log that was taken back', () => {
  const gone = entry({
    entryId: second,
    kind: 'removal',
    movements: -1,
    creditedAt: takeBack.removedAt,
    basis: { activity: 'Walking', minutes: -20, durationMinutes: 20, multiplier: 1 },
    centimiles: -200,
  });

  test('[D8 D9] costs all that its entries earned', () => {
    given(once, shorter).when(takeBack).then(gone);
  });

  test('[D8] is over: nothing changes it any more', () => {
    const over = given(once, shorter, gone);
    over.when(takeBack).thenNothing();
    over.when(correct({ revision: 9, centimiles: 900, durationMinutes: 90 })).thenNothing();
    over.when(command).thenNothing();
  });
});

test('[ADR-0001] ledgers are found under the category that they were stored under', () => {
  expect(ledger.category).toBe('ledger');
});
