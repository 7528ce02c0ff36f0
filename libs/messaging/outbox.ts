import type { ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import type { OutgoingMessage } from './kafka-port.ts';

/** A public message that waits for Kafka. JSON columns stay text: nobody here reads them. */
export type OutboxRow = {
  readonly shard: number;
  readonly pos: number;
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
};

/** The oldest rows of these shards, in order of position within each shard. */
export async function readOutbox(tx: Tx, shards: readonly number[], rowsPerShard: number): Promise<OutboxRow[]> {
  const { rows } = await tx.query<OutboxRow>(
    `select o.* from unnest($1::smallint[]) as held(shard), lateral (
       select shard, pos, partition_key, event_id, org_id, type, version, data::text, causes::text, actor_id,
         to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at, traceparent
       from es.outbox where shard = held.shard order by pos limit $2
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
  const own = `"${service}":${row.pos}`;
  const causes = row.causes.trim().slice(1, -1).trim();
  const text = [
    `{"id":"${row.event_id}","type":${JSON.stringify(row.type)},"version":${row.version},"orgId":"${row.org_id}"`,
    `"key":${JSON.stringify(row.partition_key)},"position":${row.pos}`,
    // Its own position comes last, so that it wins over one of the same service among the causes.
    `"positions":{${causes === '' ? own : `${causes},${own}`}},"occurredAt":"${row.occurred_at}"`,
    `"actorId":${row.actor_id === null ? 'null' : `"${row.actor_id}"`},"data":${row.data}}`,
  ];
  return {
    key: row.partition_key,
    value: text.join(','),
    ...(row.traceparent !== null && { headers: { traceparent: row.traceparent } }),
  };
}

/** The longest run of leading rows of at most `maxBytes` of data, but never none. */
export function upToBytes(rows: readonly OutboxRow[], maxBytes: number): readonly OutboxRow[] {
  let bytes = 0;
  const end = rows.findIndex((row) => (bytes += row.data.length + 500) > maxBytes);
  return end === -1 ? rows : rows.slice(0, Math.max(end, 1));
}
