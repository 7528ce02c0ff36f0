import type { ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import type { OpenTransaction } from '@caravan/event-store/open-transaction';
import type { TopicPartition } from './kafka.ts';

/** A partition that this process has claimed; its commits count only while `epoch` is the latest claim. */
export type Place = TopicPartition & { epoch: number; nextOffset: number };

/** How far a group has applied a service's facts for a key. */
export type AppliedPosition = { readonly key: string; readonly service: ServiceName; readonly position: number };

/** What the database knows of a batch before its first handler runs. */
export type Standing = {
  readonly nextOffset: number;
  /** Highest applied position of the topic's own service, by key. */
  readonly positions: Map<string, number>;
  readonly parkedKeys: Set<string>;
};

/** Another process has claimed the partition since: nothing of this transaction may commit. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** Claims partitions for a member of a group: whoever claimed before can no longer commit. Waits for a running commit. */
export async function claim(
  tx: Tx,
  group: string,
  member: string,
  partitions: readonly TopicPartition[],
): Promise<Place[]> {
  const { rows } = await tx.query<{ topic: string; partition_id: number; next_offset: number; epoch: number }>(
    `insert into msg.offsets as o (consumer_group, topic, partition_id, epoch, claimed_by)
     select $1, topic, partition_id, 1, $2 from unnest($3::text[], $4::int[]) as a(topic, partition_id) order by 2, 3
     on conflict (consumer_group, topic, partition_id)
     do update set epoch = o.epoch + 1, claimed_by = excluded.claimed_by, claimed_at = now()
     returning topic, partition_id, next_offset, epoch`,
    [group, member, partitions.map(({ topic }) => topic), partitions.map(({ partition }) => partition)],
  );
  return rows.map(({ topic, partition_id, next_offset, epoch }) => ({
    topic,
    partition: partition_id,
    nextOffset: next_offset,
    epoch,
  }));
}

export type Opening = {
  readonly group: string;
  readonly service: ServiceName;
  readonly place: Place;
  readonly keys: readonly string[];
};

/** Locks the partition's row for this transaction and reads what is known of the keys. Throws `Fenced`. */
export async function open(tx: Tx, { group, service, place, keys }: Opening): Promise<Standing> {
  const [fence, known] = await Promise.all([
    lockOffset(tx, group, place),
    readKeys(tx, { group, service, topic: place.topic, keys }),
  ]);
  if (fence === undefined || fence.epoch !== place.epoch) {
    throw new Fenced(`${group} lost ${place.topic}/${place.partition}`);
  }
  return { nextOffset: fence.nextOffset, ...known };
}

/** Locks one partition's row until the transaction ends. */
export async function lockOffset(tx: Tx, group: string, { topic, partition }: TopicPartition) {
  const { rows } = await tx.query<{ next_offset: number; epoch: number }>(
    `select next_offset, epoch from msg.offsets
     where consumer_group = $1 and topic = $2 and partition_id = $3 for update`,
    [group, topic, partition],
  );
  return rows[0] && { nextOffset: rows[0].next_offset, epoch: rows[0].epoch };
}

/** What is applied and what is parked of these keys. */
export async function readKeys(
  tx: Tx,
  { group, service, topic, keys }: Omit<Opening, 'place'> & { readonly topic: string },
): Promise<Omit<Standing, 'nextOffset'>> {
  const { rows } = await tx.query<{ key: string; position: number | null; is_parked: boolean }>(
    `select k.key, a.position, exists (
       select from msg.parked p where p.consumer_group = $1 and p.topic = $3 and p.key = k.key
     ) as is_parked
     from unnest($4::text[]) as k(key)
     left join msg.applied a on a.consumer_group = $1 and a.key = k.key and a.service = $2`,
    [group, service, topic, keys],
  );
  return {
    positions: new Map(rows.flatMap(({ key, position }) => (position === null ? [] : [[key, position]]))),
    parkedKeys: new Set(rows.filter(({ is_parked }) => is_parked).map(({ key }) => key)),
  };
}

/** The locks that an append takes for these keys, in one order for everybody, so that two batches cannot wait crosswise. */
export function lockKeys(tx: OpenTransaction, keys: readonly string[]): void {
  tx.defer('select es.lock_keys($1::text[])', [keys]);
}

/** Records applied positions, which never fall; travels with the commit. */
export function recordApplied(tx: OpenTransaction, group: string, applied: readonly AppliedPosition[]): void {
  if (applied.length === 0) return;
  tx.defer(
    `insert into msg.applied as a (consumer_group, key, service, position)
     select $1, key, service, position from unnest($2::text[], $3::text[], $4::bigint[]) as t(key, service, position)
     order by key, service
     on conflict (consumer_group, key, service)
     do update set position = excluded.position where a.position < excluded.position`,
    [group, applied.map(({ key }) => key), applied.map(({ service }) => service), applied.map((at) => at.position)],
  );
}

/** Moves the offset of a partition that `open` has locked; travels with the commit. */
export function moveOffset(tx: OpenTransaction, group: string, place: Place, nextOffset: number): void {
  tx.defer(`update msg.offsets set next_offset = $4 where consumer_group = $1 and topic = $2 and partition_id = $3`, [
    group,
    place.topic,
    place.partition,
    nextOffset,
  ]);
}
