import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

export type SyncFigure = {
  readonly provider: string;
  readonly cause: string;
  readonly count: number;
  /** Seconds for which the run that is due longest has been due. */
  readonly late: number;
};

/** Syncs that have not ended, by platform and cause. */
export async function syncFigures(pool: Pool): Promise<SyncFigure[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<SyncFigure>(
      `select provider, cause, count(*) as count,
         greatest(0, extract(epoch from now() - min(due_at)))::float8 as late
       from sync_runs where state = 'running' group by provider, cause`,
    ),
  );
  return rows;
}
