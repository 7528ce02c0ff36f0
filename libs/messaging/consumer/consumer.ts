import { type Envelope, envelopeSchema, type PublicEventContract } from '@caravan/contracts/events/envelope';
import { type ServiceName, serviceNames, topics } from '@caravan/contracts/events/topics';
import type { Tx } from '@caravan/event-store/core/event-store';
import { type ArgumentsHost, Catch, type ExceptionFilter, UseFilters } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import type { z } from 'zod';
import type { IncomingMessage } from '../kafka/kafka-port.ts';

/** A public event as a consumer receives it: parsed, typed, with its envelope. */
export type Consumed<Contract extends PublicEventContract = PublicEventContract> = Omit<Envelope, 'data'> & {
  readonly data: z.infer<Contract['data']>;
};

/** Writes the rows that a batch enqueued, in the order in which they came. */
export type WriteRows<Row> = (tx: Tx, rows: readonly Row[]) => Promise<unknown>;

/** What a handler may use for one message; everything in `tx` commits with the batch's offsets. */
export type BatchContext = {
  readonly tx: Tx;
  readonly group: string;
  /** Has `write` called once per batch with all its rows, before the commit; later messages do not see them yet. */
  enqueueWrite<Row>(write: WriteRows<Row>, row: Row): void;
  /** Runs after the commit; failures are logged and undo nothing. */
  afterCommit(effect: () => Promise<void> | void): void;
};

/** Which messages a handler takes. The group owns offsets, applied positions and parked keys. */
export type Subscription<Contract extends PublicEventContract = PublicEventContract> = {
  readonly group: string;
  readonly from: ServiceName;
  readonly contract: Contract;
  /** Takes the append locks of all keys of a batch, sorted, before the first handler runs. */
  readonly locksKeys?: boolean;
  /** Services whose facts reach this group only through facts they cause; readers wait for those too. */
  readonly reflects?: readonly ServiceName[];
  /** Of the facts of this contract those it has anything to do with; all where it is not said. Pure. */
  takes?(data: z.infer<Contract['data']>): boolean;
  /** False where all it takes has keys that nobody waits by (`topics`): what it does not take then costs nothing. */
  readonly isAwaited?: boolean;
  /** False where it may hear up to half a second later, of all of that at once; nobody may wait for the group then. */
  readonly isPrompt?: boolean;
};

export const kafkaBatches = Symbol('kafka-batches');

/** Nest's own filter would replace the error by 'Internal server error'. */
@Catch()
class AsThrown implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

type Handles<Contract extends PublicEventContract> = (event: Consumed<Contract>, batch: BatchContext) => unknown;

/** Marks the method that applies one kind of event. `Rejected` parks the event's key, other errors are tried again. */
export function Consumes<Contract extends PublicEventContract>(subscription: Subscription<Contract>) {
  const { group, from, contract } = subscription;
  const pattern = `${group} ${from} ${contract.type} v${contract.version}`;
  return <Method extends Handles<Contract>>(
    target: object,
    name: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const bind = EventPattern(pattern, kafkaBatches, { subscription }) as MethodDecorator;
    bind(target, name, descriptor);
    UseFilters(new AsThrown())(target, name, descriptor);
    Payload()(target, name, 0);
    Ctx()(target, name, 1);
  };
}

export type Handler = {
  readonly subscription: Subscription;
  handle(event: Consumed, context: BatchContext): Promise<unknown>;
};

export type Handlers = ReadonlyMap<string, ReadonlyMap<number, Handler>>;

export type GroupTopic = {
  readonly name: string;
  readonly service: ServiceName;
  readonly handlers: Handlers;
  /** Readers wait until it is applied, and so each message of it leaves its position. */
  readonly isAwaited: boolean;
};

export type Group = {
  readonly name: string;
  readonly topics: readonly GroupTopic[];
  readonly locksKeys: boolean;
  readonly isPrompt: boolean;
  readonly follows: ReadonlySet<ServiceName>;
};

