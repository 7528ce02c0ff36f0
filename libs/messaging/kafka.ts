// @ts-expect-error -- an inner file of the client, which has no types
import InnerRequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Admin,
  type Consumer,
  type EachBatchPayload,
  Kafka as Client,
  type KafkaMessage,
  logLevel,
  Partitioners,
  type Producer,
} from 'kafkajs';
import {
  type ConsumerEvents,
  type EndOffset,
  type IncomingBatch,
  type IncomingMessage,
  type Kafka,
  type KafkaSettings,
  type MessagingLog,
  type OutgoingMessage,
  type RunningConsumer,
  type Seek,
  TooLarge,
  type TopicSpec,
} from './kafka-port.ts';
import { untilTopicIsKnown } from './retry.ts';

type RequestQueue = { pending: readonly unknown[]; scheduleCheckPendingRequests(): void };

// With nothing pending the client would look again every millisecond, for ever, on every connection.
const queue = (InnerRequestQueue as { prototype: RequestQueue }).prototype;
const scheduleCheck = Object.getOwnPropertyDescriptor(queue, 'scheduleCheckPendingRequests')?.value as () => void;
queue.scheduleCheckPendingRequests = function (this: RequestQueue) {
  if (this.pending.length > 0) scheduleCheck.call(this);
};

const retry = { initialRetryTime: 100, retries: 4, maxRetryTime: 2_000 };

/** The one port to Kafka. Connects when first used; nothing here ends the process. */
export function createKafka(settings: KafkaSettings, log: MessagingLog): Kafka {
  const prefix = settings.prefix ?? '';
  const client = new Client({
    clientId: settings.clientId,
    brokers: [...settings.brokers],
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    retry,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => {
      const { message, timestamp: _timestamp, stack: _stack, ...details } = entry.log;
      if (entry.level === logLevel.ERROR) log.warn({ kafka: details }, message);
      else log.debug({ kafka: details }, message);
    },
  });
  const producer = createSender(client);
  return {
    send: (topic, messages) => producer.send(prefix + topic, messages),
    consume: (group, topics, events) => consume({ client, settings, prefix }, group, topics, events),
    ensureTopics: (specs) => ensureTopics(client, prefix, specs),
    endOffsets: (topics) => endOffsets(client, prefix, topics),
    deleteTopics: (topics) => deleteTopics(client, prefix, topics),
    close: () => producer.close(),
  };
}

function createSender(client: Client) {
  let connected: Promise<Producer> | undefined;
  const connect = async () => {
    const producer = client.producer({
      idempotent: true,
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
      retry,
    });
    await producer.connect();
    return producer;
  };
  const drop = async () => {
    const dropped = connected;
    connected = undefined;
    await (await dropped)?.disconnect();
  };
  return {
    async send(topic: string, messages: readonly OutgoingMessage[]): Promise<void> {
      try {
        const producer = await (connected ??= connect());
        await producer.send({
          topic,
          acks: -1,
          messages: messages.map(({ key, value, headers }) => ({ key, value, ...(headers && { headers }) })),
        });
      } catch (error) {
        // Its sequence numbers may be behind the broker's; consumers drop what a fresh producer repeats.
        drop().catch(() => undefined);
        throw isTooLarge(error) ? new TooLarge('Kafka refuses a message of this size', { cause: error }) : error;
      }
    },
    close: () => drop().catch(() => undefined),
  };
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && /^(MESSAGE|RECORD_LIST)_TOO_LARGE$/.test(String(error.type));

const mostPartitions = 128;

type Subscriber = { readonly client: Client; readonly settings: KafkaSettings; readonly prefix: string };

async function consume(
  { client, settings, prefix }: Subscriber,
  group: string,
  topics: readonly string[],
  events: ConsumerEvents,
): Promise<RunningConsumer> {
  const consumer = client.consumer({
    groupId: prefix + group,
    // A process that was killed holds its partitions until its session ends; brokers allow no less by default.
    sessionTimeout: settings.sessionTimeoutMs ?? 6_000,
    // After a broker's restart a group waits so long for members that came back under another name.
    rebalanceTimeout: settings.sessionTimeoutMs ?? 6_000,
    heartbeatInterval: settings.heartbeatMs ?? 1_000,
    minBytes: 1,
    maxWaitTimeInMs: settings.maxWaitMs ?? 500,
    allowAutoTopicCreation: false,
    retry: { ...retry, restartOnFailure: () => Promise.resolve(false) },
  });
  const ended = endOf(consumer);
  const seek: Seek = ({ topic, partition }, offset) =>
    consumer.seek({ topic: prefix + topic, partition, offset: String(offset) });
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const assigned = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
      partitions.map((partition) => ({ topic: topic.slice(prefix.length), partition })),
    );
    events.onAssigned(payload.memberId, assigned, seek);
  });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: topics.map((topic) => prefix + topic), fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: mostPartitions,
      eachBatch: (payload) => events.onBatch(incoming(payload, prefix)),
    });
  } catch (error) {
    await consumer.disconnect().catch(() => undefined);
    throw error;
  }
  return { ended, stop: () => consumer.disconnect() };
}

