import type { LogPositions } from '@caravan/contracts/events/log-position';
import type { ServiceName } from '@caravan/contracts/events/topics';
import type { Tx } from '@caravan/event-store/core/event-store';
import { type OutgoingMessage, TooLarge } from '../kafka/kafka-port.ts';
import type { OutboxCursor } from './outbox-shards.ts';
import { formatWatermark, type Watermark, watermarkHeader } from '../kafka/watermark.ts';

/** A public message that waits for Kafka. JSON columns stay text: nobody here reads them. */
export type OutboxRow = {
  readonly shard: number;
  readonly pos: number;
  readonly epoch: number;
  readonly partitionKey: string;
  readonly eventId: string;
  readonly orgId: string;
  readonly type: string;
  readonly version: number;
  readonly data: string;
  readonly causes: string;
  readonly actorId: string | null;
  readonly occurredAt: string;
  readonly traceparent: string | null;
  readonly isBehindRefused: boolean;
  readonly seen: string;
};

// Rows since a cursor: above it by the primary key, unseen ones below it by the index of who wrote them
// (`pos + 0` leaves no other). `offset 0` keeps the planner from joining a shard.
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
    exists (select from es.refused r where r.partition_key = o.partition_key and r.pos < o.pos) as is_behind_refused,
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

export async function readOutbox(tx: Tx, cursors: readonly OutboxCursor[], rowsPerShard: number): Promise<OutboxRow[]> {
  const { rows } = await tx.query<OutboxRow>(readSql, [...valuesOf(cursors), rowsPerShard]);
  return rows;
}

/** Rows with shards $1 and positions $2, each looked up: a join could begin with all that cannot go yet. */
const isNamedRow = `ctid = any(array(
  select found.ctid from unnest($1::smallint[], $2::bigint[]) as named(shard, pos), lateral (
    select ctid from es.outbox where shard = named.shard and pos = named.pos offset 0
  ) found))`;

export async function deleteFromOutbox(tx: Tx, rows: readonly Pick<OutboxRow, 'shard' | 'pos'>[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(`delete from es.outbox where ${isNamedRow}`, [
    rows.map(({ shard }) => shard),
    rows.map(({ pos }) => pos),
  ]);
}

export async function outboxBacklog(
  tx: Tx,
  cursors: readonly OutboxCursor[],
): Promise<{ rows: number; oldestAgeSeconds: number }> {
  const { rows } = await tx.query<{ count: number; age: string | null }>(backlogSql, valuesOf(cursors));
  return { rows: rows[0]?.count ?? 0, oldestAgeSeconds: Math.max(Number(rows[0]?.age ?? 0), 0) };
}

export type Outbound = Omit<OutboxRow, 'shard' | 'isBehindRefused' | 'seen'>;

export function messageOf(row: Outbound, service: ServiceName, watermark?: Watermark): OutgoingMessage {
  const positionsByService = { ...positionsIn(row.causes), [service]: { epoch: row.epoch, position: row.pos } };
  const positions = Object.entries(positionsByService).map(([name, { position }]) => `"${name}":${position}`);
  const epochs = Object.entries(positionsByService).map(([name, { epoch }]) => `"${name}":${epoch}`);
  const text = [
    `{"id":"${row.eventId}","type":${JSON.stringify(row.type)},"version":${row.version},"orgId":"${row.orgId}"`,
    `"key":${JSON.stringify(row.partitionKey)},"position":${row.pos}`,
    `"positions":{${positions.join(',')}},"epochs":{${epochs.join(',')}},"occurredAt":"${row.occurredAt}"`,
    `"actorId":${row.actorId === null ? 'null' : `"${row.actorId}"`},"data":${row.data}}`,
  ];
  const headers = {
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
    ...(watermark && { [watermarkHeader]: formatWatermark(watermark) }),
  };
  return { key: row.partitionKey, value: text.join(','), ...(Object.keys(headers).length > 0 && { headers }) };
}

const positionsIn = (causes: string): LogPositions =>
  causes.trim() === '{}' ? {} : (JSON.parse(causes) as LogPositions);

export type Outgoing = { readonly row: OutboxRow; readonly message: OutgoingMessage };

const recordBytes = 40;

export function bytesOf({ key, value, headers = {} }: OutgoingMessage): number {
  const texts = [key, value ?? '', ...Object.entries(headers).flat()];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), recordBytes + 10 * Object.keys(headers).length);
}

