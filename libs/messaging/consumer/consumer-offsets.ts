import { isUpTo, type LogPosition } from '@caravan/contracts/events/log-position';
import type { ServiceName } from '@caravan/contracts/events/topics';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { OpenTransaction } from '@caravan/event-store/postgres/open-transaction';
import { type createPool, withSystem } from '@caravan/event-store/postgres/connections';
import type { MessagingLog, Seek, TopicPartition } from '../kafka/kafka-port.ts';
import { type NextRow, Received, Receiving, encodeRow, decodeRow } from './received.ts';
import { AsyncEvent, backoffMs } from '../kafka/retry.ts';

/** A partition that this process has claimed; its commits count only while `epoch` is the latest claim. */
export type PartitionClaim = TopicPartition & { epoch: number; nextOffset: number; received?: Received };

export type AppliedPosition = LogPosition & { readonly key: string; readonly service: ServiceName };

/** Told after each commit how far a group has applied facts. */
export type AppliedListener = {
  recordApplied(group: string, applied: readonly AppliedPosition[]): void;
};

/** Of what is applied of a key the highest position counts. */
export function raise(positions: Map<string, AppliedPosition>, raised: AppliedPosition): void {
  const id = `${raised.service} ${raised.key}`;
  if (!isUpTo(positions.get(id), raised)) positions.set(id, raised);
}

export type OffsetState = {
  readonly nextOffset: number;
  readonly receiving: Receiving;
  readonly parkedKeys: Set<string>;
};

/** Another process has claimed the partition since: nothing of this transaction may commit. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

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

type BatchStart = {
  readonly service: ServiceName;
  readonly claim: PartitionClaim;
  readonly keys: readonly string[];
};

/** Locks the partitions and reads what is known of the keys. Throws `Fenced` when one is claimed by somebody else. */
export async function startBatches(tx: Tx, group: string, starts: readonly BatchStart[]): Promise<OffsetState[]> {
  const partitions = starts.map(({ claim }) => claim);
  const services = [...new Map(starts.map(({ service, claim }) => [claim.topic, service]))];
  // In this order on one connection: what is read behind the locks is what the last commit has left.
  const [fences, progress, ...known] = await Promise.all([
    lockOffsets(tx, group, partitions),
    readProgress(tx, group, partitions),
    ...services.map(([topic, service]) => {
      const keys = starts.filter(({ claim }) => claim.topic === topic).flatMap((start) => start.keys);
      return readKeys(tx, { group, service, topic, keys });
    }),
  ]);
  const knownOf = new Map(services.map(([topic], nth) => [topic, known[nth]]));
  for (const claim of partitions)
    if (fences.get(nameOf(claim))?.epoch !== claim.epoch) throw new Fenced(`${group} lost ${nameOf(claim)}`);
  return Promise.all(
    partitions.map(async (claim) => {
      const keys = knownOf.get(claim.topic);
      if (!keys) throw new Error(`Nothing was read of the keys of ${claim.topic}`);
      const { nth = 0, nextOffset = 0 } = progress.get(nameOf(claim)) ?? {};
      // Another process came between, or nobody knows whether the last batch was committed.
      if (claim.received?.nth !== nth) claim.received = await readReceived(tx, group, claim, nth);
      const { recorded, shards, parkedKeys } = keys;
      return { nextOffset, receiving: new Receiving(claim.received, recorded, shards), parkedKeys };
    }),
  );
}

async function readReceived(
  tx: Tx,
  group: string,
  { topic, partition }: TopicPartition,
  nth: number,
): Promise<Received> {
  const { rows } = await tx.query<{ nth: number; received: unknown }>(
    'select nth, received from msg.progress where consumer_group = $1 and topic = $2 and partition_id = $3',
    [group, topic, partition],
  );
  return new Received(
    nth,
    rows.map((row) => decodeRow(row.nth, row.received)),
  );
}

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
    `select topic, partition_id as partition, nth, next_offset from msg.progress_of($1, $2, $3)`,
    [group, partitions.map(({ topic }) => topic), partitions.map(({ partition }) => partition)],
  );
  return new Map(rows.map((row) => [nameOf(row), row]));
}

export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

type KnownKeys = {
  readonly recorded: Map<string, LogPosition>;
  readonly shards: Map<string, number>;
  readonly parkedKeys: Set<string>;
};

