import type { StreamKind } from '@caravan/event-store/event-store';
import type { LedgerEvent } from './ledger-events.ts';
import { ledger } from './ledger/ledger.ts';
import type { CreditMiles, Ledger } from './ledger/ledger.ts';
import { ledgerProjection } from './ledger/ledger.projection.ts';
import { ledgerPublicEvents } from './ledger/public-events.ts';
import type { StandingAfter } from './ledger/public-events.ts';
import type { StandingBefore } from './ledger/standing.query.ts';
import { latestRunAfter } from './streaks/latest-run.ts';
import { streaksProjection } from './streaks/streaks.projection.ts';

/** The ledger of one log, with everything that is read from it. */
export const ledgerStream: StreamKind<Ledger, CreditMiles, LedgerEvent, StandingAfter> = {
  decider: ledger,
  projections: [ledgerProjection, streaksProjection],
  publicEvents: ledgerPublicEvents,
};

/** Where a member stands once an entry is in. */
export function standingAfter(
  { centimiles, latestRuns }: StandingBefore,
  entry: Pick<CreditMiles, 'centimiles' | 'creditedOn'>,
): StandingAfter {
  return {
    totalCentimiles: centimiles + entry.centimiles,
    latestRun: latestRunAfter(latestRuns, entry.creditedOn),
  };
}
