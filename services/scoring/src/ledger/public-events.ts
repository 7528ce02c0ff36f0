import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type { milesCredited } from '@caravan/contracts/events/scoring.events';
import type { StreakRun, StreakStanding } from '@caravan/contracts/domain/movement/streak';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import type { LedgerEvent } from './ledger.ts';

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
  // No miles and no days change.
  MovementLeftUnscored: 'private',
  UnscoredMovementRemoved: 'private',
};