export async function readKeys(
  tx: Tx,
  { group, service, topic, keys }: Omit<BatchStart, 'claim'> & { readonly group: string; readonly topic: string },
): Promise<KnownKeys> {
  const { rows } = await tx.query<{
    key: string;
    shard: number;
    epoch: number;
    position: number | null;
    isParked: boolean;
  }>(
    `select k.key, es.shard_of(k.key)::int as shard, a.epoch, a.position, exists (
       select from msg.parked p where p.consumer_group = $1 and p.topic = $2 and p.key = k.key
     ) as is_parked
     from unnest($3::text[]) as k(key)
     left join msg.recorded_at($4, $3, $5) a on a.key = k.key`,
    [group, topic, keys, keys.map(() => group), keys.map(() => service)],
  );
  return {
    recorded: new Map(
      rows.flatMap(({ key, epoch, position }) => (position === null ? [] : [[key, { epoch, position }] as const])),
    ),
    shards: new Map(rows.map(({ key, shard }) => [key, shard])),
    parkedKeys: new Set(rows.filter(({ isParked }) => isParked).map(({ key }) => key)),
  };
}

/** The locks that an append takes for these keys, in one order, so that two batches cannot wait crosswise. */
export function lockKeys(tx: OpenTransaction, keys: readonly string[]): void {
  tx.defer('select es.lock_keys($1::text[])', [keys]);
}

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

export function moveOffsets(tx: OpenTransaction, group: string, moved: readonly Moved[]): void {
  const gone = moved.flatMap(({ topic, partition, next }) => next.gone.map((nth) => ({ topic, partition, nth })));
  tx.defer('select msg.move_on($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
    group,
    moved.map(({ topic }) => topic),
    moved.map(({ partition }) => partition),
    moved.map(({ next }) => next.row.nth),
    moved.map(({ nextOffset }) => nextOffset),
    moved.map(({ next }) => encodeRow(next.row)),
    gone.map(({ topic }) => topic),
    gone.map(({ partition }) => partition),
    gone.map(({ nth }) => nth),
  ]);
}
type Moved = TopicPartition & { readonly nextOffset: number; readonly next: NextRow };

type AssignmentOptions = {
  readonly pool: ReturnType<typeof createPool>;
  readonly group: string;
  readonly member: string;
  readonly partitions: readonly TopicPartition[];
  readonly log: MessagingLog;
  readonly seek: Seek;
  readonly previous?: Assignment | undefined;
  readonly onFailure?: (error: unknown) => void;
};

/** What one rebalance gave to this process, claimed in the database before a message of it is applied. */
export class Assignment {
  private readonly options: AssignmentOptions;
  private readonly claims = new Map<string, PartitionClaim>();
  private readonly over = new AsyncEvent();
  private reclaiming: Promise<void> | undefined;
  claimed: Promise<void>;

  constructor(options: AssignmentOptions) {
    this.options = options;
    this.claimed = (options.previous?.claimed ?? Promise.resolve()).then(() => this.claimAll());
  }

  end(): void {
    this.over.set();
  }

  claimOf(partition: TopicPartition): PartitionClaim | undefined {
    return this.over.isSet() ? undefined : this.claims.get(nameOf(partition));
  }

  /** Without an offset where the claim is not there yet. */
  get positions(): readonly (TopicPartition & { readonly nextOffset: number | undefined })[] {
    return this.options.partitions.map(({ topic, partition }) => ({
      topic,
      partition,
      nextOffset: this.claims.get(nameOf({ topic, partition }))?.nextOffset,
    }));
  }

  reclaim(): Promise<void> {
    this.reclaiming ??= this.claimAll().finally(() => (this.reclaiming = undefined));
    this.claimed = this.reclaiming;
    return this.reclaiming;
  }

  private async claimAll(): Promise<void> {
    const { pool, group, member, partitions, log, seek, onFailure } = this.options;
    for (let failures = 0; !this.over.isSet();) {
      try {
        const claims = await withSystem(pool, (tx) => claimPartitions(tx, group, member, partitions));
        if (this.over.isSet()) return;
        for (const claim of claims) {
          // Whoever has the old claim in hand goes on with the new one.
          this.claims.set(nameOf(claim), Object.assign(this.claims.get(nameOf(claim)) ?? {}, claim));
          seek(claim, claim.nextOffset);
        }
        return;
      } catch (error) {
        failures += 1;
        onFailure?.(error);
        log.warn({ err: error, group, failures }, 'consumer: could not claim its partitions, trying again');
        await this.over.wait(backoffMs(failures, 2_000));
      }
    }
  }
}
