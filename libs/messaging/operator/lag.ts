import type { Tx } from '@caravan/event-store/core/event-store';
import { nameOf } from '../consumer/consumer-offsets.ts';
import type { Kafka } from '../kafka/kafka-port.ts';

export type GroupTopics = { readonly name: string; readonly topics: readonly { readonly name: string }[] };

export type Lag = {
  readonly group: string;
  readonly topic: string;
  /** Messages of the topic that the group has not applied yet, and that have not expired. */
  readonly messages: number;
  /** The sum of the offsets up to which it has: grows with each batch. */
  readonly applied: number;
};

/** Costs one request to Kafka and one query of the service's database. */
export async function lagOf(tx: Tx, kafka: Pick<Kafka, 'endOffsets'>, groups: readonly GroupTopics[]): Promise<Lag[]> {
  const read = groups.flatMap(({ name, topics }) => topics.map((topic) => ({ group: name, topic: topic.name })));
  const [offsets, extents] = await Promise.all([
    tx.query<{ group: string; topic: string; partition: number; applied: number }>(
      `select o.consumer_group as group, o.topic, o.partition_id as partition, p.next_offset as applied
       from msg.offsets o cross join lateral msg.progress_of(o.consumer_group, array[o.topic], array[o.partition_id]) p`,
    ),
    kafka.endOffsets([...new Set(read.map(({ topic }) => topic))]),
  ]);
  const appliedOf = new Map(offsets.rows.map((row) => [`${row.group} ${nameOf(row)}`, row.applied]));
  return read.map(({ group, topic }) => {
    const partitions = extents
      .filter((extent) => extent.topic === topic)
      .map((extent) => ({ ...extent, applied: appliedOf.get(`${group} ${nameOf(extent)}`) ?? 0 }));
    return {
      group,
      topic,
      messages: partitions.reduce(
        (sum, { applied, start, end }) => sum + Math.max(end - Math.max(applied, start), 0),
        0,
      ),
      applied: partitions.reduce((sum, { applied }) => sum + applied, 0),
    };
  });
}

/** Groups that have read something for this service, but not those of rebuilds, which come and go. */
export async function groupsIn(tx: Tx): Promise<GroupTopics[]> {
  const { rows } = await tx.query<{ name: string; topics: string[] }>(
    `select consumer_group as name, array_agg(distinct topic) as topics from msg.offsets
     where position('.rebuild.' in consumer_group) = 0 group by 1 order by 1`,
  );
  return rows.map(({ name, topics }) => ({ name, topics: topics.map((topic) => ({ name: topic })) }));
}