export function groupsOf(handlers: readonly Handler[]): Group[] {
  const names = [...new Set(handlers.map(({ subscription }) => subscription.group))];
  return names.map((name) => {
    const members = handlers.filter(({ subscription }) => subscription.group === name);
    const services = serviceNames.filter((service) =>
      members.some(({ subscription }) => subscription.from === service),
    );
    const read = services.map((service) => topicOf(service, members));
    const awaited = read.filter(({ isAwaited }) => isAwaited).map(({ service }) => service);
    const isPrompt = members.some(({ subscription }) => subscription.isPrompt !== false);
    if (!isPrompt && awaited.length > 0) throw new Error(`Readers wait for group ${name}, so it has to be prompt.`);
    return {
      name,
      topics: read,
      locksKeys: members.some(({ subscription }) => subscription.locksKeys === true),
      isPrompt,
      follows: new Set([...awaited, ...members.flatMap(({ subscription }) => subscription.reflects ?? [])]),
    };
  });
}

function topicOf(service: ServiceName, members: readonly Handler[]): GroupTopic {
  const own = members.filter(({ subscription }) => subscription.from === service);
  const isAwaited = own.some(({ subscription }) => subscription.isAwaited !== false);
  return { name: topics[service].name, service, handlers: byType(own), isAwaited };
}

function byType(handlers: readonly Handler[]): Handlers {
  const types = new Map<string, Map<number, Handler>>();
  for (const handler of handlers) {
    const { group, from, contract } = handler.subscription;
    const versions = types.get(contract.type) ?? new Map<number, Handler>();
    for (const { version } of [contract, ...(contract.earlier ?? [])]) {
      if (versions.has(version))
        throw new Error(`Group ${group} has two handlers for ${contract.type} v${version} of ${from}.`);
      types.set(contract.type, versions.set(version, handler));
    }
  }
  return types;
}

export type Decoded =
  | { readonly is: 'event'; readonly envelope: Envelope; readonly event: Consumed; readonly handler: Handler }
  | { readonly is: 'foreign'; readonly envelope: Envelope }
  | { readonly is: 'broken'; readonly code: string; readonly reason: string; readonly envelope?: Envelope };

const aheadBytes = 160;

/** The type of what a relay has sent, without parsing it: most groups hear of far more than they take. */
export function typeAhead({ value }: Pick<IncomingMessage, 'value'>): string | undefined {
  return /^\{"id":"[^"]{36}","type":"([^"\\]+)"/.exec(value?.toString('latin1', 0, aheadBytes) ?? '')?.[1];
}

/** Parses a message by its contract. An unknown version is broken, never skipped: it would be lost. */
export function decode(message: Pick<IncomingMessage, 'key' | 'value'>, handlers: Handlers): Decoded {
  const envelope = envelopeOf(message.value);
  if ('code' in envelope) return { is: 'broken', ...envelope };
  if (envelope.key !== message.key) {
    return { is: 'broken', code: 'message/wrong-key', reason: `The envelope says key ${envelope.key}.`, envelope };
  }
  const versions = handlers.get(envelope.type);
  if (!versions) return { is: 'foreign', envelope };
  const handler = versions.get(envelope.version);
  if (!handler) {
    const reason = `${envelope.type} v${envelope.version} is not known here.`;
    return { is: 'broken', code: 'message/unknown-version', reason, envelope };
  }
  const { contract } = handler.subscription;
  const version = contract.earlier?.find((one) => one.version === envelope.version) ?? contract;
  const data = version.data.safeParse(envelope.data);
  if (!data.success) return { is: 'broken', code: 'message/bad-data', reason: data.error.message, envelope };
  if (handler.subscription.takes?.(data.data) === false) return { is: 'foreign', envelope };
  return { is: 'event', envelope, event: { ...envelope, data: data.data }, handler };
}

function envelopeOf(value: Buffer | null): Envelope | { code: string; reason: string } {
  if (!value) return { code: 'message/empty', reason: 'The message has no value.' };
  let json: unknown;
  try {
    json = JSON.parse(value.toString());
  } catch (error) {
    return { code: 'message/not-json', reason: String(error) };
  }
  const parsed = envelopeSchema.safeParse(json);
  return parsed.success ? parsed.data : { code: 'message/bad-envelope', reason: parsed.error.message };
}
