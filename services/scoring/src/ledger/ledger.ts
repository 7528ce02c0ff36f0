import { localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import type { Decider } from '@caravan/event-store/decider';
import type { LedgerEvent } from '../ledger-events.ts';

// Commands

export type CreditMiles = {
  type: 'CreditMiles';
  logId: string;
  userId: string;
  teamId: string;
  centimiles: number;
  creditedOn: string;
  startedAt: string;
  loggedAt: string;
  /** The organisation's. */
  timeZone: string;
};

// State: the ledger of one log. It stays a handful of entries long, however much its owner moves (ADR 0007).

export type Ledger = { is: 'absent' } | { is: 'credited' };

export const ledger: Decider<Ledger, CreditMiles, LedgerEvent> = {
  category: 'ledger',
  initial: { is: 'absent' },

  decide(command, state) {
    if (state.is === 'credited') return [];
    return [
      {
        type: 'MilesCredited',
        data: {
          // A log is credited once, so the entry needs no id of its own.
          entryId: command.logId,
          kind: 'log',
          logId: command.logId,
          userId: command.userId,
          teamId: command.teamId,
          centimiles: command.centimiles,
          creditedOn: command.creditedOn,
          weekStartsOn: organisationWeekOf(new Date(command.startedAt), command.timeZone),
          creditedAt: command.loggedAt,
        },
      },
    ];
  },

  evolve() {
    return { is: 'credited' };
  },
};

/** Monday (YYYY-MM-DD) of the week in which an instant falls for an organisation; it starts at 00:00 in its zone (D10). */
function organisationWeekOf(instant: Date, timeZone: string): string {
  return weekStartOf(localDateOf(instant, timeZone));
}
