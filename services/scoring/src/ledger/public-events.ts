import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type { milesCredited } from '@caravan/contracts/events/scoring.events';
import type { StreakRun, StreakStanding } from '@caravan/contracts/domain/movement/streak';
import type { StreamKind } from '@caravan/event-store/core/event-store';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import { ledgerProjection } from './ledger.projection.ts';
import { ledger } from './ledger.ts';
import type { LedgerEvent, Ledger, LedgerCommand } from './ledger.ts';
import { streaksProjection } from './ledger.projection.ts';

/** Absolute, so that hearing it twice changes nothing. */
export type FiguresAfter = ShownStreak & {
  readonly totalCentimiles: number;
  /** The streak as colleagues may see it; absent where that is the same (D21). */
  readonly shown?: ShownStreak;
};

export type ShownStreak = { readonly latestRun: StreakRun | null; readonly streak?: StreakStanding };

export const ledgerPublicEvents: PublicEvents<LedgerEvent, FiguresAfter> = {
  MilesCredited: ({ data }, after): PublicEventOf<typeof milesCredited> => ({
    type: 'MilesCredited',
    version: 1,
    data: {
      entryId: data.entryId,
      userId: data.userId,
      teamId: data.teamId,
      kind: data.kind,
      logId: data.logId,
      centimiles: data.centimiles,
      creditedOn: data.creditedOn,
      ...after,
    },
  }),
  // Nobody's miles or days change.
  MovementLeftUnscored: 'private',
  UnscoredMovementRemoved: 'private',
};

/** With the projections of rooms above; app.module.ts puts them together. */
export const LedgerStream = Symbol('LedgerStream');
export type LedgerStream = StreamKind<Ledger, LedgerCommand, LedgerEvent, FiguresAfter>;

export const ledgerStream: LedgerStream = {
  decider: ledger,
  projections: [ledgerProjection, streaksProjection],
  publicEvents: ledgerPublicEvents,
};
