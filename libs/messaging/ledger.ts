import type { LogPosition } from '@caravan/contracts/log-position';
import type { ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import type { OpenTransaction } from '@caravan/event-store/open-transaction';
import type { TopicPartition } from './kafka-port.ts';

/** A partition that this process has claimed; its commits count only while `epoch` is the latest claim. */
export type Place = TopicPartition & { epoch: number; nextOffset: number };

/** How far a group has applied a service's facts for a key. */
export type AppliedPosition = LogPosition & { readonly key: string; readonly service: ServiceName };

/** What the database knows of a batch before its first handler runs. */
export type Standing = {
  readonly nextOffset: number;
  /** How far the topic's own service is applied, by key. */
  readonly positions: Map<string, LogPosition>;
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
  readonly service: ServiceName;
  readonly place: Place;
  readonly keys: readonly string[];
};

/**
 * Locks the partitions' rows for this transaction and reads what is known of the keys, in the order given. Throws
 * `Fenced` when somebody else has claimed one of them.
 */
export async function open(tx: Tx, group: string, openings: readonly Opening[]): Promise<Standing[]> {
  const places = openings.map(({ place }) => place);
  const services = [...new Map(openings.map(({ service, place }) => [place.topic, service]))];
  const [fences, ...known] = await Promise.all([
    lockOffsets(tx, group, places),
    ...services.map(([topic, service]) => {
      const keys = openings.filter(({ place }) => place.topic === topic).flatMap((opening) => opening.keys);
      return readKeys(tx, { group, service, topic, keys });
    }),
  ]);
  const knownOf = new Map(services.map(([topic], nth) => [topic, known[nth]]));
  return places.map((place) => {
    const fence = fences.get(nameOf(place));
    const keys = knownOf.get(place.topic);
    if (!fence || !keys || fence.epoch !== place.epoch) throw new Fenced(`${group} lost ${nameOf(place)}`);
    return { nextOffset: fence.nextOffset, ...keys };
  });
}

/** Locks partitions' rows until the transaction ends, in one order for everybody; answers them by their names. */
export async function lockOffsets(tx: Tx, group: string, places: readonly TopicPartition[]) {
  const { rows } = await tx.query<{ topic: string; partition: number; next_offset: number; epoch: number }>(
    `select o.topic, o.partition_id as partition, o.next_offset, o.epoch
     from msg.offsets o join unnest($2::text[], $3::int[]) as p(topic, partition_id) using (topic, partition_id)
     where o.consumer_group = $1 order by 1, 2 for update of o`,
    [group, places.map(({ topic }) => topic), places.map(({ partition }) => partition)],
  );
  return new Map(rows.map((row) => [nameOf(row), { nextOffset: row.next_offset, epoch: row.epoch }]));
}

/** How a partition is called in logs and maps. */
export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/** What is applied and what is parked of these keys. */
export async function readKeys(
  tx: Tx,
  { group, service, topic, keys }: Omit<Opening, 'place'> & { readonly group: string; readonly topic: string },
): Promise<Omit<Standing, 'nextOffset'>> {
  const { rows } = await tx.query<{ key: string; epoch: number; position: number | null; is_parked: boolean }>(
    `select k.key, a.epoch, a.position, exists (
       select from msg.parked p where p.consumer_group = $1 and p.topic = $3 and p.key = k.key
     ) as is_parked
     from unnest($4::text[]) as k(key)
     left join msg.applied a on a.consumer_group = $1 and a.key = k.key and a.service = $2`,
    [group, service, topic, keys],
  );
  return {
    positions: new Map(
      rows.flatMap(({ key, epoch, position }) => (position === null ? [] : [[key, { epoch, position }] as const])),
    ),
    parkedKeys: new Set(rows.filter(({ is_parked }) => is_parked).map(({ key }) => key)),
  };
}

/** The locks that an append takes for these keys, in one order for everybody, so that two batches cannot wait crosswise. */
export function lockKeys(tx: OpenTransaction, keys: readonly string[]): void {
  tx.defer('select es.lock_keys($1::text[])', [keys]);
}

/** Records applied positions, which never fall within an epoch; travels with the commit. */
export function recordApplied(tx: OpenTransaction, group: string, applied: readonly AppliedPosition[]): void {
  if (applied.length === 0) return;
  tx.defer(
    `insert into msg.applied as a (consumer_group, key, service, epoch, position)
     select $1, key, service, epoch, position
     from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) as t(key, service, epoch, position)
     order by key, service
     on conflict (consumer_group, key, service)
     do update set epoch = excluded.epoch, position = excluded.position
     where (a.epoch, a.position) < (excluded.epoch, excluded.position)`,
    [
      group,
      applied.map(({ key }) => key),
      applied.map(({ service }) => service),
      applied.map(({ epoch }) => epoch),
      applied.map(({ position }) => position),
    ],
  );
}

/** Moves the offsets of partitions that `open` has locked; travels with the commit. */
export function moveOffsets(tx: OpenTransaction, group: string, moved: readonly Moved[]): void {
  tx.defer(
    `update msg.offsets o set next_offset = m.next_offset
     from unnest($2::text[], $3::int[], $4::bigint[]) as m(topic, partition_id, next_offset)
     where o.consumer_group = $1 and (o.topic, o.partition_id) = (m.topic, m.partition_id)`,
    [group, moved.map(({ topic }) => topic), moved.map(({ partition }) => partition), moved.map((to) => to.nextOffset)],
  );
}
export type Moved = TopicPartition & { readonly nextOffset: number };
