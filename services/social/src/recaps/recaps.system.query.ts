import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { zonesSql } from '../directory/index.ts';

type Organisation = {
  readonly orgId: string;
  readonly zones: ZoneHistory;
  readonly foundedAt: Date;
  readonly latestWeek: string | null;
};

/** All open organisations, each with the latest week that has a recap. */
export async function organisationsWithLatestWeek(pool: Pool): Promise<Organisation[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<Organisation>(
      `select org_id, ${zonesSql} as zones, founded_at,
           (select max(week_starts_on) from weekly_recaps r where r.org_id = o.org_id) as latest_week
         from organisations o where not is_closed`,
    ),
  );
  return rows;
}
