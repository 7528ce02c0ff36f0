import type { FactKey } from '@caravan/contracts/fact-key';
import type { CommandMeta, Committed, EventStore, IdempotentRequest, Tx, Unit } from './event-store.ts';
import { eventsOf, InMemoryUnit, Pending, type Logged, type Published } from './in-memory-unit.ts';
import type { Statement } from './projection.ts';
import { keyReused } from './requests.ts';
import { recall, streamIdOf } from './stream.ts';

type Options = { readonly service: string; readonly onCommitted?: (committed: Committed) => void };

/** A store without a database, for pure tests: same rules, but transactions run one after the other and hold no rows. */
export type InMemoryEventStore = EventStore & {
  readonly log: readonly Logged[];
  readonly published: readonly Published[];
  /** What the read models would have run. */
  readonly statements: readonly Statement[];
  /** A transaction for `within`; what it holds counts once the work is done. */
  open<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
};

/** Creates an empty store. */
export function createInMemoryEventStore(options: Options): InMemoryEventStore {
  const memory = new Memory(options);
  const transaction: EventStore['transaction'] = (meta, work, request) => memory.transaction(meta, work, request);
  return {
    ...{ log: memory.kept.log, published: memory.kept.published, statements: memory.kept.statements },
    transaction,
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

  /** One transaction after the other, in the order they were asked for. */
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
