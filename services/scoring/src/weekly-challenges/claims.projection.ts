import type { StreamKind } from '@caravan/event-store/event-store';
import type { Projection } from '@caravan/event-store/projection';
import { ledgerProjection, ledgerPublicEvents } from '../ledger/index.ts';
import type { LedgerEvent, FiguresAfter } from '../ledger/index.ts';
import { claim } from './claim.ts';
import type { Claim, ClaimBonus, WithdrawBonus } from './claim.ts';

export const claimsProjection: Projection<LedgerEvent> = {
  name: 'weekly-claims',
  revision: 1,
  tables: ['weekly_claims'],
  on: {
    MilesCredited: ({ orgId, data }) => [
      {
        text: `insert into weekly_claims (org_id, challenge_id, user_id, team_id, week_starts_on, is_claimed)
          values ($1, $2, $3, $4, $5, $6)
          on conflict (org_id, challenge_id, user_id) do update
            set team_id = excluded.team_id, is_claimed = excluded.is_claimed`,
        values: [
          ...[orgId, data.basis?.challengeId, data.userId, data.teamId, data.weekStartsOn],
          data.kind === 'weekly-bonus',
        ],
      },
    ],
  },
};

const pendingClaimReviewsInBulk = [
  `insert into pending_claim_reviews (org_id, entry_id, user_id, team_id, week_starts_on)
   select org_id, (data->>'entryId')::uuid, (data->>'userId')::uuid, (data->>'teamId')::uuid, (data->>'weekStartsOn')::date
   from stretch where (data->>'centimiles')::int < 0
   on conflict (org_id, entry_id) do nothing`,
];

/** Taken-back miles make claims wait for a review, which deletes the row. Costs a log nothing. */
export const pendingClaimReviewsProjection: Projection<LedgerEvent> = {
  name: 'claims-in-doubt',
  revision: 1,
  tables: ['pending_claim_reviews'],
  on: {
    MilesCredited: ({ orgId, data }) =>
      data.centimiles < 0
        ? [
            {
              text: `insert into pending_claim_reviews (org_id, entry_id, user_id, team_id, week_starts_on)
                values ($1, $2, $3, $4, $5) on conflict (org_id, entry_id) do nothing`,
              values: [orgId, data.entryId, data.userId, data.teamId, data.weekStartsOn],
            },
          ]
        : [],
  },
  inBulk: { MilesCredited: pendingClaimReviewsInBulk },
};

export const weeklyClaimStream: StreamKind<Claim, ClaimBonus | WithdrawBonus, LedgerEvent, FiguresAfter> = {
  decider: claim,
  projections: [ledgerProjection, claimsProjection],
  publicEvents: ledgerPublicEvents,
};
