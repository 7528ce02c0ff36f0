import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { zonesSql } from '../directory/index.ts';

type ToRank = { readonly orgId: string; readonly zones: ZoneHistory };

/** All open organisations, with the time zones in which their weeks begin. */
export async function organisationsToRank(pool: Pool): Promise<ToRank[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<ToRank>(`select org_id, ${zonesSql} as zones from organisations o where not is_closed`),
  );
  return rows;
}
