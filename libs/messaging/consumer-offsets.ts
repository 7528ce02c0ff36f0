import type { LogPosition } from '@caravan/contracts/log-position';
import type { ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import type { OpenTransaction } from '@caravan/event-store/open-transaction';
import type { TopicPartition } from './kafka-port.ts';

/** A partition that this process has claimed; its commits count only while `epoch` is the latest claim. */
export type PartitionClaim = TopicPartition & { epoch: number; nextOffset: number };

/** How far a group has applied a service's facts for a key. */
export type AppliedPosition = LogPosition & { readonly key: string; readonly service: ServiceName };

/** What the database knows of a batch before its first handler runs. */
export type OffsetState = {
  readonly nextOffset: number;
  /** How many batches have moved the offset. */
  readonly batches: number;
  /** How far the topic's own service is applied, by key. */
  readonly positions: Map<string, LogPosition>;
  readonly parkedKeys: Set<string>;
};

/** Another process has claimed the partition since: nothing of this transaction may commit. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** Claims partitions for a member of a group: whoever claimed before can no longer commit. Waits for a running commit. */
export async function claimPartitions(
  tx: Tx,
  group: string,
  member: string,
  partitions: readonly TopicPartition[],
): Promise<PartitionClaim[]> {
  const { rows } = await tx.query<{ topic: string; partition: number; epoch: number }>(
    `insert into msg.offsets as o (consumer_group, topic, partition_id, epoch, claimed_by)
     select $1, topic, partition_id, 1, $2 from unnest($3::text[], $4::int[]) as a(topic, partition_id) order by 2, 3
     on conflict (consumer_group, topic, partition_id)
     do update set epoch = o.epoch + 1, claimed_by = excluded.claimed_by, claimed_at = now()
     returning topic, partition_id as partition, epoch`,
    [group, member, partitions.map(({ topic }) => topic), partitions.map(({ partition }) => partition)],
  );
  // A statement of its own: it sees what the commit that was waited for has written.
  const progress = await readProgress(tx, group, partitions);
  return rows.map((row) => ({ ...row, nextOffset: progress.get(nameOf(row))?.nextOffset ?? 0 }));
}

export type BatchStart = {
  readonly service: ServiceName;
  readonly claim: PartitionClaim;
  readonly keys: readonly string[];
};

/**
 * Locks the partitions' rows for this transaction and reads what is known of the keys, in the order given. Throws
 * `Fenced` when somebody else has claimed one of them.
 */
export async function startBatches(tx: Tx, group: string, starts: readonly BatchStart[]): Promise<OffsetState[]> {
  const partitions = starts.map(({ claim }) => claim);
  const services = [...new Map(starts.map(({ service, claim }) => [claim.topic, service]))];
  // In this order on one connection: what is read behind the locks is what the last commit under them has left.
  const [fences, progress, ...known] = await Promise.all([
    lockOffsets(tx, group, partitions),
    readProgress(tx, group, partitions),
    ...services.map(([topic, service]) => {
      const keys = starts.filter(({ claim }) => claim.topic === topic).flatMap((start) => start.keys);
      return readKeys(tx, { group, service, topic, keys });
    }),
  ]);
  const knownOf = new Map(services.map(([topic], nth) => [topic, known[nth]]));
  return partitions.map((claim) => {
    const fence = fences.get(nameOf(claim));
    const keys = knownOf.get(claim.topic);
    if (!fence || !keys || fence.epoch !== claim.epoch) throw new Fenced(`${group} lost ${nameOf(claim)}`);
    const { nth = 0, nextOffset = 0 } = progress.get(nameOf(claim)) ?? {};
    return { batches: nth, nextOffset, ...keys };
  });
}

/** Locks partitions' rows until the transaction ends, in one order for everybody; answers them by their names. */
export async function lockOffsets(tx: Tx, group: string, partitions: readonly TopicPartition[]) {
  const { rows } = await tx.query<{ topic: string; partition: number; epoch: number }>(
    `select o.topic, o.partition_id as partition, o.epoch
     from msg.offsets o join unnest($2::text[], $3::int[]) as p(topic, partition_id) using (topic, partition_id)
     where o.consumer_group = $1 order by 1, 2 for update of o`,
    [group, partitions.map(({ topic }) => topic), partitions.map(({ partition }) => partition)],
  );
  return new Map(rows.map((row) => [nameOf(row), { epoch: row.epoch }]));
}

async function readProgress(tx: Tx, group: string, partitions: readonly TopicPartition[]) {
  const { rows } = await tx.query<{ topic: string; partition: number; nth: number; nextOffset: number }>(
    `select topic, partition_id as partition, nth, next_offset as "nextOffset" from msg.progress_of($1, $2, $3)`,
    [group, partitions.map(({ topic }) => topic), partitions.map(({ partition }) => partition)],
  );
  return new Map(rows.map((row) => [nameOf(row), row]));
}

/** How a partition is called in logs and maps. */
export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/** What is applied and what is parked of these keys. */
export async function readKeys(
  tx: Tx,
  { group, service, topic, keys }: Omit<BatchStart, 'claim'> & { readonly group: string; readonly topic: string },
): Promise<Pick<OffsetState, 'positions' | 'parkedKeys'>> {
  const { rows } = await tx.query<{ key: string; epoch: number; position: number | null; is_parked: boolean }>(
    `select k.key, a.epoch, a.position, exists (
       select from msg.parked p where p.consumer_group = $1 and p.topic = $2 and p.key = k.key
     ) as is_parked
     from unnest($3::text[]) as k(key)
     left join msg.applied_at($4, $3, $5) a on a.key = k.key`,
    [group, topic, keys, keys.map(() => group), keys.map(() => service)],
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
  tx.defer('select msg.record_applied($1, $2, $3, $4, $5)', [
    group,
    applied.map(({ key }) => key),
    applied.map(({ service }) => service),
    applied.map(({ epoch }) => epoch),
    applied.map(({ position }) => position),
  ]);
}

/** Moves the offsets of partitions that `startBatches` has locked; travels with the commit. */
export function moveOffsets(tx: OpenTransaction, group: string, moved: readonly Moved[]): void {
  tx.defer('select msg.move_on($1, $2, $3, $4, $5)', [
    group,
    moved.map(({ topic }) => topic),
    moved.map(({ partition }) => partition),
    moved.map(({ batches }) => batches),
    moved.map(({ nextOffset }) => nextOffset),
  ]);
}
export type Moved = TopicPartition & Pick<OffsetState, 'batches' | 'nextOffset'>;
