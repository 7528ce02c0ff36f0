import { randomUUID } from 'node:crypto';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { KeptMessage } from './after-restore.ts';
import { nameOf } from '../consumer/consumer-offsets.ts';
import type { EndOffset, IncomingBatch, Kafka, TopicPartition } from '../kafka/kafka-port.ts';

export type PartitionOffset = TopicPartition & { readonly offset: number };
export type Keep = (messages: readonly KeptMessage[]) => void;

/** From where on some group of this database still reads; a partition that nobody has read stands at 0. */
export async function leastRead(tx: Pick<Tx, 'query'>): Promise<PartitionOffset[]> {
  const { rows } = await tx.query<PartitionOffset>(
    `select o.topic, o.partition_id as partition, min(coalesce(p.next_offset, 0))::float8 as offset
     from msg.offsets o left join lateral (
       select next_offset from msg.progress p
       where (p.consumer_group, p.topic, p.partition_id) = (o.consumer_group, o.topic, o.partition_id)
       order by p.nth desc limit 1
     ) p on true
     group by 1, 2`,
  );
  return rows;
}

/** Reads what lies between the offsets, each partition in its order; one that is not named is read from its beginning. */
export async function readBetween(
  kafka: Pick<Kafka, 'consume'>,
  from: readonly PartitionOffset[],
  until: readonly EndOffset[],
  keep: Keep,
): Promise<void> {
  const reading = new Reading(from, until, keep);
  if (reading.isOver()) return;
  const topics = [...new Set(until.map(({ topic }) => topic))];
  const running = await kafka.consume(`backup-${randomUUID()}`, topics, {
    onAssigned: (_member, partitions, seek) => {
      for (const partition of partitions) seek(partition, reading.offsetOf(partition));
    },
    onBatch: (batch) => Promise.resolve(reading.take(batch)),
  });
  try {
    await Promise.race([reading.over, running.ended]);
  } finally {
    await running.stop();
  }
  if (!reading.isOver()) throw new Error('Kafka ended before all was read');
}

class Reading {
  private readonly next: Map<string, number>;
  private readonly ends: Map<string, number>;
  private readonly end = Promise.withResolvers<undefined>();
  readonly over = this.end.promise;

  constructor(
    from: readonly PartitionOffset[],
    until: readonly EndOffset[],
    private readonly keep: Keep,
  ) {
    this.next = new Map(from.map((one) => [nameOf(one), one.offset]));
    this.ends = new Map(until.flatMap((one) => (this.offsetOf(one) < one.end ? [[nameOf(one), one.end]] : [])));
  }

  isOver(): boolean {
    return this.ends.size === 0;
  }

  offsetOf(partition: TopicPartition): number {
    return this.next.get(nameOf(partition)) ?? 0;
  }

  take(batch: IncomingBatch): void {
    const name = nameOf(batch);
    const last = batch.messages.at(-1);
    if (batch.isStale() || !last) return;
    const next = this.offsetOf(batch);
    const end = this.ends.get(name) ?? 0;
    const fresh = batch.messages.filter(({ offset }) => offset >= next && offset < end);
    this.keep(
      fresh.flatMap(({ key, value, headers }) =>
        value === null ? [] : [{ topic: batch.topic, key, value: value.toString('utf8'), headers: { ...headers } }],
      ),
    );
    batch.resolve(last.offset);
    this.next.set(name, Math.max(next, last.offset + 1));
    if (last.offset + 1 >= end) this.ends.delete(name);
    if (this.isOver()) this.end.resolve(undefined);
  }
}
