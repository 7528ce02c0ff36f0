import { topics } from '@caravan/contracts/events/topics';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Tx } from '@caravan/event-store/core/event-store';
import { allShards, fromStart } from '../relay/outbox-shards.ts';
import { messageOf, readOutbox } from '../relay/outbox.ts';
import type { Suite } from './suite.ts';

/** Sends what waits in the outbox without removing it, as a relay does that dies before its delete. */
export async function deliverWithoutRemoving({ pool, kafka }: Suite): Promise<void> {
  const rows = await withSystem(pool, (tx) => readOutbox(tx, allShards.map(fromStart), 10_000));
  await kafka.send(
    topics.activity.name,
    rows.map((row) => messageOf(row, 'activity', { shard: row.shard, epoch: 0, position: 0 })),
  );
}

type ParkedRow = { key: string; n: number | null; errorCode: string; attempts: number };

/** What is parked, in the order in which it came. */
export async function parkedRows(tx: Tx): Promise<ParkedRow[]> {
  const { rows } = await tx.query<ParkedRow & { value: Buffer }>(
    'select key, value, error_code, attempts from msg.parked order by parked_id',
  );
  return rows.map(({ value, ...row }) => ({ ...row, n: numberIn(value.toString()) }));
}

function numberIn(json: string): number | null {
  const found = /"n":(\d+)/.exec(json);
  return found ? Number(found[1]) : null;
}
