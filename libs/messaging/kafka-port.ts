import type { Log } from '@caravan/service-kit/log';

// What this product asks of Kafka, whoever speaks it: kafka.ts does, and nobody else needs to know how.

export type MessagingLog = Pick<Log, 'debug' | 'info' | 'warn' | 'error'>;

/** A message on its way out; `key` decides its partition. */
export type OutgoingMessage = {
  readonly key: string;
  readonly value: string | Buffer | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The broker takes no message, or no batch, of this size; sending it again will not help. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

export type IncomingMessage = {
  readonly offset: number;
  /** Empty when the message has none. */
  readonly key: string;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
};

/** The messages that one fetch brought for one partition. */
export type IncomingBatch = {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly IncomingMessage[];
  /** False once the consumer stops: leave the rest. */
  isRunning(): boolean;
  /** True when a seek has made these messages obsolete. */
  isStale(): boolean;
  /** Throws when the group is rebalancing; let it pass through. */
  heartbeat(): Promise<void>;
  /** The next fetch starts after this offset. */
  resolve(offset: number): void;
  /** Fetches nothing of this partition until the returned function runs. */
  pause(): () => void;
  /** Tells the broker where the group stands; a hint for operators, never the truth. */
  hint(nextOffset: number): Promise<void>;
};

export type TopicPartition = { readonly topic: string; readonly partition: number };

/** Fetches of a partition go on from this offset; what was fetched before it becomes stale. */
export type Seek = (partition: TopicPartition, offset: number) => void;

export type ConsumerEvents = {
  onAssigned(memberId: string, partitions: readonly TopicPartition[], seek: Seek): void;
  onBatch(batch: IncomingBatch): Promise<void>;
};

export type RunningConsumer = {
  /** Resolves after `stop`; rejects with the reason when the consumer gave up by itself. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

export type TopicSpec = { readonly name: string; readonly partitions: number };
export type EndOffset = TopicPartition & { readonly end: number };

export type KafkaSettings = {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Put before every topic and group; nobody outside this file sees it. */
  readonly prefix?: string;
  readonly sessionTimeoutMs?: number;
  readonly heartbeatMs?: number;
  /** How long an idle fetch waits at the broker; messages are never delayed by it. */
  readonly maxWaitMs?: number;
};

/** The part of Kafka that this product uses. */
export type Kafka = {
  /** Sends with acks from all in-sync replicas, idempotently; throws when the broker did not confirm every message, `TooLarge` for their size. */
  send(topic: string, messages: readonly OutgoingMessage[]): Promise<void>;
  consume(group: string, topics: readonly string[], events: ConsumerEvents): Promise<RunningConsumer>;
  /** Creates what is missing: retention 14 days, three replicas where there are three brokers. */
  ensureTopics(specs: readonly TopicSpec[]): Promise<void>;
  endOffsets(topics: readonly string[]): Promise<EndOffset[]>;
  deleteTopics(topics: readonly string[]): Promise<void>;
  close(): Promise<void>;
};
