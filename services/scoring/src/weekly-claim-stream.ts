import type { StreamKind } from '@caravan/event-store/event-store';
import type { LedgerEvent } from './ledger-events.ts';
import { ledgerProjection } from './ledger/ledger.projection.ts';
import { ledgerPublicEvents } from './ledger/public-events.ts';
import type { FiguresAfter } from './ledger/public-events.ts';
import { claim } from './weekly-challenges/claim.ts';
import type { Claim, ClaimBonus, WithdrawBonus } from './weekly-challenges/claim.ts';
import { claimsProjection } from './weekly-challenges/claims.projection.ts';

/** The ledger of one member's bonus for one weekly challenge: its entries are entries like those of logs. */
export const weeklyClaimStream: StreamKind<Claim, ClaimBonus | WithdrawBonus, LedgerEvent, FiguresAfter> = {
  decider: claim,
  projections: [ledgerProjection, claimsProjection],
  publicEvents: ledgerPublicEvents,
};
