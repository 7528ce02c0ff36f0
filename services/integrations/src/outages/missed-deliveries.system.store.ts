import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { beginCatchUps } from '../syncing/index.ts';

/** Since when nothing could be received, if that is longer ago than `mostMilliseconds`; undefined otherwise. */
async function recordReceiving(tx: Tx, mostMilliseconds: number): Promise<Date | undefined> {
  await tx.query(
    'insert into delivery_watch (receiving_until) values (clock_timestamp()) on conflict (is_only) do nothing',
  );
  const { rows } = await tx.query<{ missedSince: Date; isOutage: boolean }>(
    `select receiving_until as missed_since,
       receiving_until < clock_timestamp() - $1 * interval '1 millisecond' as is_outage
     from delivery_watch for update`,
    [mostMilliseconds],
  );
  await tx.query('update delivery_watch set receiving_until = clock_timestamp()');
  const [noted] = rows;
  return noted?.isOutage ? noted.missedSince : undefined;
}

/** Records that deliveries can be received. After an outage it begins a sync of every account. */
export function catchUpAfterOutage(
  pool: Pool,
  outageMilliseconds: number,
): Promise<{ readonly missedSince: Date; readonly accounts: number } | undefined> {
  return withSystem(pool, async (tx) => {
    const missedSince = await recordReceiving(tx, outageMilliseconds);
    if (!missedSince) return undefined;
    const runs = await beginCatchUps(tx, { where: 'true', values: [] });
    return { missedSince, accounts: runs.length };
  });
}
