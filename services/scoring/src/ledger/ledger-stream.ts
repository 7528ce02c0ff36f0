import type { StreamKind } from '@caravan/event-store/event-store';
import { ledger } from './ledger.ts';
import type { CreditMiles, Ledger, LedgerEvent } from './ledger.ts';
import { ledgerProjection } from './ledger.projection.ts';
import { ledgerPublicEvents } from './public-events.ts';
import type { StandingAfter } from './public-events.ts';
import { streaksProjection } from './streaks.projection.ts';

export const ledgerStream: StreamKind<Ledger, CreditMiles, LedgerEvent, StandingAfter> = {
  decider: ledger,
  projections: [ledgerProjection, streaksProjection],
  publicEvents: ledgerPublicEvents,
};
