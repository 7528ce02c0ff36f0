import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { zonesSql } from '../directory/index.ts';

type Known = { readonly orgId: string; readonly zones: ZoneHistory; readonly openedWeek: string | null };

/** All open organisations, each with the latest week that was opened. */
export async function organisationsWithOpenedWeek(pool: Pool): Promise<Known[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<Known>(
      `select org_id, ${zonesSql} as zones,
           (select max(week_starts_on) from challenge_weeks w where w.org_id = o.org_id) as opened_week
         from organisations o where not is_closed`,
    ),
  );
  return rows;
}

export type PendingClaimReview = {
  readonly orgId: string;
  readonly entryId: string;
  readonly userId: string;
  readonly teamId: string;
  readonly weekStartsOn: string;
};

/** @param resting ids of entries whose review has just failed */
export async function pendingClaimReviews(pool: Pool, resting: readonly string[]): Promise<PendingClaimReview[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.last<PendingClaimReview>(
      `select org_id, entry_id, user_id, team_id,
             week_starts_on from pending_claim_reviews
           where entry_id <> all($1::uuid[]) order by entry_id limit 100`,
      [resting],
    ),
  );
  return rows;
}
