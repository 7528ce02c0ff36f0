import type { FactKey } from '@caravan/contracts/events/fact-key';
import type { LogPosition } from '@caravan/contracts/events/log-position';
import { decideAndAppend } from '../core/decide.ts';
import type { DomainEvent } from '../core/decider.ts';
import type {
  CommandMeta,
  Committed,
  EventStore,
  Handled,
  IdempotentRequest,
  Payload,
  StreamKind,
  Tx,
  Unit,
} from '../core/event-store.ts';
import type { Statement } from '../core/projection.ts';
import type { OutgoingEvent } from '../core/public-events.ts';
import { type Kept, keyReused } from '../postgres/idempotency.ts';
import { type Draft, knownFrom, recall, statementsOf, type StoredEvent, streamIdOf } from '../core/stream.ts';

type Options = { readonly service: string; readonly onCommitted?: (committed: Committed) => void };

/** A store without a database, for pure tests: same rules, but transactions run one after the other and hold no rows. */
export type InMemoryEventStore = EventStore & {
  readonly log: readonly Logged[];
  readonly published: readonly Published[];
  readonly statements: readonly Statement[];
  open<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
};

export function createInMemoryEventStore(options: Options): InMemoryEventStore {
  const memory = new Memory(options);
  const transaction: EventStore['transaction'] = (meta, work, request) => memory.transaction(meta, work, request);
  return {
    log: memory.kept.log,
    published: memory.kept.published,
    statements: memory.kept.statements,
    transaction,
    sharedTransaction: transaction,
    open: (work) => memory.open(work),
    within: (tx, meta) => memory.unitOn(tx, meta),
    handle: (meta, ...command) => transaction(meta, (unit) => unit.handle(...command)),
    async read(orgId, kind, id) {
      const where = { orgId, streamId: streamIdOf(kind, id) };
      return recall(kind, where, eventsOf([memory.kept], where));
    },
  };
}

class Memory {
  readonly kept = new Pending();
  readonly #options: Options;
  #lastPosition = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
  }

  unitOn<Key extends FactKey>(tx: Tx, meta: CommandMeta<Key>): InMemoryUnit<Key> {
    if (!(tx instanceof Pending)) throw new TypeError('This is no transaction of the in-memory store');
    const { service, onCommitted } = this.#options;
    const nextPosition = (): number => ++this.#lastPosition;
    return new InMemoryUnit({ tx, meta, kept: this.kept, nextPosition }, (published) =>
      onCommitted?.({ service, ...published, key: meta.key, orgId: meta.orgId }),
    );
  }

  open<Result>(work: (tx: Pending) => Promise<Result>): Promise<Result> {
    const mine = this.#turn.then(async () => {
      const pending = new Pending();
      const result = await work(pending);
      this.kept.merge(pending);
      for (const effect of pending.effects) effect();
      return result;
    });
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  transaction<Answer, Key extends FactKey>(
    meta: CommandMeta<Key>,
    work: (unit: Unit<Key>) => Promise<Answer>,
    request?: IdempotentRequest,
  ): Promise<Answer> {
    return this.open((tx) => {
      const unit = this.unitOn(tx, meta);
      return request ? this.#answerOnce(unit, work, request) : work(unit);
    });
  }

  async #answerOnce<Answer, Key extends FactKey>(
    unit: InMemoryUnit<Key>,
    work: (unit: Unit<Key>) => Promise<Answer>,
    { owner, key, bodyHash }: IdempotentRequest,
  ): Promise<Answer> {
    const id = JSON.stringify([owner, key]);
    const earlier = this.kept.requests.get(id);
    if (earlier && earlier.bodyHash !== bodyHash) throw keyReused();
    if (earlier) {
      if (earlier.published) unit.notePublished(earlier.published);
      return earlier.answer as Answer;
    }
    const answer = await work(unit);
    const plain: unknown = answer === undefined ? null : JSON.parse(JSON.stringify(answer));
    unit.tx.requests.set(id, { answer: plain, published: unit.published, bodyHash });
    return answer;
  }
}

