import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

/** Organisations without a journey, and those whose teams have moved within a day. */
export async function organisationsToLookAt(pool: Pool): Promise<{ orgId: string; isOnOne: boolean }[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ orgId: string; isOnOne: boolean }>(
      `select o.org_id, j.org_id is not null as is_on_one from organisations o
         left join journeys j on j.org_id = o.org_id
         where not o.is_closed and (j.org_id is null or exists (select from team_totals t
           where t.org_id = o.org_id and t.reached_at > now() - interval '1 day'))`,
    ),
  );
  return rows;
}
