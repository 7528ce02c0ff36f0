import type { Tx } from '../core/event-store.ts';
import type { StoredEvent } from '../core/stream.ts';

const columns = `event_id, version, pos as position, type, schema_version, data,
    actor_id, recorded_at`;

export const streamQuery = `
  select ${columns}
  from es.events where org_id = $1 and stream_id = $2 order by version`;

// A sorted look-up for each stream: as a join it could become a read of the whole log.
const streamsQuery = `
  select k.nth::int as nth, e.* from unnest($1::uuid[], $2::text[]) with ordinality as k (org, stream, nth)
  cross join lateral (
    select ${columns} from es.events where org_id = k.org and stream_id = k.stream order by version) e
  order by k.nth, e.version`;

type Where = { readonly orgId: string; readonly streamId: string };

export async function readStream(tx: Tx, { orgId, streamId }: Where): Promise<readonly StoredEvent[]> {
  const { rows } = await tx.query<StoredEvent>(streamQuery, [orgId, streamId]);
  return rows;
}

/** Streams that are asked for in the same moment, by one statement. */
export async function readTogether(tx: Tx, streams: readonly Where[]): Promise<(readonly StoredEvent[])[]> {
  const [one, another] = streams;
  if (one && !another) return [await readStream(tx, one)];
  const { rows } = await tx.query<StoredEvent & { nth: number }>(streamsQuery, [
    streams.map(({ orgId }) => orgId),
    streams.map(({ streamId }) => streamId),
  ]);
  const found = Map.groupBy(rows, ({ nth }) => nth);
  return streams.map((_, index) => (found.get(index + 1) ?? []).map(({ nth: __, ...event }) => event));
}
