import type { FactKey, PersonKey } from '@caravan/contracts/events/fact-key';
import type { LogPosition, LogPositions } from '@caravan/contracts/events/log-position';
import type { Decider, DomainEvent } from './decider.ts';
import type { Decided, Projection, Recorded } from './projection.ts';
import type { OutgoingEvent, PublicEvents } from './public-events.ts';

export type StreamKind<State, Command, Event extends DomainEvent, PublicPayload = undefined> = {
  readonly decider: Decider<State, Command, Event>;
  readonly projections: readonly Projection<Event>[];
  readonly publicEvents: PublicEvents<Event, PublicPayload>;
};

export type Readable<Event extends DomainEvent> = {
  readonly decider: { readonly category: string; evolve(state: never, event: Event): unknown };
};

export type CommandMeta<Key extends FactKey = FactKey> = {
  readonly orgId: string;
  readonly actorId: string | null;
  readonly at: Date;
  /** Ordering unit, and key of the public messages: a person's or the organisation's. */
  readonly key: Key;
  readonly causes?: LogPositions;
  readonly traceparent?: string;
};

export type Handled<State, Event extends DomainEvent> = {
  readonly events: readonly Decided<Event>[];
  readonly state: State;
  readonly version: number;
};

export type Tx = {
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
};

export type Payload<PublicPayload> = PublicPayload extends undefined
  ? [publicPayload?: undefined]
  : [publicPayload: PublicPayload];

/** One transaction of one organisation and one key. */
export type Unit<Key extends FactKey = FactKey> = {
  readonly tx: Tx;
  readonly meta: CommandMeta<Key>;
  /** Reads, folds, decides, appends, projects, fills the outbox. Throws `Rejected`. */
  handle<State, Command, Event extends DomainEvent, PublicPayload>(
    kind: StreamKind<State, Command, Event, PublicPayload>,
    id: string,
    command: Command,
    ...payload: Payload<PublicPayload>
  ): Promise<Handled<State, Event>>;
  /** `handle` for a stream that most likely does not exist yet: it is read only if it does. */
  create<State, Command, Event extends DomainEvent, PublicPayload>(
    kind: StreamKind<State, Command, Event, PublicPayload>,
    id: string,
    command: Command,
    ...payload: Payload<PublicPayload>
  ): Promise<Handled<State, Event>>;
  write(text: string, values: readonly unknown[]): Promise<void>;
  /** Publishes a fact about rows that are not event-sourced; takes a position of its own under the unit's key. */
  publish(event: OutgoingEvent): Promise<number>;
};

export type PersonUnit = Unit<PersonKey>;

/** Same key and body → same answer; same key, other body → 422 `idempotency/key-reused` (D38). */
export type IdempotentRequest = {
  readonly owner: string;
  readonly key: string;
  readonly bodyHash: string;
};

export type EventStore = {
  handle<State, Command, Event extends DomainEvent, PublicPayload>(
    meta: CommandMeta,
    kind: StreamKind<State, Command, Event, PublicPayload>,
    id: string,
    command: Command,
    ...payload: Payload<PublicPayload>
  ): Promise<Handled<State, Event>>;
  /** Several commands and rows that stand or fall together. With `request`, at most once per Idempotency-Key. */
  transaction<Answer, Key extends FactKey>(
    meta: CommandMeta<Key>,
    work: (unit: Unit<Key>) => Promise<Answer>,
    request?: IdempotentRequest,
  ): Promise<Answer>;
  /**
   * `transaction` for what many people do at once: those of one organisation that arrive while one is under way share the
   * next. So the work asks nobody but the database, and what it checks before it writes is guarded by its own key, by a
   * stream, or by the statement that writes: a row lock does not keep out who shares the transaction.
   */
  sharedTransaction: EventStore['transaction'];
  /** A unit inside a transaction that somebody else (a consumer's batch) opened and will commit. */
  within<Key extends FactKey>(tx: Tx, meta: CommandMeta<Key>): Unit<Key>;
  read<Event extends DomainEvent>(orgId: string, kind: Readable<Event>, id: string): Promise<Recorded<Event>[]>;
};

/** Told after a commit: readers wait for this place, that of the last message published, in the log of `service` under `key`. */
export type Committed = LogPosition & {
  readonly service: string;
  readonly key: FactKey;
  readonly orgId: string;
};

export const EventStore = Symbol('EventStore');
