import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { zonesSql } from '../directory/index.ts';

export type Candidate = { readonly orgId: string; readonly zones: ZoneHistory; readonly lastOpenedAt: Date | null };
export type Expired = { readonly orgId: string; readonly challengeId: string };

/** Open challenges whose time is over. */
export async function expiredChallenges(pool: Pool, at: Date): Promise<Expired[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<Expired>(
      `select org_id, challenge_id from bonus_challenges
         where closed_at is null and expires_at <= $1`,
      [at],
    ),
  );
  return rows;
}

/** Organisations in which none is open; where `orgId` is not null, that one alone. */
export async function organisationsWithoutChallenge(pool: Pool, orgId: string | null): Promise<Candidate[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<Candidate>(
      `select o.org_id, ${zonesSql} as zones, b.opened_at as last_opened_at
         from organisations o left join lateral (
           select opened_at, closed_at from bonus_challenges b where b.org_id = o.org_id order by opened_at desc limit 1
         ) b on true
         where not o.is_closed and (b.opened_at is null or b.closed_at is not null) and ($1::uuid is null or o.org_id = $1)`,
      [orgId],
    ),
  );
  return rows;
}
