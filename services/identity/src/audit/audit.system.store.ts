import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

/** The database refuses to drop one of the last year. Answers how many. */
export async function forgetAuditBefore(pool: Pool, before: Date): Promise<number> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ count: number }>('select audit.forget_before($1) as count', [before]),
  );
  return rows[0]?.count ?? 0;
}
