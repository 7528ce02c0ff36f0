import type { DomainEvent } from './decider.ts';
import { decideAndAppend } from './decide.ts';
import type {
  CommandMeta,
  Committed,
  EventStore,
  FactsAndOptions,
  Handled,
  IdempotentRequest,
  StreamKind,
  Tx,
  Unit,
} from './event-store.ts';
import type { Statement } from './projection.ts';
import type { OutgoingEvent } from './public-events.ts';
import { keyReused, type Kept } from './requests.ts';
import { knownFrom, placed, recall, statementsOf, streamIdOf, type Draft, type StoredEvent } from './stream.ts';

/** A message as the outbox holds it, without its id. */
export type Published = OutgoingEvent & { readonly position: number } & Omit<CommandMeta, 'at'> & {
    readonly occurredAt: Date;
  };

type Logged = StoredEvent & { readonly orgId: string; readonly streamId: string };

/** A store without a database, for pure tests: same rules, but transactions run one after the other and hold no rows. */
export type InMemoryEventStore = EventStore & {
  readonly log: readonly Logged[];
  readonly published: readonly Published[];
  /** What the read models would have run. */
  readonly statements: readonly Statement[];
  /** A transaction for `within`; what it holds counts once the work is done. */
  open<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
};

/** What a transaction adds, or has added. */
class Pending implements Tx {
  readonly log: Logged[] = [];
  readonly published: Published[] = [];
  readonly statements: Statement[] = [];
  readonly requests = new Map<string, Kept & { readonly bodyHash: string }>();
  readonly effects: (() => void)[] = [];

  query(): Promise<never> {
    return Promise.reject(new Error('The in-memory store has no tables: prove this rule against PostgreSQL'));
  }
}

/** Creates an empty store. */
export function createInMemoryEventStore(options: {
  readonly service: string;
  readonly onCommitted?: (committed: Committed) => void;
}): InMemoryEventStore {
  const kept = new Pending();
  let lastPosition = 0;
  const nextPosition = (): number => ++lastPosition;
  let turn: Promise<unknown> = Promise.resolve();

  function unitOn(tx: Tx, meta: CommandMeta): InMemoryUnit {
    if (!(tx instanceof Pending)) throw new TypeError('This is no transaction of the in-memory store');
    return new InMemoryUnit({ tx, meta, kept, nextPosition }, (position) =>
      options.onCommitted?.({ service: options.service, position, key: meta.key, orgId: meta.orgId }),
    );
  }

  function open<Result>(work: (tx: Pending) => Promise<Result>): Promise<Result> {
    const run = async (): Promise<Result> => {
      const pending = new Pending();
      const result = await work(pending);
      merge(kept, pending);
      for (const effect of pending.effects) effect();
      return result;
    };
    const mine = turn.then(run);
    turn = mine.catch(() => undefined);
    return mine;
  }

  async function answerOnce<Answer>(
    unit: InMemoryUnit,
    work: (unit: Unit) => Promise<Answer>,
    request: IdempotentRequest,
  ): Promise<Answer> {
    const id = JSON.stringify([request.owner, request.key]);
    const earlier = kept.requests.get(id);
    if (earlier && earlier.bodyHash !== request.bodyHash) throw keyReused();
    if (earlier) {
      if (earlier.position !== null) unit.notePublished(earlier.position);
      return earlier.answer as Answer;
    }
    const answer = await work(unit);
    const plain: unknown = answer === undefined ? null : JSON.parse(JSON.stringify(answer));
    unit.tx.requests.set(id, { answer: plain, position: unit.published, bodyHash: request.bodyHash });
    return answer;
  }

  const transaction: EventStore['transaction'] = (meta, work, request) =>
    open((tx) => {
      const unit = unitOn(tx, meta);
      return request ? answerOnce(unit, work, request) : work(unit);
    });

  return {
    ...{ log: kept.log, published: kept.published, statements: kept.statements },
    ...{ open, transaction, within: unitOn },
    handle: (meta, ...command) => transaction(meta, (unit) => unit.handle(...command)),
    async read(orgId, kind, id) {
      const where = { orgId, streamId: streamIdOf(kind, id) };
      return recall(kind, where, eventsOf([kept], where));
    },
  };
}

class InMemoryUnit implements Unit {
  readonly tx: Pending;
  readonly meta: CommandMeta;
  readonly #kept: Pending;
  readonly #nextPosition: () => number;
  readonly #announce: (position: number) => void;
  published: number | null = null;

  constructor(
    place: { tx: Pending; meta: CommandMeta; kept: Pending; nextPosition: () => number },
    announce: (position: number) => void,
  ) {
    this.tx = place.tx;
    this.meta = place.meta;
    this.#kept = place.kept;
    this.#nextPosition = place.nextPosition;
    this.#announce = announce;
  }

  async handle<State, Command, Event extends DomainEvent, Facts>(
    kind: StreamKind<State, Command, Event, Facts>,
    id: string,
    command: Command,
    ...rest: FactsAndOptions<Facts>
  ): Promise<Handled<State, Event>> {
    const [facts, options] = rest;
    const streamId = streamIdOf(kind, id);
    const where = { orgId: this.meta.orgId, streamId };
    const stored = (): StoredEvent[] => eventsOf([this.#kept, this.tx], where);
    const stream = {
      streamId,
      load: async () => knownFrom(kind, recall<Event>(kind, where, stored())),
      append: async (drafts: readonly Draft<Event>[], version: number) =>
        stored().length === version ? placed(drafts, this.#append(where, drafts)) : null,
    };
    const given = { meta: this.meta, facts: facts as Facts, isFresh: options?.fresh ?? false };
    const handled = await decideAndAppend(kind, stream, command, given);
    this.tx.statements.push(...statementsOf(kind.projections, handled.events));
    return handled;
  }

  async publish(event: OutgoingEvent): Promise<number> {
    return this.#send(event, this.#nextPosition());
  }

  notePublished(position: number): void {
    if (this.published === null) this.tx.effects.push(() => this.#announce(this.published ?? position));
    this.published = position;
  }

  #append(where: { orgId: string; streamId: string }, drafts: readonly Draft<DomainEvent>[]): number[] {
    return drafts.map(({ event, schemaVersion, outgoing }) => {
      const position = this.#nextPosition();
      this.tx.log.push({ ...event, ...where, schemaVersion, position });
      if (outgoing) this.#send(outgoing, position);
      return position;
    });
  }

  #send({ type, version, data }: OutgoingEvent, position: number): number {
    const { at, ...meta } = this.meta;
    const plain = JSON.parse(JSON.stringify(data)) as object;
    this.tx.published.push({ ...meta, type, version, data: plain, position, occurredAt: at });
    this.notePublished(position);
    return position;
  }
}

function merge(kept: Pending, pending: Pending): void {
  kept.log.push(...pending.log);
  kept.published.push(...pending.published);
  kept.statements.push(...pending.statements);
  for (const [id, request] of pending.requests) kept.requests.set(id, request);
}

function eventsOf(parts: readonly Pending[], { orgId, streamId }: { orgId: string; streamId: string }): StoredEvent[] {
  return parts.flatMap(({ log }) =>
    log
      .filter((event) => event.orgId === orgId && event.streamId === streamId)
      .map(({ orgId: _org, streamId: _stream, ...event }) => event),
  );
}
