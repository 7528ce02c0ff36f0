import type { PublicEventOf } from '@caravan/contracts/envelope';
import type { milesCredited } from '@caravan/contracts/scoring.events';
import type { StreakRun, StreakStanding } from '@caravan/contracts/streak';
import type { PublicEvents } from '@caravan/event-store/public-events';
import type { LedgerEvent } from '../ledger-events.ts';

/** The member's figures once the entry is in: absolute, so that hearing it twice changes nothing. */
export type FiguresAfter = {
  readonly totalCentimiles: number;
  readonly latestRun: StreakRun | null;
  /** At the end of the latest run. */
  readonly streak?: StreakStanding;
};

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
};
