import type { Log } from '@caravan/service-kit/telemetry/log';

export type MessagingLog = Pick<Log, 'debug' | 'info' | 'warn' | 'error'>;

export type OutgoingMessage = {
  readonly key: string;
  readonly value: string | Buffer | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The broker takes no message of this size; sending it again will not help. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

export type IncomingMessage = {
  readonly offset: number;
  readonly key: string;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
};

export type IncomingBatch = {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly IncomingMessage[];
  isRunning(): boolean;
  /** True when a seek has made these messages obsolete. */
  isStale(): boolean;
  /** Throws when the group is rebalancing; let it pass through. */
  heartbeat(): Promise<void>;
  /** Resolves once the coordinator accepts this consumer as a member, asked from now on. Throws like `heartbeat`. */
  confirmMembership(): Promise<void>;
  resolve(offset: number): void;
  pause(): () => void;
  /** Tells the broker where the group stands: for operators, the database decides. */
  hint(nextOffset: number): Promise<void>;
};

export type TopicPartition = { readonly topic: string; readonly partition: number };

export type Seek = (partition: TopicPartition, offset: number) => void;

export type ConsumerEvents = {
  onAssigned(memberId: string, partitions: readonly TopicPartition[], seek: Seek): void;
  onBatch(batch: IncomingBatch): Promise<void>;
  /** After each heartbeat, and each join, that the coordinator has accepted. */
  onHeartbeat?(): void;
};

export type ConsumeOptions = {
  /** False: what comes within half a second is fetched at once. */
  readonly isPrompt?: boolean;
};

export type RunningConsumer = {
  /** Resolves after `stop`; rejects when the consumer gave up by itself. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  /** For a consumer that does nothing any more: nothing is waited for, and it holds no partition by a heartbeat. */
  abandon(): void;
};

export type TopicSpec = { readonly name: string; readonly partitions: number };
export type EndOffset = TopicPartition & { readonly end: number };
/** Messages below `start` have expired. */
export type PartitionExtent = EndOffset & { readonly start: number };
export type GroupDescription = { readonly group: string; readonly state: string; readonly members: number };

export type KafkaSettings = {
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly prefix?: string;
  /** A topic that is created gets no more of them; one that is there keeps its own. */
  readonly mostPartitions?: number | undefined;
  readonly sessionTimeoutMs?: number;
  readonly heartbeatMs?: number;
  readonly maxWaitMs?: number;
};

export type Kafka = {
  readonly sessionTimeoutMs: number;
  /** Acks from all in-sync replicas, idempotent. Throws unless all are confirmed, `TooLarge` for their size. */
  send(topic: string, messages: readonly OutgoingMessage[]): Promise<void>;
  consume(
    group: string,
    topics: readonly string[],
    events: ConsumerEvents,
    options?: ConsumeOptions,
  ): Promise<RunningConsumer>;
  ensureTopics(specs: readonly TopicSpec[]): Promise<void>;
  endOffsets(topics: readonly string[]): Promise<PartitionExtent[]>;
  /** As the coordinator of each group knows it: state `Dead` for a group that it does not know. */
  describeGroups(groups: readonly string[]): Promise<GroupDescription[]>;
  deleteTopics(topics: readonly string[]): Promise<void>;
  close(): Promise<void>;
};
