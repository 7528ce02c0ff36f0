import { topics } from '@caravan/contracts/events/topics';
import type { BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import type { Log } from '@caravan/service-kit/telemetry/log';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { AppliedListener } from './consumer-offsets.ts';
import { ConsumersWatch, type LostGroup } from './consumers-watch.ts';
import { type Group, groupsOf, type Handler, kafkaBatches, type Subscription } from './consumer.ts';
import { GroupConsumer, type GroupConsumerOptions } from './group-consumer.ts';
import type { Kafka, TopicPartition, TopicSpec } from '../kafka/kafka-port.ts';
import { dlqOf } from './parked.ts';

/** Lets readers wait for the groups of this process. */
type FollowsGroups = AppliedListener & {
  follow(groups: readonly Group[], hears: (group: string, place: TopicPartition) => boolean): void;
};

type KafkaBatchServerOptions = Omit<GroupConsumerOptions, 'group' | 'topics' | 'positions' | 'log'> & {
  readonly log: Log;
  readonly positions: FollowsGroups;
  readonly watched: {
    /** Answers, or fails, within seconds. */
    readonly kafka: Pick<Kafka, 'endOffsets' | 'describeGroups'>;
    readonly background: BackgroundWork;
    readonly everyMs?: number | undefined;
    readonly onLost: (lost: LostGroup) => void;
  };
};

/** Nest's transport: every `@Consumes` method is served by its group's consumer, whether Kafka is there or not. */
export class KafkaBatchServer extends Server implements CustomTransportStrategy {
  override readonly transportId = kafkaBatches;
  override readonly propagatesEventHandlerErrors = true;
  private readonly options: KafkaBatchServerOptions;
  private consumers: readonly GroupConsumer[] = [];
  private watch: ConsumersWatch | undefined;
  private known: readonly Group[] | undefined;

  constructor(options: KafkaBatchServerOptions) {
    super();
    this.options = options;
  }

  /** For how long each group has had messages to apply and has applied none. */
  get withoutProgress(): readonly { readonly group: string; readonly seconds: number }[] {
    return this.consumers.map(({ groupName: group, watch }) => ({ group, seconds: watch.withoutProgressMs / 1_000 }));
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
      const { log, metrics, watched } = this.options;
      this.watch = new ConsumersWatch({ ...watched, consumers: this.consumers, log, metrics });
      this.watch.start();
      callback();
    } catch (error) {
      callback(error);
    }
  }

  private hears(group: string, place: TopicPartition): boolean {
    return this.consumers.some((consumer) => consumer.groupName === group && consumer.hasClaimed(place));
  }

  async close(): Promise<void> {
    await Promise.all([this.watch?.stop(), ...this.consumers.map((consumer) => consumer.stop())]);
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
  return [{ subscription, handle: (event, context) => settleAnswer(first(event, context)) }, ...rest];
}

async function settleAnswer(answer: unknown): Promise<unknown> {
  const result = await answer;
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}

/** The topics that must exist before a group reads: its own and its dead-letter topic. */
export function topicsOf(group: Group): TopicSpec[] {
  return [...group.topics.map(({ service }) => topics[service]), { name: dlqOf(group.name), partitions: 1 }];
}
