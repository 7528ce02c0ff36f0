import { topics } from '@caravan/contracts/events/topics';
import { messageOf, type OutboxRow } from '../relay/outbox.ts';
import type { Suite } from './suite.ts';

/**
 * How a relay must not be built: it remembers the last position it sent and asks for what is above. A transaction that
 * took its position earlier but commits later is never seen again.
 */
export async function relayNaively({ pool, kafka }: Suite, writing: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  void writing.finally(() => over.abort());
  for (let last = 0; ;) {
    const wasOver = over.signal.aborted;
    const { rows } = await pool.query<OutboxRow>(
      `select shard, pos, es.epoch_at(pos) as epoch, partition_key, event_id, org_id, type, version, data::text, causes::text, actor_id,
         to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at, traceparent
       from es.outbox where pos > $1 order by pos limit 500`,
      [last],
    );
    last = rows.at(-1)?.pos ?? last;
    if (rows.length > 0)
      await kafka.send(
        topics.activity.name,
        rows.map((row) => messageOf(row, 'activity')),
      );
    else if (wasOver) return;
  }
}
