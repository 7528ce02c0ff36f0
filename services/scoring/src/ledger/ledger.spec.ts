import { specOf } from '@caravan/event-store/testing/given-when-then';
import { test } from 'vitest';
import type { LedgerEvent } from '../ledger-events.ts';
import { ledger } from './ledger.ts';
import type { CreditMiles } from './ledger.ts';

const command: CreditMiles = {
  type: 'CreditMiles',
  logId: '019a8c10-0000-7000-8000-000000000041',
  userId: '019a8c10-0000-7000-8000-000000000031',
  teamId: '019a8c10-0000-7000-8000-000000000021',
  centimiles: 300,
  creditedOn: '2026-11-16',
  startedAt: '2026-11-16T17:00:00.000Z',
  loggedAt: '2026-11-16T17:31:00.000Z',
  timeZone: 'Europe/Berlin',
};
const credited = (weekStartsOn: string): LedgerEvent => ({
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
  },
});
const given = specOf(ledger, { by: null });

test('[D5 D9] a log becomes one entry of the miles it earned', () => {
  given().when(command).then(credited('2026-11-16'));
});

test('[D5] a log that was credited is not credited again', () => {
  given(credited('2026-11-16')).when(command).thenNothing();
  given(credited('2026-11-16'))
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
    .when({ ...command, timeZone, startedAt })
    .then(credited(weekStartsOn));
});