export type Published = OutgoingEvent & { readonly position: number } & Omit<CommandMeta, 'at' | 'key'> & {
    readonly key: string;
    readonly occurredAt: Date;
  };

export type Logged = StoredEvent & { readonly orgId: string; readonly streamId: string };

export class Pending implements Tx {
  readonly log: Logged[] = [];
  readonly published: Published[] = [];
  readonly statements: Statement[] = [];
  readonly requests = new Map<string, Kept & { readonly bodyHash: string }>();
  readonly effects: (() => void)[] = [];

  merge(other: Pending): void {
    this.log.push(...other.log);
    this.published.push(...other.published);
    this.statements.push(...other.statements);
    for (const [id, request] of other.requests) this.requests.set(id, request);
  }

  query(): Promise<never> {
    return Promise.reject(new Error('The in-memory store has no tables: prove this rule against PostgreSQL'));
  }
}

export class InMemoryUnit<Key extends FactKey> implements Unit<Key> {
  readonly tx: Pending;
  readonly meta: CommandMeta<Key>;
  readonly #kept: Pending;
  readonly #nextPosition: () => number;
  readonly #announce: (published: LogPosition) => void;
  published: LogPosition | null = null;

  constructor(
    parts: { tx: Pending; meta: CommandMeta<Key>; kept: Pending; nextPosition: () => number },
    announce: (published: LogPosition) => void,
  ) {
    this.tx = parts.tx;
    this.meta = parts.meta;
    this.#kept = parts.kept;
    this.#nextPosition = parts.nextPosition;
    this.#announce = announce;
  }

  async handle<State, Command, Event extends DomainEvent, PublicPayload>(
    kind: StreamKind<State, Command, Event, PublicPayload>,
    id: string,
    command: Command,
    ...[publicPayload]: Payload<PublicPayload>
  ): Promise<Handled<State, Event>> {
    const streamId = streamIdOf(kind, id);
    const where = { orgId: this.meta.orgId, streamId };
    const stored = (): StoredEvent[] => eventsOf([this.#kept, this.tx], where);
    const stream = {
      streamId,
      load: async () => knownFrom(kind, recall<Event>(kind, where, stored())),
      append: async (drafts: readonly Draft<Event>[], version: number) => {
        if (stored().length !== version) return false;
        this.#append(where, drafts);
        return true;
      },
    };
    const given = { meta: this.meta, publicPayload: publicPayload as PublicPayload, isNew: false };
    const handled = await decideAndAppend(kind, stream, command, given);
    this.tx.statements.push(...statementsOf(kind.projections, handled.events));
    return handled;
  }

  create: Unit['create'] = (...command) => this.handle(...command);

  write(): Promise<never> {
    return this.tx.query();
  }

  async publish(event: OutgoingEvent): Promise<number> {
    return this.#send(event, this.#nextPosition());
  }

  notePublished(published: LogPosition): void {
    if (this.published === null) this.tx.effects.push(() => this.#announce(this.published ?? published));
    this.published = published;
  }

  #append(where: { orgId: string; streamId: string }, drafts: readonly Draft<DomainEvent>[]): void {
    for (const { event, schemaVersion, outgoing } of drafts) {
      const position = this.#nextPosition();
      this.tx.log.push({ ...event, ...where, schemaVersion, position });
      if (outgoing) this.#send(outgoing, position);
    }
  }

  #send({ type, version, data }: OutgoingEvent, position: number): number {
    const { at, key, ...meta } = this.meta;
    const plain = JSON.parse(JSON.stringify(data)) as object;
    this.tx.published.push({ ...meta, key: key.id, type, version, data: plain, position, occurredAt: at });
    this.notePublished({ epoch: 0, position });
    return position;
  }
}

export function eventsOf(
  parts: readonly Pending[],
  { orgId, streamId }: { orgId: string; streamId: string },
): StoredEvent[] {
  return parts.flatMap(({ log }) =>
    log
      .filter((event) => event.orgId === orgId && event.streamId === streamId)
      .map(({ orgId: _org, streamId: _stream, ...event }) => event),
  );
}
