import type { createPool } from '@caravan/event-store/postgres';
import { Assignment } from './assignment.ts';
import { BatchWorker, consumerDefaults, type ConsumerSettings } from './batch-worker.ts';
import { backoffMs } from './failure.ts';
import type { Group } from './groups.ts';
import type {
  IncomingBatch,
  Kafka,
  MessagingLog,
  RunningConsumer,
  Seek,
  TopicPartition,
  TopicSpec,
} from './kafka-port.ts';
import type { MessagingMetrics } from './metrics.ts';
import { mirrorParked } from './parked.ts';
import type { Positions } from './positions.ts';
import { AsyncEvent } from './async-event.ts';

export type GroupConsumerOptions = {
  readonly group: Group;
  /** What must exist before the group reads: its topics and its dead-letter topic. */
  readonly topics: readonly TopicSpec[];
  readonly kafka: Kafka;
  readonly pool: ReturnType<typeof createPool>;
  readonly log: MessagingLog;
  readonly metrics?: MessagingMetrics | undefined;
  readonly positions?: Pick<Positions, 'applied'> | undefined;
  readonly settings?: ConsumerSettings | undefined;
};

/** One consumer group in this process. Never ends by itself: a consumer that gave up is replaced by a new one. */
export class GroupConsumer {
  private readonly options: GroupConsumerOptions;
  private readonly settings: Required<ConsumerSettings>;
  private readonly worker: BatchWorker;
  private readonly stopping = new AsyncEvent();
  private assignment: Assignment | undefined;
  private last: Assignment | undefined;
  private running: RunningConsumer | undefined;
  private mirroring: Promise<void> | undefined;
  private failures = 0;
  private ended: Promise<void> | undefined;

  constructor(options: GroupConsumerOptions) {
    this.options = options;
    this.settings = { ...consumerDefaults, ...options.settings };
    this.worker = new BatchWorker({ ...options, settings: this.settings, onParked: () => void this.mirror() });
  }

  start(): void {
    this.ended ??= this.supervise();
  }

  /** Ends after the batch in hand. */
  async stop(): Promise<void> {
    this.stopping.set();
    await this.running?.stop().catch(() => undefined);
    await this.ended;
    await this.mirroring;
  }

  private async supervise(): Promise<void> {
    const { group, log } = this.options;
    while (!this.stopping.isSet()) {
      try {
        await this.consume();
      } catch (error) {
        this.failures += 1;
        log.warn({ err: error, group: group.name, failures: this.failures }, 'consumer: disconnected, trying again');
      }
      this.leave();
      await this.stopping.wait(backoffMs(this.failures, this.settings.maxBackoffMs));
    }
  }

  private async consume(): Promise<void> {
    const { group, kafka, topics } = this.options;
    await kafka.ensureTopics(topics);
    void this.mirror();
    const names = group.topics.map(({ name }) => name);
    this.running = await kafka.consume(group.name, names, {
      onAssigned: (member, partitions, seek) => this.assign(member, partitions, seek),
      onBatch: (batch) => this.work(batch),
    });
    if (this.stopping.isSet()) await this.running.stop();
    await this.running.ended;
  }

  private async work(batch: IncomingBatch): Promise<void> {
    if (!this.assignment) return;
    try {
      await this.worker.work(batch, this.assignment);
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  private assign(member: string, partitions: readonly TopicPartition[], seek: Seek): void {
    this.leave();
    this.failures = 0;
    const { pool, group, log } = this.options;
    const { last: previous } = this;
    this.last = this.assignment = new Assignment({ pool, group: group.name, member, partitions, log, seek, previous });
  }

  private leave(): void {
    this.assignment?.end();
    this.assignment = undefined;
    this.worker.reset();
  }

  /** Copies what is parked to the dead-letter topic; what cannot be copied now is copied with the next or at the next start. */
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
