import type { Tx } from '@caravan/event-store/event-store';
import { TooLarge } from './kafka-port.ts';
import { areAmong, bytesOf, type Outgoing, type OutboxRow } from './outbox.ts';

const columns = `pos, shard, partition_key, event_id, org_id, type, version, data, causes, actor_id, occurred_at,
  traceparent`;

/** What became of messages that were to be sent. */
export type Sending = { readonly sent: readonly Outgoing[]; readonly refused: readonly Outgoing[] };

/**
 * Sends messages in order. Of those that are too large together each half is sent for itself; what is too large alone is
 * refused, and the messages of its key behind it are left where they are.
 */
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

/** Takes refused messages out of the outbox, where they would be tried for ever. */
export async function putAside(tx: Tx, refused: readonly Outgoing[]): Promise<void> {
  if (refused.length === 0) return;
  await tx.query(
    `with refused as (select * from unnest($1::smallint[], $2::bigint[], $3::int[]) as r(shard, pos, bytes)),
     gone as (delete from es.outbox where ${areAmong} returning *)
     insert into es.refused (${columns}, bytes) select ${columns}, bytes from gone join refused using (shard, pos)`,
    [
      refused.map(({ row }) => row.shard),
      refused.map(({ row }) => row.pos),
      refused.map(({ message }) => bytesOf(message)),
    ],
  );
}

/** Lets messages wait behind the refused one of their key, unless that has been sent back meanwhile. */
export async function putBehind(tx: Tx, rows: readonly Pick<OutboxRow, 'shard' | 'pos'>[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `with gone as (
       delete from es.outbox o where ${areAmong}
         and exists (select from es.refused r where r.partition_key = o.partition_key)
       returning *)
     insert into es.refused (${columns}) select ${columns} from gone`,
    [rows.map(({ shard }) => shard), rows.map(({ pos }) => pos)],
  );
}

/** Sends everything that was refused back to the outbox, for the relay to try again; answers how much it was. */
export async function sendBack(tx: Tx): Promise<number> {
  // Nothing may be put behind what leaves meanwhile.
  await tx.query('lock table es.refused in share row exclusive mode');
  const { rowCount } = await tx.query(
    `with back as (delete from es.refused returning *)
     insert into es.outbox (${columns}) select ${columns} from back`,
  );
  return rowCount ?? 0;
}

/** What Kafka refused, and how much waits behind it. */
export async function refusedMessages(tx: Tx): Promise<{ keys: number; messages: number; largestBytes: number }> {
  const { rows } = await tx.query<{ keys: number; messages: number; largestBytes: number }>(
    `select count(distinct partition_key)::int as keys, count(*)::int as messages,
       coalesce(max(bytes), 0) as "largestBytes" from es.refused`,
  );
  return rows[0] ?? { keys: 0, messages: 0, largestBytes: 0 };
}
