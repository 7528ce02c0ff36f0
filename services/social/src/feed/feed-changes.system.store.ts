import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

/** No page is kept for longer that was composed before them (feed.service.ts). */
const keptSql = `interval '1 minute'`;

export async function forgetOldFeedChanges(pool: Pool): Promise<void> {
  await withSystem(pool, (tx) => tx.query(`delete from feed_changes where changed_at < now() - ${keptSql}`));
}