function endOf(consumer: Consumer): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      reject(payload.error);
    });
    consumer.on(consumer.events.DISCONNECT, () => setImmediate(resolve));
  });
  ended.catch(() => undefined);
  return ended;
}

function incoming(payload: EachBatchPayload, prefix: string): IncomingBatch {
  const { batch } = payload;
  return {
    topic: batch.topic.slice(prefix.length),
    partition: batch.partition,
    messages: batch.messages.map(message),
    isRunning: () => payload.isRunning(),
    isStale: () => payload.isStale(),
    heartbeat: () => payload.heartbeat(),
    resolve: (offset) => payload.resolveOffset(String(offset)),
    pause: () => payload.pause(),
    hint: (nextOffset) => {
      const partitions = [{ partition: batch.partition, offset: String(nextOffset) }];
      return payload.commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions }] });
    },
  };
}

function message({ offset, key, value, headers = {} }: KafkaMessage): IncomingMessage {
  const texts = Object.entries(headers).map(
    ([name, text]) => [name, String(Array.isArray(text) ? text[0] : text)] as const,
  );
  return { offset: Number(offset), key: key?.toString() ?? '', value, headers: Object.fromEntries(texts) };
}

const retentionMs = 14 * 24 * 3_600_000;

async function withAdmin<Result>(client: Client, work: (admin: ReturnType<Client['admin']>) => Promise<Result>) {
  const admin = client.admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

function ensureTopics(client: Client, prefix: string, specs: readonly TopicSpec[]): Promise<void> {
  return withAdmin(client, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const missing = new Map(specs.filter(({ name }) => !existing.has(prefix + name)).map((spec) => [spec.name, spec]));
    if (missing.size > 0) await createTopics(admin, prefix, [...missing.values()]);
    await untilLed(admin, [...new Set(specs.map(({ name }) => prefix + name))]);
  });
}

async function createTopics(admin: Admin, prefix: string, specs: readonly TopicSpec[]): Promise<void> {
  const replicas = (await admin.describeCluster()).brokers.length >= 3 ? 3 : 1;
  const settings = { 'retention.ms': String(retentionMs), 'min.insync.replicas': replicas === 3 ? '2' : '1' };
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  const topics = specs.map(({ name, partitions }) => ({
    ...{ topic: prefix + name, numPartitions: partitions },
    ...{ replicationFactor: replicas, configEntries },
  }));
  await admin.createTopics({ waitForLeaders: false, topics });
}

/** The client's own wait gives up on topics that the broker has not heard of, and ignores those others create. */
const untilLed = (admin: Admin, topics: string[]): Promise<void> =>
  untilTopicIsKnown(async () => {
    const known = await admin.fetchTopicMetadata({ topics }).catch(() => undefined);
    const partitions = known?.topics.flatMap((topic) => topic.partitions) ?? [];
    if (partitions.length === 0 || partitions.some(({ leader }) => leader < 0))
      throw new Error(`There is no leader for ${topics.join(', ')}`);
  });

function endOffsets(client: Client, prefix: string, topics: readonly string[]): Promise<EndOffset[]> {
  return withAdmin(client, async (admin) => {
    const found = await Promise.all(topics.map((topic) => offsetsOf(admin, prefix + topic)));
    return found.flatMap((partitions, index) =>
      partitions.map(({ partition, high }) => ({ topic: topics[index] ?? '', partition, end: Number(high) })),
    );
  });
}

const pollMs = 50;
const mostPolls = 600;

function deleteTopics(client: Client, prefix: string, topics: readonly string[]): Promise<void> {
  return withAdmin(client, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const there = topics.map((topic) => prefix + topic).filter((topic) => existing.has(topic));
    if (there.length === 0) return;
    await admin.deleteTopics({ topics: there });
    // Until then a topic can neither be made anew nor written.
    for (let polls = 0; polls < mostPolls; polls += 1) {
      const left = await admin.listTopics();
      if (!there.some((topic) => left.includes(topic))) return;
      await sleep(pollMs);
    }
    throw new Error(`Kafka does not delete ${there.join(', ')}`);
  });
}

const offsetsOf = (admin: Admin, topic: string) => untilTopicIsKnown(() => admin.fetchTopicOffsets(topic));
