import type { LogPosition, LogPositions } from '@caravan/contracts/log-position';
import type { ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import type { OutgoingMessage } from './kafka-port.ts';

/** A public message that waits for Kafka. JSON columns stay text: nobody here reads them. */
export type OutboxRow = {
  readonly shard: number;
  readonly pos: number;
  readonly epoch: number;
  readonly partition_key: string;
  readonly event_id: string;
  readonly org_id: string;
  readonly type: string;
  readonly version: number;
  readonly data: string;
  readonly causes: string;
  readonly actor_id: string | null;
  readonly occurred_at: string;
  readonly traceparent: string | null;
  /** An earlier message of its key was refused by Kafka: it may not overtake it. */
  readonly is_behind_refused: boolean;
};

/** The oldest rows of these shards, in order of position within each shard. */
export async function readOutbox(tx: Tx, shards: readonly number[], rowsPerShard: number): Promise<OutboxRow[]> {
  const { rows } = await tx.query<OutboxRow>(
    `select o.* from unnest($1::smallint[]) as held(shard), lateral (
       select shard, pos, es.epoch_at(pos) as epoch, partition_key, event_id, org_id, type, version, data::text, causes::text, actor_id,
         to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at, traceparent,
         exists (select from es.refused r where r.partition_key = w.partition_key) as is_behind_refused
       from es.outbox w where shard = held.shard order by pos limit $2
     ) as o`,
    [shards, rowsPerShard],
  );
  return rows;
}

/** Removes delivered rows. */
export async function deleteFromOutbox(tx: Tx, rows: readonly Pick<OutboxRow, 'shard' | 'pos'>[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(`delete from es.outbox where (shard, pos) in (select * from unnest($1::smallint[], $2::bigint[]))`, [
    rows.map(({ shard }) => shard),
    rows.map(({ pos }) => pos),
  ]);
}

/** How much waits for Kafka. */
export async function outboxBacklog(tx: Tx): Promise<{ rows: number; oldestAgeSeconds: number }> {
  const { rows } = await tx.query<{ count: number; age: string | null }>(
    'select count(*) as count, extract(epoch from now() - min(occurred_at)) as age from es.outbox',
  );
  return { rows: rows[0]?.count ?? 0, oldestAgeSeconds: Math.max(Number(rows[0]?.age ?? 0), 0) };
}

/** The Kafka message of a row: the envelope as JSON, the trace context as a header. */
export function messageOf(row: OutboxRow, service: ServiceName): OutgoingMessage {
  const places = { ...placesIn(row.causes), [service]: { epoch: row.epoch, position: row.pos } };
  const positions = Object.entries(places).map(([name, { position }]) => `"${name}":${position}`);
  const epochs = Object.entries(places).map(([name, { epoch }]) => `"${name}":${epoch}`);
  const text = [
    `{"id":"${row.event_id}","type":${JSON.stringify(row.type)},"version":${row.version},"orgId":"${row.org_id}"`,
    `"key":${JSON.stringify(row.partition_key)},"position":${row.pos}`,
    `"positions":{${positions.join(',')}},"epochs":{${epochs.join(',')}},"occurredAt":"${row.occurred_at}"`,
    `"actorId":${row.actor_id === null ? 'null' : `"${row.actor_id}"`},"data":${row.data}}`,
  ];
  return {
    key: row.partition_key,
    value: text.join(','),
    ...(row.traceparent !== null && { headers: { traceparent: row.traceparent } }),
  };
}

/** Causes as the log keeps them. Those of before there were epochs are bare positions. */
function placesIn(causes: string): LogPositions {
  if (causes.trim() === '{}') return {};
  const told = Object.entries(JSON.parse(causes) as Record<string, number | LogPosition>);
  return Object.fromEntries(told.map(([name, at]) => [name, typeof at === 'number' ? { epoch: 0, position: at } : at]));
}

/** A row with the message it becomes. */
export type Outgoing = { readonly row: OutboxRow; readonly message: OutgoingMessage };

// A record's own header: lengths, timestamp and offset as variable-length numbers.
const recordBytes = 40;

/** Bytes of a message on its way to the broker: key, value, headers, and what Kafka writes around them at most. */
export function bytesOf({ key, value, headers = {} }: OutgoingMessage): number {
  const texts = [key, value ?? '', ...Object.entries(headers).flat()];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), recordBytes + 10 * Object.keys(headers).length);
}

/** The longest run of leading messages of at most `maxBytes`, but never none. */
export function upToBytes(waiting: readonly Outgoing[], maxBytes: number): readonly Outgoing[] {
  let bytes = 0;
  const end = waiting.findIndex(({ message }) => (bytes += bytesOf(message)) > maxBytes);
  return end === -1 ? waiting : waiting.slice(0, Math.max(end, 1));
}
