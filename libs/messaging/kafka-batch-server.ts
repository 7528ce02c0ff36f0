import type { Log } from '@caravan/service-kit/log';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { Subscription } from './consumer.ts';
import { kafkaBatches } from './consumes.decorator.ts';
import { GroupConsumer, type GroupConsumerOptions } from './group-consumer.ts';
import { type Group, groupsOf, type Handler } from './groups.ts';
import type { Positions } from './positions.ts';
import { topicsOf } from './topics-of.ts';

export type KafkaBatchServerOptions = Omit<GroupConsumerOptions, 'group' | 'topics' | 'positions' | 'log'> & {
  readonly log: Log;
  readonly positions: Positions;
};

/**
 * Nest's port to Kafka: every `@Consumes` method is served by its group's consumer, a batch per transaction. Starts and
 * stays up whether Kafka and PostgreSQL are there or not.
 */
export class KafkaBatchServer extends Server implements CustomTransportStrategy {
  override readonly transportId = kafkaBatches;
  // What a handler throws reaches the consumer, which logs it and decides.
  override readonly propagatesEventHandlerErrors = true;
  private readonly options: KafkaBatchServerOptions;
  private consumers: readonly GroupConsumer[] = [];
  private known: readonly Group[] | undefined;

  constructor(options: KafkaBatchServerOptions) {
    super();
    this.options = options;
  }

  /** The groups of this service. Throws when two methods handle the same type of the same group. */
  get groups(): readonly Group[] {
    return (this.known ??= groupsOf([...this.messageHandlers.values()].flatMap(handlersOf)));
  }

  listen(callback: (error?: unknown) => void): void {
    try {
      this.options.positions.follow(this.groups);
      this.consumers = this.groups.map(
        (group) => new GroupConsumer({ ...this.options, group, topics: topicsOf(group) }),
      );
      for (const consumer of this.consumers) consumer.start();
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** Ends after the batches in hand. */
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

/** The methods registered under one pattern: Nest chains them, the group then finds the double. */
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
