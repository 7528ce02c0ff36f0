import type { createPool } from '@caravan/event-store/postgres/connections';
import { BatchWorker, consumerDefaults, type ConsumerSettings } from './batch-worker.ts';
import type { Group } from './consumer.ts';
import { type AppliedListener, Assignment } from './consumer-offsets.ts';
import { GroupWatch, type WatchedPartition } from './group-watch.ts';
import type {
  ConsumerEvents,
  IncomingBatch,
  Kafka,
  MessagingLog,
  RunningConsumer,
  Seek,
  TopicPartition,
  TopicSpec,
} from '../kafka/kafka-port.ts';
import type { MessagingMetrics } from '../kafka/metrics.ts';
import { mirrorParked } from './parked.ts';
import { AsyncEvent, backoffMs } from '../kafka/retry.ts';

export type GroupConsumerOptions = {
  readonly group: Group;
  readonly topics: readonly TopicSpec[];
  readonly kafka: Kafka;
  readonly pool: ReturnType<typeof createPool>;
  readonly log: MessagingLog;
  readonly metrics?: MessagingMetrics | undefined;
  readonly positions?: AppliedListener | undefined;
  readonly settings?: ConsumerSettings | undefined;
};

/** One client of Kafka, from its first connection until it ends or is replaced. */
class ClientRun {
  private running: RunningConsumer | undefined;
  private readonly replacement = Promise.withResolvers<void>();
  isReplaced = false;

  /** Resolves when the client is replaced, however much of it hangs. */
  get replaced(): Promise<void> {
    return this.replacement.promise;
  }

  replace(): void {
    this.isReplaced = true;
    this.running?.abandon();
    this.replacement.resolve();
  }

  async follow(running: RunningConsumer): Promise<void> {
    this.running = running;
    if (this.isReplaced) running.abandon();
    await running.ended;
  }

  async stop(): Promise<void> {
    await this.running?.stop().catch(() => undefined);
  }
}

/** One consumer group in this process; a client that gave up, or was given up, is replaced by a new one. */
export class GroupConsumer {
  readonly watch: GroupWatch;
  private readonly options: GroupConsumerOptions;
  private readonly settings: Required<ConsumerSettings>;
  private worker: BatchWorker;
  private readonly stopping = new AsyncEvent();
  private assignment: Assignment | undefined;
  private last: Assignment | undefined;
  private client: ClientRun | undefined;
  private mirroring: Promise<void> | undefined;
  private failures = 0;
  private ended: Promise<void> | undefined;

  constructor(options: GroupConsumerOptions) {
    this.options = options;
    this.settings = { ...consumerDefaults, ...options.settings };
    this.watch = new GroupWatch(options.kafka.sessionTimeoutMs);
    this.worker = this.createWorker();
  }

  get groupName(): string {
    return this.options.group.name;
  }

  get topicNames(): readonly string[] {
    return this.options.group.topics.map(({ name }) => name);
  }

  /** Where this process is in its partitions; undefined without an assignment. */
  get positions(): readonly WatchedPartition[] | undefined {
    return this.assignment?.positions;
  }

  hasClaimed(place: TopicPartition): boolean {
    return this.assignment?.claimOf(place) !== undefined;
  }

  start(): void {
    this.ended ??= this.supervise();
  }

  async stop(): Promise<void> {
    this.stopping.set();
    await this.client?.stop();
    await this.ended;
    await this.mirroring;
  }

  /**
   * Goes on with a new client and a new worker, and waits for nothing of the old ones. What the old ones still have in
   * hand is fenced off in the database as soon as the new client has claimed its partitions.
   */
  replace(): void {
    this.watch.countReplacement();
    this.leave();
    this.last = undefined;
    this.worker = this.createWorker();
    this.client?.replace();
  }

  /** Ends without waiting for anything of the client. */
  giveUp(): void {
    this.stopping.set();
    this.client?.replace();
  }

  private createWorker(): BatchWorker {
    const { options, settings, watch } = this;
    return new BatchWorker({ ...options, settings, watch, onParked: () => void this.mirror() });
  }

  private async supervise(): Promise<void> {
    const { group, log } = this.options;
    while (!this.stopping.isSet()) {
      const client = new ClientRun();
      this.client = client;
      try {
        await Promise.race([this.consume(client), client.replaced]);
      } catch (error) {
        this.failures += 1;
        log.warn({ err: error, group: group.name, failures: this.failures }, 'consumer: disconnected, trying again');
      }
      this.leave();
      await this.stopping.wait(backoffMs(this.failures, this.settings.maxBackoffMs));
    }
  }

  private async consume(client: ClientRun): Promise<void> {
    const { group, kafka, topics } = this.options;
    await kafka.ensureTopics(topics);
    void this.mirror();
    const { worker } = this;
    const events: ConsumerEvents = {
      onAssigned: (member, partitions, seek) => {
        if (!client.isReplaced) this.assign(member, partitions, seek);
      },
      onHeartbeat: () => {
        if (!client.isReplaced) this.watch.heartbeat();
      },
      // The assignment stays until another one comes: kafkajs does not follow every error of a batch by a join.
      onBatch: async (batch: IncomingBatch) => {
        if (this.assignment && !client.isReplaced) await worker.work(batch, this.assignment);
      },
    };
    const running = await kafka.consume(group.name, this.topicNames, events, { isPrompt: group.isPrompt });
    if (this.stopping.isSet()) await running.stop();
    await client.follow(running);
  }

  private assign(member: string, partitions: readonly TopicPartition[], seek: Seek): void {
    this.leave();
    this.failures = 0;
    const { pool, group, log } = this.options;
    const { last: previous, watch } = this;
    const assignment = new Assignment({
      pool,
      group: group.name,
      member,
      partitions,
      log,
      seek,
      previous,
      onFailure: (error) => {
        for (const partition of partitions) watch.recordFailure(partition, error);
      },
    });
    this.last = this.assignment = assignment;
    void assignment.claimed.finally(watch.batchBegins());
  }

  private leave(): void {
    this.assignment?.end();
    this.assignment = undefined;
    this.worker.reset();
  }

  private mirror(): Promise<void> {
    const { pool, kafka, group, log } = this.options;
    this.mirroring ??= (async () => {
      try {
        while ((await mirrorParked(pool, kafka, group.name)) > 0);
      } catch (error) {
        log.warn({ err: error, group: group.name }, 'consumer: parked messages are not mirrored yet');
      }
      this.mirroring = undefined;
    })();
    return this.mirroring;
  }
}
