import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

export type DueBallot = { readonly orgId: string; readonly ballotId: string };

/** Ballots of all organisations whose time is over. */
export async function dueBallots(pool: Pool, at: Date): Promise<DueBallot[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<DueBallot>(
      `select b.org_id, b.ballot_id from ballots b
         where b.decided_at is null and b.ends_at <= $1
           and not exists (select from organisations o where o.org_id = b.org_id and o.is_closed)
         order by b.ends_at limit 1000`,
      [at],
    ),
  );
  return rows;
}
