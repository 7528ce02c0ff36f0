import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type ServiceName, topics } from '@caravan/contracts/events/topics';
import { createPatientPool } from '@caravan/event-store/postgres/connections';
import type { PublicHistory } from '@caravan/event-store/rebuild/public-history';
import { z } from 'zod';
import type { Kafka, OutgoingMessage } from '../kafka/kafka-port.ts';
import { completionOf, republish } from '../relay/republish.ts';
import { untilTopicSettles } from '../kafka/retry.ts';

type Restored = {
  readonly service: ServiceName;
  readonly databaseUrl: string;
  readonly history: readonly PublicHistory[];
  readonly kafka: Pick<Kafka, 'send' | 'ensureTopics' | 'deleteTopics'>;
  /** Messages that a backup kept, a line each; absent: all that the log tells is told again. */
  readonly keptFile?: string | undefined;
  readonly mostPartitions?: number | undefined;
};

type Pool = ReturnType<typeof createPatientPool>;

const linesPerSend = 500;

/** A message on its way when a backup was made: not every reader had applied it. */
export const keptMessageSchema = z.object({
  topic: z.string(),
  key: z.string(),
  value: z.string(),
  headers: z.record(z.string(), z.string()),
});
export type KeptMessage = z.infer<typeof keptMessageSchema>;

/**
 * After its database was restored, before any service runs: the topic begins anew with what was on its way at that
 * moment, and the log's next facts are news, although they use positions again (ADR 0067). Can be repeated.
 */
export async function afterRestore(restored: Restored): Promise<{ epoch: number; messages: number }> {
  const { service, databaseUrl, kafka, keptFile } = restored;
  const topic = topics[service];
  const pool = createPatientPool(databaseUrl, { max: 1 });
  try {
    await requireStopped(pool, service);
    await requirePartitions(pool, restored);
    await kafka.deleteTopics([topic.name]);
    await untilTopicSettles(() => kafka.ensureTopics([topic]));
    // Where the groups of this service stood on topics that are gone; what they have received there still counts.
    await pool.query(
      `insert into msg.progress (consumer_group, topic, partition_id, nth, next_offset)
       select consumer_group, topic, partition_id, max(nth) + 1, 0 from msg.progress group by 1, 2, 3`,
    );
    const messages = keptFile === undefined ? await tellAgain(pool, restored) : await sendKept(restored, keptFile);
    const { rows } = await pool.query<{ epoch: number }>('select es.begin_epoch() as epoch');
    return { epoch: rows[0]?.epoch ?? 0, messages };
  } finally {
    await pool.end();
  }
}

/** A service that runs would publish into a topic that is being thrown away. */
async function requireStopped(pool: Pool, service: ServiceName): Promise<void> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and usename <> current_user and backend_type = 'client backend'`,
  );
  if ((rows[0]?.count ?? 0) > 0) throw new Error(`${service} is running: stop it first`);
}

/** What a partition has received is known by its number. */
async function requirePartitions(pool: Pool, { mostPartitions = Infinity }: Restored): Promise<void> {
  const { rows } = await pool.query<{ topic: string; partitions: number }>(
    'select topic, max(partition_id) + 1 as partitions from msg.offsets group by 1',
  );
  for (const { topic, partitions } of rows) {
    const spec = Object.values(topics).find(({ name }) => name === topic);
    const made = Math.min(spec?.partitions ?? partitions, mostPartitions);
    if (spec && made !== partitions)
      throw new Error(
        `${topic} had ${partitions} partitions and would have ${made}: set TOPIC_PARTITIONS_MAX as it was`,
      );
  }
}

async function tellAgain(pool: Pool, restored: Restored): Promise<number> {
  const topic = topics[restored.service].name;
  const forget = () => pool.query('delete from es.replays where topic = $1', [topic]);
  await forget();
  const { messages } = await republish({ ...restored, topic });
  await forget();
  await restored.kafka.deleteTopics([completionOf(topic)]);
  return messages;
}

async function sendKept({ service, kafka }: Restored, file: string): Promise<number> {
  const topic = topics[service].name;
  let waiting: OutgoingMessage[] = [];
  let sent: number = 0;
  const flush = async () => {
    const some = waiting;
    waiting = [];
    if (some.length > 0) await untilTopicSettles(() => kafka.send(topic, some));
    sent += some.length;
  };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const kept = keptMessageSchema.parse(JSON.parse(line));
    if (kept.topic !== topic) continue;
    waiting.push({ key: kept.key, value: kept.value, headers: kept.headers });
    if (waiting.length >= linesPerSend) await flush();
  }
  await flush();
  return sent;
}
