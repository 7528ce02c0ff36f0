import { standingAt } from '@caravan/contracts/streak';
import type { StreamKind } from '@caravan/event-store/event-store';
import type { LedgerEvent } from './ledger-events.ts';
import { ledger } from './ledger/ledger.ts';
import type { Ledger, LedgerCommand } from './ledger/ledger.ts';
import { ledgerProjection } from './ledger/ledger.projection.ts';
import { ledgerPublicEvents } from './ledger/public-events.ts';
import type { FiguresAfter } from './ledger/public-events.ts';
import type { MemberSnapshot } from './ledger/member-snapshot.query.ts';
import { latestAfter } from './streak-after.ts';
import type { LatestRun } from './streak-after.ts';
import { streaksProjection } from './streaks/streaks.projection.ts';
import { pendingClaimReviewsProjection } from './weekly-challenges/claims.projection.ts';

/** The ledger of one log, with everything that is read from it. */
export const ledgerStream: StreamKind<Ledger, LedgerCommand, LedgerEvent, FiguresAfter> = {
  decider: ledger,
  projections: [ledgerProjection, streaksProjection, pendingClaimReviewsProjection],
  publicEvents: ledgerPublicEvents,
};

/** The figures of a member with so many miles and this run of days. */
export function figuresWith(totalCentimiles: number, latest: LatestRun): FiguresAfter {
  if (!latest) return { totalCentimiles, latestRun: null };
  const { run, start } = latest;
  return { totalCentimiles, latestRun: run, streak: standingAt(start, run.endedOn) };
}

/** The figures of a member once miles that no log earned are in: days stay as they are. */
export function figuresWithMiles(before: MemberSnapshot, centimiles: number): FiguresAfter {
  const latest = latestAfter(before, []);
  const total = before.centimiles + centimiles;
  // How the run began is not known yet: then identity counts without freezes until the next log.
  return latest === undefined
    ? { totalCentimiles: total, latestRun: before.latestRuns[0] ?? null }
    : figuresWith(total, latest);
}
