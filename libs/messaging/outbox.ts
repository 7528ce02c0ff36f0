import type { LogPosition, LogPositions } from '@caravan/contracts/log-position';
import type { ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import type { OutgoingMessage } from './kafka-port.ts';
import type { OutboxCursor } from './outbox-cursors.ts';

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
  /** The snapshot in which the row was read, a pg_snapshot as text. */
  readonly seen: string;
};

// What has come since a cursor, of one shard: above it by the primary key, and what its snapshot did not see below it by
// the index of who wrote it, which `pos + 0` leaves as the only one. `offset 0` keeps the planner from joining a shard.
const cameSince = (columns: string, limit: string) => `
  (select ${columns} from es.outbox where shard = held.shard and pos > held.after order by pos ${limit})
  union all
  select ${columns} from es.outbox
  where shard::integer = held.shard::integer and xid >= pg_snapshot_xmax(held.seen::pg_snapshot)
    and pos + 0 <= held.after
  union all
  select late.* from pg_snapshot_xip(held.seen::pg_snapshot) as in_progress, lateral (
    select ${columns} from es.outbox
    where shard::integer = held.shard::integer and xid = in_progress and pos + 0 <= held.after offset 0
  ) late`;

const readSql = `
  select o.shard, o.pos, es.epoch_at(o.pos) as epoch, o.partition_key, o.event_id, o.org_id, o.type, o.version,
    o.data::text, o.causes::text, o.actor_id,
    to_char(o.occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at, o.traceparent,
    exists (select from es.refused r where r.partition_key = o.partition_key) as is_behind_refused,
    (select pg_current_snapshot()::text) as seen
  from unnest($1::smallint[], $2::bigint[], $3::text[]) as held(shard, after, seen), lateral (
    select * from (${cameSince('es.outbox.*', 'limit $4')}) as since order by pos limit $4
  ) as o`;

const backlogSql = `
  select count(*) as count, extract(epoch from now() - min(o.occurred_at)) as age
  from unnest($1::smallint[], $2::bigint[], $3::text[]) as held(shard, after, seen), lateral (
    ${cameSince('occurred_at', '')}
  ) as o`;

const valuesOf = (cursors: readonly OutboxCursor[]) => [
  cursors.map(({ shard }) => shard),
  cursors.map(({ after }) => after),
  cursors.map(({ seen }) => seen),
];

/** The oldest rows of these shards that have come since their cursors, in order of position within each shard. */
export async function readOutbox(tx: Tx, cursors: readonly OutboxCursor[], rowsPerShard: number): Promise<OutboxRow[]> {
  const { rows } = await tx.query<OutboxRow>(readSql, [...valuesOf(cursors), rowsPerShard]);
  return rows;
}

/**
 * Condition for rows of the outbox whose shards are $1 and positions $2. Each is looked up: a join could begin with all
 * that is deleted and cannot go yet.
 */
export const areAmong = `ctid = any(array(
  select found.ctid from unnest($1::smallint[], $2::bigint[]) as named(shard, pos), lateral (
    select ctid from es.outbox where shard = named.shard and pos = named.pos offset 0
  ) found))`;

/** Removes delivered rows. */
export async function deleteFromOutbox(tx: Tx, rows: readonly Pick<OutboxRow, 'shard' | 'pos'>[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(`delete from es.outbox where ${areAmong}`, [
    rows.map(({ shard }) => shard),
    rows.map(({ pos }) => pos),
  ]);
}

/** How much waits for Kafka behind these cursors. */
export async function outboxBacklog(
  tx: Tx,
  cursors: readonly OutboxCursor[],
): Promise<{ rows: number; oldestAgeSeconds: number }> {
  const { rows } = await tx.query<{ count: number; age: string | null }>(backlogSql, valuesOf(cursors));
  return { rows: rows[0]?.count ?? 0, oldestAgeSeconds: Math.max(Number(rows[0]?.age ?? 0), 0) };
}

/** What a message is made of. */
export type Outbound = Omit<OutboxRow, 'shard' | 'is_behind_refused' | 'seen'>;

/** The Kafka message of a row: the envelope as JSON, the trace context as a header. */
export function messageOf(row: Outbound, service: ServiceName): OutgoingMessage {
  const positionsByService = { ...positionsIn(row.causes), [service]: { epoch: row.epoch, position: row.pos } };
  const positions = Object.entries(positionsByService).map(([name, { position }]) => `"${name}":${position}`);
  const epochs = Object.entries(positionsByService).map(([name, { epoch }]) => `"${name}":${epoch}`);
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
function positionsIn(causes: string): LogPositions {
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
