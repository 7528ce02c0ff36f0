import type { FrequentActivity } from '@caravan/contracts/http/movement';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

const listed = 10;

export async function frequentActivitiesOf(
  pool: Pool,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
): Promise<FrequentActivity[]> {
  const { rows } = await tenantQuery<FrequentActivity>(
    pool,
    orgId,
    `select activity_id as id, activity_name, usage_count from frequent_activities
       where org_id = $1 and user_id = $2 order by usage_count desc, used_at desc, activity_id limit ${listed}`,
    [orgId, userId],
  );
  return rows;
}
