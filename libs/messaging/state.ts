import type { Tx } from '@caravan/event-store/event-store';
import type { Group } from './groups.ts';
import { deadRows, oldestSnapshot } from './dead-rows.ts';
import type { Kafka } from './kafka-port.ts';
import type { MessagingState } from './metrics.ts';
import { allShards } from './leases.ts';
import { outboxBacklog } from './outbox.ts';
import { fromStart, type OutboxCursor } from './outbox-cursors.ts';
import { refusedMessages } from './refused.ts';

/** From the true start of the outbox: costs what has been in it while somebody holds an old snapshot. */
const fromTheStart = () => allShards.map(fromStart);

/**
 * Where a service's relay and consumers stand, read from database and broker at the moment of asking. A relay that
 * tells where it stands makes counting cost what waits.
 */
export function stateOf(
  tx: Tx,
  kafka: Pick<Kafka, 'endOffsets'>,
  groups: () => readonly Group[],
  cursors: () => readonly OutboxCursor[] = fromTheStart,
): MessagingState {
  return {
    backlog: () => outboxBacklog(tx, cursors()),
    refused: () => refusedMessages(tx),
    oldestSnapshot: () => oldestSnapshot(tx),
    deadRows: () => deadRows(tx, 1_000),
    parkedKeys: async () => {
      const { rows } = await tx.query<{ group: string; keys: number }>(
        'select consumer_group as group, count(distinct (topic, key))::int as keys from msg.parked group by 1',
      );
      return rows;
    },
    lag: async () => {
      const read = groups().flatMap(({ name, topics }) => topics.map((topic) => ({ group: name, topic: topic.name })));
      const [offsets, ends] = await Promise.all([
        tx.query<{ group: string; topic: string; applied: number }>(
          `select o.consumer_group as group, o.topic, sum(p.next_offset)::bigint as applied
           from msg.offsets o cross join lateral msg.progress_of(o.consumer_group, array[o.topic], array[o.partition_id]) p
           group by 1, 2`,
        ),
        kafka.endOffsets([...new Set(read.map(({ topic }) => topic))]),
      ]);
      return read.map(({ group, topic }) => {
        const end = ends.filter((at) => at.topic === topic).reduce((sum, at) => sum + at.end, 0);
        const applied = offsets.rows.find((row) => row.group === group && row.topic === topic)?.applied ?? 0;
        return { group, topic, messages: Math.max(end - applied, 0) };
      });
    },
  };
}
