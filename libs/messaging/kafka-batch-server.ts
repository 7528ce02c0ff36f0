import { topics } from '@caravan/contracts/topics';
import type { createPool } from '@caravan/event-store/postgres';
import type { Log } from '@caravan/service-kit/log';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { Assignment } from './consumer-offsets.ts';
import { BatchWorker, consumerDefaults, type ConsumerSettings } from './batch-worker.ts';
import { type Group, groupsOf, type Handler, kafkaBatches, type Subscription } from './consumer.ts';
import type {
  ConsumerEvents,
  IncomingBatch,
  Kafka,
  MessagingLog,
  RunningConsumer,
  Seek,
  TopicPartition,
  TopicSpec,
} from './kafka-port.ts';
import type { MessagingMetrics } from './metrics.ts';
import { dlqOf, mirrorParked } from './parked.ts';
import type { Positions } from './positions.ts';
import { AsyncEvent, backoffMs } from './retry.ts';

type KafkaBatchServerOptions = Omit<GroupConsumerOptions, 'group' | 'topics' | 'positions' | 'log'> & {
  readonly log: Log;
  readonly positions: Positions;
};

/** Nest's transport: every `@Consumes` method is served by its group's consumer, whether Kafka is there or not. */
export class KafkaBatchServer extends Server implements CustomTransportStrategy {
  override readonly transportId = kafkaBatches;
  override readonly propagatesEventHandlerErrors = true;
  private readonly options: KafkaBatchServerOptions;
  private consumers: readonly GroupConsumer[] = [];
  private known: readonly Group[] | undefined;

  constructor(options: KafkaBatchServerOptions) {
    super();
    this.options = options;
  }

  get groups(): readonly Group[] {
    return (this.known ??= groupsOf([...this.messageHandlers.values()].flatMap(handlersOf)));
  }

  listen(callback: (error?: unknown) => void): void {
    try {
      this.options.positions.follow(this.groups, (group, place) => this.hears(group, place));
      this.consumers = this.groups.map(
        (group) => new GroupConsumer({ ...this.options, group, topics: topicsOf(group) }),
      );
      for (const consumer of this.consumers) consumer.start();
      callback();
    } catch (error) {
      callback(error);
    }
  }

  private hears(group: string, place: TopicPartition): boolean {
    return this.consumers.some((consumer) => consumer.groupName === group && consumer.hasClaimed(place));
  }

  async close(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.stop()));
  }

  override on(): never {
    throw new Error('The batch server emits no events.');
  }

  override unwrap<Consumers>(): Consumers {
    return this.consumers as Consumers;
  }
}

function handlersOf(first: MessageHandler): Handler[] {
  const { subscription } = (first.extras ?? {}) as { subscription?: Subscription };
  if (!subscription) throw new Error('Handlers of Kafka messages are declared with @Consumes.');
  const rest = first.next ? handlersOf(first.next as MessageHandler) : [];
  return [{ subscription, handle: (event, context) => settled(first(event, context)) }, ...rest];
}

async function settled(answer: unknown): Promise<unknown> {
  const result = await answer;
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}

/** The topics that must exist before a group reads: its own and its dead-letter topic. */
export function topicsOf(group: Group): TopicSpec[] {
  return [...group.topics.map(({ service }) => topics[service]), { name: dlqOf(group.name), partitions: 1 }];
}

type GroupConsumerOptions = {
  readonly group: Group;
  readonly topics: readonly TopicSpec[];
  readonly kafka: Kafka;
  readonly pool: ReturnType<typeof createPool>;
  readonly log: MessagingLog;
  readonly metrics?: MessagingMetrics | undefined;
  readonly positions?: Pick<Positions, 'applied'> | undefined;
  readonly settings?: ConsumerSettings | undefined;
};

/** One consumer group in this process; a consumer that gave up is replaced by a new one. */
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

  get groupName(): string {
    return this.options.group.name;
  }

  hasClaimed(place: TopicPartition): boolean {
    return this.assignment?.claimOf(place) !== undefined;
  }

  start(): void {
    this.ended ??= this.supervise();
  }

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
    const events: ConsumerEvents = {
      onAssigned: (member, partitions, seek) => this.assign(member, partitions, seek),
      onBatch: (batch) => this.work(batch),
    };
    this.running = await kafka.consume(group.name, names, events, { isPrompt: group.isPrompt });
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
