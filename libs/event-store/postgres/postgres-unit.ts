import { randomUUIDv7 } from 'node:crypto';
import type { FactKey } from '@caravan/contracts/events/fact-key';
import type { LogPosition } from '@caravan/contracts/events/log-position';
import { type Append, appendAlone, type Appended, appendTogether, appendUnread, metaOf } from './append.ts';
import { coalesce } from './coalesce.ts';
import { decideAndAppend, type StreamAccess } from '../core/decide.ts';
import type { DomainEvent } from '../core/decider.ts';
import type { CommandMeta, Committed, Handled, Payload, StreamKind, Tx, Unit } from '../core/event-store.ts';
import { OpenTransaction } from './open-transaction.ts';
import { type Statement, together } from '../core/projection.ts';
import type { OutgoingEvent } from '../core/public-events.ts';
import { type Draft, knownFrom, recall, statementsOf, streamIdOf } from '../core/stream.ts';
import { readStream, readTogether } from './streams-read.ts';
import { openForWriting } from './unit-transaction.ts';

const lockStream = 'select es.lock_stream($1, $2)';

const publish =
  'select es.publish($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as position, (select max(epoch) from es.epochs) as epoch';

export type UnitOptions = {
  readonly onPublished: (committed: Omit<Committed, 'service'>) => void;
  readonly isShared: boolean;
  /** Whoever opened the transaction runs it again after a serialisation failure, then with `isOptimistic` false. */
  readonly isOptimistic: boolean;
};

export class PostgresUnit<Key extends FactKey> implements Unit<Key> {
  readonly tx: Tx;
  readonly meta: CommandMeta<Key>;
  readonly #options: UnitOptions;
  published: LogPosition | null = null;
  readonly #unread: Promise<void>[] = [];

  constructor(tx: Tx, meta: CommandMeta<Key>, options: UnitOptions) {
    this.tx = tx;
    this.meta = meta;
    this.#options = options;
  }

  handle<State, Command, Event extends DomainEvent, PublicPayload>(
    kind: StreamKind<State, Command, Event, PublicPayload>,
    id: string,
    command: Command,
    ...[publicPayload]: Payload<PublicPayload>
  ): Promise<Handled<State, Event>> {
    const given = { meta: this.meta, publicPayload: publicPayload as PublicPayload, isNew: false };
    return this.#decide(kind, id, command, given);
  }

  create<State, Command, Event extends DomainEvent, PublicPayload>(
    kind: StreamKind<State, Command, Event, PublicPayload>,
    id: string,
    command: Command,
    ...[publicPayload]: Payload<PublicPayload>
  ): Promise<Handled<State, Event>> {
    const given = { meta: this.meta, publicPayload: publicPayload as PublicPayload, isNew: true };
    return this.#decide(kind, id, command, given);
  }

  async settle(): Promise<void> {
    await Promise.all(this.#unread);
  }

  async write(text: string, values: readonly unknown[]): Promise<void> {
    const open = openForWriting(this.tx);
    if (open) open.defer(text, values);
    else await this.tx.query(text, values);
  }

  async publish({ type, version, data, isKept = true }: OutgoingEvent): Promise<number> {
    const { orgId, key, actorId, at } = this.meta;
    const { rows } = await (openForWriting(this.tx) ?? this.tx).query<LogPosition>(publish, [
      orgId,
      key.id,
      actorId,
      at,
      metaOf(this.meta),
      randomUUIDv7(),
      type,
      version,
      JSON.stringify(data),
      isKept,
    ]);
    const [published] = rows;
    if (!published) throw new Error('The log gave no position to a published fact');
    this.#notePublished(published);
    return published.position;
  }

  async #decide<State, Command, Event extends DomainEvent, PublicPayload>(
    kind: StreamKind<State, Command, Event, PublicPayload>,
    id: string,
    command: Command,
    given: Parameters<typeof decideAndAppend<State, Command, Event, PublicPayload>>[3],
  ): Promise<Handled<State, Event>> {
    const streamId = streamIdOf(kind, id);
    const where = { orgId: this.meta.orgId, streamId };
    // Log, read models and commit leave together: should the stream not be new after all, the transaction runs again.
    let isOptimistic = given.isNew && this.#options.isOptimistic;
    const stream: StreamAccess<State, Event> = {
      streamId,
      load: async (isContended) => {
        isOptimistic = false;
        if (isContended) await this.write(lockStream, [where.orgId, streamId]);
        const isAsked = this.#options.isShared && !isContended;
        const stored = await (isAsked ? coalesce(this.tx, readTogether, where) : readStream(this.tx, where));
        return knownFrom(kind, recall<Event>(where, stored));
      },
      append: (drafts, version) =>
        this.#append({ meta: this.meta, category: kind.decider.category, streamId, version, drafts }, isOptimistic),
    };
    const handled = await decideAndAppend(kind, stream, command, given);
    await this.#project(statementsOf(kind.projections, handled.events));
    return handled;
  }

