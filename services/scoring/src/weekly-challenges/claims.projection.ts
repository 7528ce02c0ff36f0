import type { StreamKind } from '@caravan/event-store/core/event-store';
import type { Projection } from '@caravan/event-store/core/projection';
import { ledgerProjection, ledgerPublicEvents } from '../ledger/index.ts';
import type { FiguresAfter, LedgerEvent, MilesCredited } from '../ledger/index.ts';
import { claim } from './claim.ts';
import type { Claim, ClaimBonus, WithdrawBonus } from './claim.ts';

export const claimsProjection: Projection<MilesCredited> = {
  name: 'weekly-claims',
  revision: 1,
  tables: ['weekly_claims'],
  on: {
    MilesCredited: ({ orgId, data }) => [
      {
        text: claimedSql,
        rows: [
          {
            org_id: orgId,
            challenge_id: data.basis.challengeId,
            user_id: data.userId,
            team_id: data.teamId,
            week_starts_on: data.weekStartsOn,
            is_claimed: data.kind === 'weekly-bonus',
          },
        ],
      },
    ],
  },
};

// The last claim or withdrawal stands.
const claimedSql = `
  insert into weekly_claims (org_id, challenge_id, user_id, team_id, week_starts_on, is_claimed)
  select distinct on (org_id, challenge_id, user_id) org_id, challenge_id, user_id, team_id, week_starts_on, is_claimed
  from rows from (json_to_recordset($1) as (org_id uuid, challenge_id uuid, user_id uuid, team_id uuid, week_starts_on date,
    is_claimed boolean)) with ordinality as c (org_id, challenge_id, user_id, team_id, week_starts_on, is_claimed, nth)
  order by org_id, challenge_id, user_id, nth desc
  on conflict (org_id, challenge_id, user_id) do update set team_id = excluded.team_id, is_claimed = excluded.is_claimed`;

/** Taken-back miles make claims wait for a review, which deletes the row. Costs a log nothing. */
export const pendingClaimReviewsProjection: Projection<LedgerEvent> = {
  name: 'pending-claim-reviews',
  revision: 1,
  tables: ['pending_claim_reviews'],
  on: {
    MilesCredited: ({ orgId, data }) =>
      data.centimiles < 0
        ? [
            {
              text: takenBackSql,
              rows: [
                {
                  org_id: orgId,
                  entry_id: data.entryId,
                  user_id: data.userId,
                  team_id: data.teamId,
                  week_starts_on: data.weekStartsOn,
                },
              ],
            },
          ]
        : [],
    MovementLeftUnscored: 'ignored',
    UnscoredMovementRemoved: 'ignored',
  },
};

const takenBackSql = `
  insert into pending_claim_reviews (org_id, entry_id, user_id, team_id, week_starts_on)
  select * from json_to_recordset($1) as r (org_id uuid, entry_id uuid, user_id uuid, team_id uuid, week_starts_on date)
  on conflict (org_id, entry_id) do nothing`;

export const weeklyClaimStream: StreamKind<Claim, ClaimBonus | WithdrawBonus, MilesCredited, FiguresAfter> = {
  decider: claim,
  projections: [ledgerProjection, claimsProjection],
  publicEvents: ledgerPublicEvents,
};