export function upToBytes(waiting: readonly Outgoing[], maxBytes: number): readonly Outgoing[] {
  let bytes = 0;
  const end = waiting.findIndex(({ message }) => (bytes += bytesOf(message)) > maxBytes);
  return end === -1 ? waiting : waiting.slice(0, Math.max(end, 1));
}

const columns = `pos, shard, partition_key, event_id, org_id, type, version, data, causes, actor_id, occurred_at,
  traceparent`;

type Sending = { readonly sent: readonly Outgoing[]; readonly refused: readonly Outgoing[] };

/** Sends in order, by halves where all is too large. What is too large alone is refused and stops its key. */
export async function sendWhatFits(
  all: readonly Outgoing[],
  send: (some: readonly Outgoing[]) => Promise<void>,
): Promise<Sending> {
  if (all.length === 0) return { sent: [], refused: [] };
  try {
    await send(all);
    return { sent: all, refused: [] };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    if (all.length === 1) return { sent: [], refused: all };
  }
  const middle = Math.ceil(all.length / 2);
  const first = await sendWhatFits(all.slice(0, middle), send);
  const stopped = new Set(first.refused.map(({ message }) => message.key));
  const rest = all.slice(middle).filter(({ message }) => !stopped.has(message.key));
  const second = await sendWhatFits(rest, send);
  return { sent: [...first.sent, ...second.sent], refused: [...first.refused, ...second.refused] };
}

export async function moveToRefused(tx: Tx, refused: readonly Outgoing[]): Promise<void> {
  if (refused.length === 0) return;
  await tx.query(
    `with refused as (select * from unnest($1::smallint[], $2::bigint[], $3::int[]) as r(shard, pos, bytes)),
     gone as (delete from es.outbox where ${isNamedRow} returning *)
     insert into es.refused (${columns}, bytes) select ${columns}, bytes from gone join refused using (shard, pos)`,
    [
      refused.map(({ row }) => row.shard),
      refused.map(({ row }) => row.pos),
      refused.map(({ message }) => bytesOf(message)),
    ],
  );
}

/** Lets messages wait behind the refused one of their key, unless that has been sent back meanwhile. */
export async function moveBehindRefused(tx: Tx, rows: readonly Pick<OutboxRow, 'shard' | 'pos'>[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `with gone as (
       delete from es.outbox o where ${isNamedRow}
         and exists (select from es.refused r where r.partition_key = o.partition_key and r.pos < o.pos)
       returning *)
     insert into es.refused (${columns}) select ${columns} from gone`,
    [rows.map(({ shard }) => shard), rows.map(({ pos }) => pos)],
  );
}

export async function requeueRefused(tx: Tx): Promise<number> {
  // Nothing may be put behind what leaves meanwhile.
  await tx.query('lock table es.refused in share row exclusive mode');
  const { rowCount } = await tx.query(
    `with back as (delete from es.refused returning *)
     insert into es.outbox (${columns}) select ${columns} from back`,
  );
  return rowCount ?? 0;
}

export async function refusedMessages(tx: Tx): Promise<{ keys: number; messages: number; largestBytes: number }> {
  const { rows } = await tx.query<{ keys: number; messages: number; largestBytes: number }>(
    `select count(distinct partition_key)::int as keys, count(*)::int as messages,
       coalesce(max(bytes), 0) as largest_bytes from es.refused`,
  );
  return rows[0] ?? { keys: 0, messages: 0, largestBytes: 0 };
}
