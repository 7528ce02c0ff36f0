import type { StreamKind } from '@caravan/event-store/core/event-store';
import { ledgerProjection, streaksProjection } from './ledger.projection.ts';
import { ledger } from './ledger.ts';
import type { Ledger, LedgerCommand, LedgerEvent } from './ledger.ts';
import { type FiguresAfter, ledgerPublicEvents } from './public-events.ts';

/** With the projections of rooms above; app.module.ts puts them together. */
export const LedgerStream = Symbol('LedgerStream');
export type LedgerStream = StreamKind<Ledger, LedgerCommand, LedgerEvent, FiguresAfter>;

export const ledgerStream: LedgerStream = {
  decider: ledger,
  projections: [ledgerProjection, streaksProjection],
  publicEvents: ledgerPublicEvents,
};
