import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Consumer,
  type EachBatchPayload,
  Kafka as Client,
  type KafkaMessage,
  logLevel,
  Partitioners,
  type Producer,
} from 'kafkajs';
import {
  type ConsumeOptions,
  type ConsumerEvents,
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
import { describeGroups, endOffsets } from './kafka-state.ts';
import { deleteTopics, ensureTopics } from './kafka-topics.ts';
import { correctKafkajs } from './kafkajs-corrections.ts';

const partitioner = Partitioners.DefaultPartitioner();

/** Where a topic of so many partitions has the messages of a key. */
export function partitionOf(key: string, partitions: number): number {
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
    partitionErrorCode: 0,
    partitionId,
    leader: 0,
    replicas: [],
    isr: [],
  }));
  return partitioner({ topic: '', partitionMetadata, message: { key, value: null } });
}

correctKafkajs();

// A process that was killed holds its partitions until its session ends; brokers allow no less by default.
const sessionTimeoutOf = ({ sessionTimeoutMs = 6_000 }: KafkaSettings): number => sessionTimeoutMs;

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
  const { mostPartitions = Infinity } = settings;
  const limitPartitions = ({ name, partitions }: TopicSpec): TopicSpec => ({
    name,
    partitions: Math.min(partitions, mostPartitions),
  });
  return {
    sessionTimeoutMs: sessionTimeoutOf(settings),
    send: (topic, messages) => producer.send(prefix + topic, messages),
    consume: (group, topics, events, options = {}) =>
      consume({ client, settings, prefix }, { group, topics, events, ...options }),
    ensureTopics: (specs) => withAdmin(client, (admin) => ensureTopics(admin, prefix, specs.map(limitPartitions))),
    endOffsets: (topics) => withAdmin(client, (admin) => endOffsets(admin, prefix, topics)),
    describeGroups: (groups) => withAdmin(client, (admin) => describeGroups(admin, prefix, groups)),
    deleteTopics: (topics) => withAdmin(client, (admin) => deleteTopics(admin, prefix, topics)),
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

const mostAtOnce = 128;
/** What a consumer that is not prompt is woken for before its wait is over. */
const muchBytes = 256 * 1024;

type Subscriber = { readonly client: Client; readonly settings: KafkaSettings; readonly prefix: string };

type Consumption = ConsumeOptions & {
  readonly group: string;
  readonly topics: readonly string[];
  readonly events: ConsumerEvents;
};

async function consume(
  { client, settings, prefix }: Subscriber,
  { group, topics, events, isPrompt = true }: Consumption,
): Promise<RunningConsumer> {
  const consumer = client.consumer({
    groupId: prefix + group,
    sessionTimeout: sessionTimeoutOf(settings),
    // After a broker's restart a group waits so long for members that came back under another name.
    rebalanceTimeout: sessionTimeoutOf(settings),
    heartbeatInterval: settings.heartbeatMs ?? 1_000,
    minBytes: isPrompt ? 1 : muchBytes,
    maxWaitTimeInMs: settings.maxWaitMs ?? 500,
    allowAutoTopicCreation: false,
    retry: { ...retry, restartOnFailure: () => Promise.resolve(false) },
  });
  const ended = endOf(consumer);
  const heartbeat = new Heartbeat();
  follow({ consumer, prefix, events, heartbeat });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: topics.map((topic) => prefix + topic), fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: mostAtOnce,
      eachBatch: (payload) => events.onBatch(incoming(payload, prefix, heartbeat)),
    });
  } catch (error) {
    await consumer.disconnect().catch(() => undefined);
    throw error;
  }
  const abandon = () => {
    heartbeat.stop();
    consumer.disconnect().catch(() => undefined);
  };
  return { ended, stop: () => consumer.disconnect(), abandon };
}

type Following = {
  readonly consumer: Consumer;
  readonly prefix: string;
  readonly events: ConsumerEvents;
  readonly heartbeat: Heartbeat;
};

function follow({ consumer, prefix, events, heartbeat }: Following): void {
  const seek: Seek = ({ topic, partition }, offset) =>
    consumer.seek({ topic: prefix + topic, partition, offset: String(offset) });
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const assigned = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
      partitions.map((partition) => ({ topic: topic.slice(prefix.length), partition })),
    );
    heartbeat.recordConfirmation();
    events.onAssigned(payload.memberId, assigned, seek);
    events.onHeartbeat?.();
  });
  consumer.on(consumer.events.HEARTBEAT, () => {
    heartbeat.recordConfirmation();
    events.onHeartbeat?.();
  });
}

const confirmEveryMs = 25;

/** When the coordinator last accepted this consumer as a member of the group. */
class Heartbeat {
  private confirmations = 0;
  private isStopped = false;

  recordConfirmation(): void {
    this.confirmations += 1;
  }

  stop(): void {
    this.isStopped = true;
  }

  async send({ heartbeat }: Pick<EachBatchPayload, 'heartbeat'>): Promise<void> {
    if (this.isStopped) throw new Error('This consumer was given up');
    await heartbeat();
  }

  /** The client sends a heartbeat only when one is due, so an answer from now on is waited for. */
  async confirm(payload: Pick<EachBatchPayload, 'heartbeat' | 'isRunning'>): Promise<void> {
    const before = this.confirmations;
    while (payload.isRunning()) {
      await this.send(payload);
      if (this.confirmations > before) return;
      await sleep(confirmEveryMs);
    }
  }
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

function incoming(payload: EachBatchPayload, prefix: string, heartbeat: Heartbeat): IncomingBatch {
  const { batch } = payload;
  return {
    topic: batch.topic.slice(prefix.length),
    partition: batch.partition,
    messages: batch.messages.map(message),
    isRunning: () => payload.isRunning(),
    isStale: () => payload.isStale(),
    heartbeat: () => heartbeat.send(payload),
    confirmMembership: () => heartbeat.confirm(payload),
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

type Admin = ReturnType<Client['admin']>;

async function withAdmin<Result>(client: Client, work: (admin: Admin) => Promise<Result>) {
  const admin = client.admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
