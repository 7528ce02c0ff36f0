import type { Tx } from '@caravan/event-store/core/event-store';
import type { OpenTransaction } from '@caravan/event-store/postgres/open-transaction';
import type { ParkedMessage } from './batch.ts';
import type { Kafka, OutgoingMessage } from '../kafka/kafka-port.ts';

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
  parkedId: number;
  topic: string;
  partitionId: number;
  messageOffset: number;
  key: string;
  type: string | null;
  position: number | null;
  errorCode: string;
};

/** Tells the group's dead-letter topic of up to 100 parked messages; answers how many. */
export async function mirrorParked(tx: Tx, kafka: Pick<Kafka, 'send'>, group: string): Promise<number> {
  const { rows } = await tx.query<MirrorRow>(
    `select parked_id, topic, partition_id, message_offset, key, type, position, error_code
     from msg.parked where mirrored_at is null and consumer_group = $1 order by parked_id limit 100`,
    [group],
  );
  if (rows.length === 0) return 0;
  await kafka.send(dlqOf(group), rows.map(mirrorOf));
  const ids = rows.map(({ parkedId }) => parkedId);
  await tx.query('update msg.parked set mirrored_at = now() where parked_id = any($1::bigint[])', [ids]);
  return rows.length;
}

/** Nothing of what the message says, nor a reason that could quote it: a topic forgets nobody before its time. */
function mirrorOf({ key, type, position, ...row }: MirrorRow): OutgoingMessage {
  const from = `${row.topic}/${row.partitionId}/${row.messageOffset}`;
  const value = JSON.stringify({ parkedId: row.parkedId, from, type, position, code: row.errorCode });
  return { key, value, headers: { 'parked-from': from, 'parked-code': row.errorCode } };
}
