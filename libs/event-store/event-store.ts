import type { FactKey, PersonKey } from '@caravan/contracts/fact-key';
import type { LogPosition, LogPositions } from '@caravan/contracts/log-position';
import type { Decider, DomainEvent } from './decider.ts';
import type { Projection, Recorded } from './projection.ts';
import type { OutgoingEvent, PublicEvents } from './public-events.ts';

/** Everything about one kind of stream: its rules, what is read from it, what leaves of it. */
export type StreamKind<State, Command, Event extends DomainEvent, PublicPayload = undefined> = {
  readonly decider: Decider<State, Command, Event>;
  readonly projections: readonly Projection<Event>[];
  readonly publicEvents: PublicEvents<Event, PublicPayload>;
  /** Lifts recorded data of an older schema version to today's, one step at a time; absent while all events are version 1. */
  readonly upcasters?: Upcasters;
};

/** The part of a stream kind that reading needs. */
export type Readable<Event extends DomainEvent> = {
  readonly decider: { readonly category: string; evolve(state: never, event: Event): unknown };
  readonly upcasters?: Upcasters;
};

/** By event type: step n lifts version n+1 to n+2 (index 0: from 1 to 2). The current version is length + 1. */
export type Upcasters = Readonly<Record<string, readonly ((data: unknown) => unknown)[]>>;

/** Who asks, when, and in which order it must stay. */
export type CommandMeta<Key extends FactKey = FactKey> = {
  readonly orgId: string;
  /** The person who asked; null for the system. */
  readonly actorId: string | null;
  readonly at: Date;
  /** Ordering unit, and key of the public messages: a person's or the organisation's. */
  readonly key: Key;
  /** Positions of other services' facts that led to this command. */
  readonly causes?: LogPositions;
  /** W3C trace context of the caller. */
  readonly traceparent?: string;
};

/** What a handled command left behind. */
export type Handled<State, Event extends DomainEvent> = {
  readonly events: readonly Recorded<Event>[];
  readonly state: State;
  readonly version: number;
  /** Position of the last event; null when the command changed nothing. */
  readonly position: number | null;
};

/** The part of a `pg` client that rules of a service may use inside a unit. */
export type Tx = {
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
};

export type HandleOptions = {
  /** The stream most likely does not exist yet: saves the read; a stream that does is read after all. */
  readonly fresh?: boolean;
  /** Nothing of the unit follows: the commit of its own transaction travels with a fresh command, where that can be. */
  readonly last?: boolean;
};

/** What follows a command: the forgettable payload of its public events where the kind has one, then the options. */
export type PayloadAndOptions<PublicPayload> = PublicPayload extends undefined
  ? [publicPayload?: undefined, options?: HandleOptions]
  : [publicPayload: PublicPayload, options?: HandleOptions];

/** One transaction of one organisation and one key. */
export type Unit<Key extends FactKey = FactKey> = {
  readonly tx: Tx;
  readonly meta: CommandMeta<Key>;
  /** Reads, folds, decides, appends, projects, fills the outbox. Throws `Rejected`. */
  handle<State, Command, Event extends DomainEvent, PublicPayload>(
    kind: StreamKind<State, Command, Event, PublicPayload>,
    id: string,
    command: Command,
    ...rest: PayloadAndOptions<PublicPayload>
  ): Promise<Handled<State, Event>>;
  /** Publishes a fact about rows that are not event-sourced; takes a position of its own under the unit's key. */
  publish(event: OutgoingEvent): Promise<number>;
};

/** A unit in a person's order: `meta.key.id` is the person. */
export type PersonUnit = Unit<PersonKey>;

/** Same key and body → same answer; same key, other body → 422 `idempotency/key-reused` (D38). */
export type IdempotentRequest = {
  /** Scope of the key: the person (or the address for the signed-out). */
  readonly owner: string;
  readonly key: string;
  /** SHA-256 of method, path and body, hexadecimal. */
  readonly bodyHash: string;
};

export type EventStore = {
  /** One command in a transaction of its own. */
  handle<State, Command, Event extends DomainEvent, PublicPayload>(
    meta: CommandMeta,
    kind: StreamKind<State, Command, Event, PublicPayload>,
    id: string,
    command: Command,
    ...rest: PayloadAndOptions<PublicPayload>
  ): Promise<Handled<State, Event>>;
  /** Several commands and rows that stand or fall together. With `request`, at most once per Idempotency-Key. */
  transaction<Answer, Key extends FactKey>(
    meta: CommandMeta<Key>,
    work: (unit: Unit<Key>) => Promise<Answer>,
    request?: IdempotentRequest,
  ): Promise<Answer>;
  /** A unit inside a transaction that somebody else (a consumer's batch) opened and will commit. */
  within<Key extends FactKey>(tx: Tx, meta: CommandMeta<Key>): Unit<Key>;
  /** The recorded events of a stream, upcast, oldest first. */
  read<Event extends DomainEvent>(orgId: string, kind: Readable<Event>, id: string): Promise<Recorded<Event>[]>;
};

/**
 * What a store tells after a commit: readers that must see it wait for this place in the log of `service` under `key`. It
 * is that of the last message that the transaction published; private events have no reader elsewhere.
 */
export type Committed = LogPosition & {
  readonly service: string;
  readonly key: FactKey;
  readonly orgId: string;
};

/** Injection token of a service's store. */
export const EventStore = Symbol('EventStore');