  async #append(append: Append, isOptimistic: boolean): Promise<boolean> {
    const open = openForWriting(this.tx);
    if (isOptimistic && append.drafts.length === 1 && open) {
      const unread = appendUnread(open, append).then((appended) => this.#note(append.drafts, appended));
      unread.catch(() => undefined);
      this.#unread.push(unread);
      return true;
    }
    const tx = open ?? this.tx;
    const appended = await (this.#options.isShared ? coalesce(tx, appendTogether, append) : appendAlone(tx, append));
    this.#note(append.drafts, appended);
    return appended !== null;
  }

  async #project(statements: readonly Statement[]): Promise<void> {
    if (statements.length === 0) return;
    if (this.#options.isShared) await coalesce(this.tx, projectTogether, { key: this.meta.key.id, statements });
    else await project(this.tx, statements);
  }

  #note(drafts: readonly Draft<DomainEvent>[], appended: Appended): void {
    if (!appended) return;
    const { epoch, positions } = appended;
    const lastPublic = drafts.findLastIndex(({ outgoing }) => outgoing !== null);
    if (lastPublic < 0) return;
    const position = positions[lastPublic];
    if (position === undefined) throw new Error(`The log gave no position to event ${lastPublic + 1} of an append`);
    this.#notePublished({ epoch, position });
  }

  #notePublished(published: LogPosition): void {
    const { orgId, key } = this.meta;
    if (this.published === null)
      openForWriting(this.tx)?.afterCommit(() =>
        this.#options.onPublished({ ...(this.published ?? published), key, orgId }),
      );
    this.published = published;
  }
}

export type Projecting = { readonly key: string; readonly statements: readonly Statement[] };

export async function project(tx: Tx, statements: readonly Statement[]): Promise<void> {
  const issued = statements.map(({ text, rows }) => ({ text, values: [JSON.stringify(rows)] }));
  if (tx instanceof OpenTransaction) for (const { text, values } of issued) tx.defer(text, values);
  else await Promise.all(issued.map(({ text, values }) => tx.query(text, values)));
}

/** Commands that do the same do it by one statement with the rows of all; what does something else than its key's command before comes after it. */
export async function projectTogether(tx: Tx, all: readonly Projecting[]): Promise<undefined[]> {
  const turns: Map<string, (readonly Statement[])[]>[] = [];
  const before = new Map<string, { readonly turn: number; readonly texts: string }>();
  for (const { key, statements } of all) {
    const texts = statements.map(({ text }) => text).join('\n');
    const last = before.get(key) ?? { turn: 0, texts };
    const turn = last.texts === texts ? last.turn : last.turn + 1;
    before.set(key, { turn, texts });
    const alike = (turns[turn] ??= new Map<string, (readonly Statement[])[]>());
    alike.set(texts, [...(alike.get(texts) ?? []), statements]);
  }
  await project(
    tx,
    turns.flatMap((alike) => [...alike.values()].flatMap(together)),
  );
  return all.map(() => undefined);
}
