import type { ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import type { OpenTransaction } from '@caravan/event-store/open-transaction';
import { type createPool, withSystem } from '@caravan/event-store/postgres';
import { Batch, type Effect, type ParkedMessage } from './batch.ts';
import { lockKeys, lockOffsets, readKeys, recordApplied } from './consumer-offsets.ts';
import { decode, type Group } from './consumer.ts';
import { Received, Receiving } from './received.ts';
import type { IncomingMessage, Kafka, OutgoingMessage } from './kafka-port.ts';

export function park(tx: OpenTransaction, group: string, messages: readonly ParkedMessage[]): void {
  if (messages.length === 0) return;
  tx.defer(
    `insert into msg.parked (consumer_group, service, key, topic, partition_id, message_offset, type, position, value,
       headers, error_code, error_message, attempts)
     select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[], $7::text[], $8::bigint[],
       $9::bytea[], $10::jsonb[], $11::text[], $12::text[], $13::int[])
     on conflict (consumer_group, topic, partition_id, message_offset) do nothing`,
    [
      group,
      messages.map(({ service }) => service),
      messages.map(({ message }) => message.key),
      messages.map(({ topic }) => topic),
      messages.map(({ partition }) => partition),
      messages.map(({ message }) => message.offset),
      messages.map(({ type }) => type),
      messages.map(({ position }) => position),
      messages.map(({ message }) => message.value),
      messages.map(({ message }) => JSON.stringify(message.headers).replaceAll('\\u0000', '\uFFFD')),
      messages.map(({ code }) => code),
      messages.map(({ reason }) => reason),
      messages.map(({ attempts }) => attempts),
    ],
  );
}

export const dlqOf = (group: string): string => `${group}.dlq`;

type MirrorRow = {
  parked_id: number;
  topic: string;
  partition_id: number;
  message_offset: number;
  key: string;
  type: string | null;
  position: number | null;
  error_code: string;
};

/** Tells the group's dead-letter topic of up to 100 parked messages; answers how many. */
export async function mirrorParked(tx: Tx, kafka: Pick<Kafka, 'send'>, group: string): Promise<number> {
  const { rows } = await tx.query<MirrorRow>(
    `select parked_id, topic, partition_id, message_offset, key, type, position, error_code
     from msg.parked where mirrored_at is null and consumer_group = $1 order by parked_id limit 100`,
    [group],
  );
  if (rows.length === 0) return 0;
  await kafka.send(dlqOf(group), rows.map(mirrored));
  const ids = rows.map(({ parked_id }) => parked_id);
  await tx.query('update msg.parked set mirrored_at = now() where parked_id = any($1::bigint[])', [ids]);
  return rows.length;
}

/** Nothing of what the message says, nor a reason that could quote it: a topic forgets nobody before its time. */
function mirrored({ key, type, position, ...row }: MirrorRow): OutgoingMessage {
  const from = `${row.topic}/${row.partition_id}/${row.message_offset}`;
  const value = JSON.stringify({ parkedId: row.parked_id, from, type, position, code: row.error_code });
  return { key, value, headers: { 'parked-from': from, 'parked-code': row.error_code } };
}

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
  parked_id: number;
  service: ServiceName;
  partition_id: number;
  message_offset: number;
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
  const topicPartition = { topic: topic.name, partition: rows[0]?.partition_id ?? 0 };
  // All of these were received; whether one was applied is told by rows of the key alone.
  const receiving = new Receiving(new Received(0, []), known.recorded, known.shards);
  const offsetState = { receiving, parkedKeys: new Set<string>() };
  const origin = { service: topic.service, topicPartition, offsetState };
  const batch = new Batch({ tx, group, isIsolated: true, attempt: 1 });
  const gone: number[] = [];
  for (const row of rows) {
    if (!discard.includes(row.parked_id)) {
      const message: IncomingMessage = { key, offset: row.message_offset, value: row.value, headers: row.headers };
      await batch.process(message, decode(message, topic.handlers), origin);
      if (batch.parked.length > 0) break;
    }
    gone.push(row.parked_id);
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
  return row && first && { parkedId: row.parked_id, code: first.code, reason: first.reason };
}
