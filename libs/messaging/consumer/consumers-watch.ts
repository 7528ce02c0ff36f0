import type { BackgroundTask, BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import type { GroupConsumer } from './group-consumer.ts';
import type { Kafka, MessagingLog, PartitionExtent } from '../kafka/kafka-port.ts';
import type { MessagingMetrics } from '../kafka/metrics.ts';
import { AsyncEvent } from '../kafka/retry.ts';

export type LostGroup = { readonly group: string; readonly reason: string };

type ConsumersWatchOptions = {
  readonly consumers: readonly GroupConsumer[];
  readonly kafka: Pick<Kafka, 'endOffsets' | 'describeGroups'>;
  readonly log: MessagingLog;
  readonly metrics?: Pick<MessagingMetrics, 'countReplacement'> | undefined;
  readonly background?: Pick<BackgroundWork, 'register' | 'unregister'> | undefined;
  readonly everyMs?: number | undefined;
  /** Time that a group may be overdue before it is reported; its client is replaced sooner. */
  readonly lateAfterSeconds?: number | undefined;
  /** Replacing the client of the group has not helped, although Kafka answers. */
  readonly onLost: (lost: LostGroup) => void;
};

const defaultEveryMs = 5_000;
const defaultLateAfterSeconds = 15;
const mostReplacements = 2;

/**
 * Looks at all consumer groups of a process every few seconds, by one question to Kafka and none to the database, and
 * replaces the client of a group that has stopped without saying so.
 */
export class ConsumersWatch {
  private readonly options: ConsumersWatchOptions;
  private readonly tasks: ReadonlyMap<GroupConsumer, BackgroundTask | undefined>;
  private readonly stopping = new AsyncEvent();
  private readonly lost = new Set<GroupConsumer>();
  private lastLookAt: number | undefined;
  private looking: Promise<void> | undefined;

  constructor(options: ConsumersWatchOptions) {
    this.options = options;
    this.tasks = new Map(options.consumers.map((consumer) => [consumer, this.register(consumer)]));
  }

  start(): void {
    this.looking ??= this.lookAgainAndAgain();
  }

  async stop(): Promise<void> {
    this.stopping.set();
    for (const { groupName } of this.options.consumers) this.options.background?.unregister(groupName);
    await this.looking;
  }

  private register({ groupName: name }: GroupConsumer): BackgroundTask | undefined {
    // Nothing is late while Kafka is away: the relay and the breaker report that.
    const hasWork = () => this.lastLookAt !== undefined;
    const { background, lateAfterSeconds = defaultLateAfterSeconds } = this.options;
    return background?.register({ kind: 'consumer', name, lateAfterSeconds, hasWork });
  }

  private async lookAgainAndAgain(): Promise<void> {
    const { everyMs = defaultEveryMs } = this.options;
    while (!this.stopping.isSet()) {
      await this.look(everyMs);
      await this.stopping.wait(everyMs);
    }
  }

  private async look(everyMs: number): Promise<void> {
    const { consumers, kafka, log } = this.options;
    const topics = [...new Set(consumers.flatMap(({ topicNames }) => topicNames))];
    let extents: PartitionExtent[];
    try {
      extents = await kafka.endOffsets(topics);
    } catch {
      this.lastLookAt = undefined;
      return;
    }
    const now = performance.now();
    // Time in which this process was stopped, or Kafka was away, does not count.
    const elapsedMs = this.lastLookAt === undefined ? 0 : Math.min(now - this.lastLookAt, 2 * everyMs);
    this.lastLookAt = now;
    for (const consumer of consumers) {
      consumer.watch.look({ elapsedMs, extents, partitions: consumer.positions });
      this.report(consumer);
      await this.heal(consumer).catch((error: unknown) =>
        log.error({ err: error, group: consumer.groupName }, 'consumer: could not replace the client'),
      );
    }
  }

  private report(consumer: GroupConsumer): void {
    const { watch } = consumer;
    const task = this.tasks.get(consumer);
    task?.recordSuccess(Date.now() - watch.overdueMs);
    if (watch.overdueMs > 0) task?.recordFailure(watch.problem);
  }

  private async heal(consumer: GroupConsumer): Promise<void> {
    const { log, metrics, onLost } = this.options;
    const { groupName: group, watch } = consumer;
    const reason = watch.illness();
    if (reason === undefined || this.lost.has(consumer) || this.stopping.isSet()) return;
    const { backlog, replacements } = watch;
    if (!(await this.isCoordinated(group))) {
      log.warn({ group, reason, backlog }, 'consumer: its coordinator does not answer, so the client stays');
      watch.spare();
    } else if (replacements < mostReplacements) {
      log.error({ group, reason, backlog, replacements: replacements + 1 }, 'consumer: client replaced');
      metrics?.countReplacement(group);
      consumer.replace();
    } else {
      this.lost.add(consumer);
      consumer.giveUp();
      onLost({ group, reason });
    }
  }

  private async isCoordinated(group: string): Promise<boolean> {
    try {
      return (await this.options.kafka.describeGroups([group])).length > 0;
    } catch {
      return false;
    }
  }
}
