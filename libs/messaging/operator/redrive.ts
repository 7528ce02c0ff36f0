import type { ServiceName } from '@caravan/contracts/events/topics';
import type { OpenTransaction } from '@caravan/event-store/postgres/open-transaction';
import { type createPool, withSystem } from '@caravan/event-store/postgres/connections';
import { Batch, type Effect } from '../consumer/batch.ts';
import { lockKeys, lockOffsets, readKeys, recordApplied } from '../consumer/consumer-offsets.ts';
import { decode, type Group } from '../consumer/consumer.ts';
import type { IncomingMessage } from '../kafka/kafka-port.ts';
import { Received, Receiving } from '../consumer/received.ts';

type RedriveRequest = {
  readonly pool: ReturnType<typeof createPool>;
  readonly groups: readonly Group[];
  readonly group?: string;
  readonly key?: string;
  readonly discard?: readonly number[];
};

type RedriveReport = {
  readonly applied: number;
  readonly discarded: number;
  readonly stillParked: readonly { group: string; key: string; parkedId: number; code: string; reason: string }[];
};

type ParkedKey = { group: string; topic: string; key: string };
type ParkedRow = {
  parkedId: number;
  service: ServiceName;
  partitionId: number;
  messageOffset: number;
  value: Buffer | null;
  headers: Record<string, string>;
};
type Stuck = { parkedId: number; code: string; reason: string };
type KeyOutcome = { applied: number; discarded: number; stuck?: Stuck; effects: readonly Effect[] };

/** Applies parked messages, each key in its order until one fails again. Safe beside running consumers. */
export async function redrive(request: RedriveRequest): Promise<RedriveReport> {
  const report = { applied: 0, discarded: 0, stillParked: [] as RedriveReport['stillParked'][number][] };
  for (const parked of await parkedKeys(request)) {
    const group = request.groups.find(({ name }) => name === parked.group);
    if (!group) continue;
    const outcome = await withSystem(request.pool, (tx) => redriveKey(tx, group, parked, request.discard ?? []));
    await Promise.allSettled(outcome.effects.map(async (effect) => effect()));
    report.applied += outcome.applied;
    report.discarded += outcome.discarded;
    if (outcome.stuck) report.stillParked.push({ group: parked.group, key: parked.key, ...outcome.stuck });
  }
  return report;
}

async function parkedKeys({ pool, group, key }: RedriveRequest): Promise<ParkedKey[]> {
  const { rows } = await pool.query<ParkedKey>(
    `select consumer_group as group, topic, key from msg.parked
     where ($1::text is null or consumer_group = $1) and ($2::text is null or key = $2)
     group by 1, 2, 3 order by min(parked_id)`,
    [group ?? null, key ?? null],
  );
  return rows;
}

async function redriveKey(
  tx: OpenTransaction,
  group: Group,
  parked: ParkedKey,
  discard: readonly number[],
): Promise<KeyOutcome> {
  const topic = group.topics.find(({ name }) => name === parked.topic);
  if (!topic) return { applied: 0, discarded: 0, effects: [] };
  const { key } = parked;
  const rows = await lockParked(tx, parked);
  const known = await readKeys(tx, { group: group.name, service: topic.service, topic: topic.name, keys: [key] });
  if (group.locksKeys) lockKeys(tx, [key]);
  const topicPartition = { topic: topic.name, partition: rows[0]?.partitionId ?? 0 };
  // All of these were received; whether one was applied is told by rows of the key alone.
  const receiving = new Receiving(new Received(0, []), known.recorded, known.shards);
  const offsetState = { receiving, parkedKeys: new Set<string>() };
  const origin = { service: topic.service, topicPartition, offsetState };
  const batch = new Batch({ tx, group, isIsolated: true, attempt: 1 });
  const gone: number[] = [];
  for (const row of rows) {
    if (!discard.includes(row.parkedId)) {
      const message: IncomingMessage = { key, offset: row.messageOffset, value: row.value, headers: row.headers };
      await batch.process(message, decode(message, topic.handlers), origin);
      if (batch.parked.length > 0) break;
    }
    gone.push(row.parkedId);
  }
  recordApplied(tx, group.name, batch.applied);
  tx.defer('delete from msg.parked where parked_id = any($1::bigint[])', [gone]);
  const discarded = gone.filter((id) => discard.includes(id)).length;
  const stuck = stuckOf(rows[gone.length], batch);
  if (stuck) noteAttempt(tx, stuck);
  return { applied: gone.length - discarded, discarded, effects: batch.afterCommit, ...(stuck && { stuck }) };
}

function noteAttempt(tx: OpenTransaction, { parkedId, code, reason }: Stuck): void {
  tx.defer(`update msg.parked set attempts = attempts + 1, error_code = $2, error_message = $3 where parked_id = $1`, [
    parkedId,
    code,
    reason,
  ]);
}

/** Their partition stands still until the transaction ends, so none is added meanwhile. */
async function lockParked(tx: OpenTransaction, { group, topic, key }: ParkedKey): Promise<ParkedRow[]> {
  const { rows: partitions } = await tx.query<{ partition: number }>(
    `select distinct partition_id as partition from msg.parked
     where consumer_group = $1 and topic = $2 and key = $3 order by 1`,
    [group, topic, key],
  );
  await lockOffsets(
    tx,
    group,
    partitions.map(({ partition }) => ({ topic, partition })),
  );
  const { rows } = await tx.query<ParkedRow>(
    `select parked_id, service, partition_id, message_offset, value, headers from msg.parked
     where consumer_group = $1 and topic = $2 and key = $3 order by parked_id`,
    [group, topic, key],
  );
  return rows;
}

function stuckOf(row: ParkedRow | undefined, { parked }: Batch): Stuck | undefined {
  const [first] = parked;
  return row && first && { parkedId: row.parkedId, code: first.code, reason: first.reason };
}
