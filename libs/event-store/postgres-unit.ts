import { randomUUIDv7 } from 'node:crypto';
import type { FactKey } from '@caravan/contracts/fact-key';
import type { LogPosition } from '@caravan/contracts/log-position';
import { appendAlone, appendTogether, canBeOptimistic, metaOf, type Append, type Appended } from './append.ts';
import type { DomainEvent } from './decider.ts';
import { decideAndAppend, type StreamAccess } from './decide.ts';
import type { CommandMeta, Committed, PayloadAndOptions, Handled, StreamKind, Tx, Unit } from './event-store.ts';
import { OpenTransaction } from './open-transaction.ts';
import { project, projectTogether } from './project.ts';
import type { Projection } from './projection.ts';
import type { OutgoingEvent } from './public-events.ts';
import {
  knownFrom,
  placed,
  recall,
  statementsOf,
  streamIdOf,
  withoutPositions,
  type Draft,
  type StoredEvent,
} from './stream.ts';
import { coalesce } from './coalesce.ts';

/** All of one stream, oldest first; takes organisation and stream id. */
export const streamQuery = `
  select event_id as "eventId", version, pos as position, type, schema_version as "schemaVersion", data,
    actor_id as "actorId", recorded_at as "recordedAt"
  from es.events where org_id = $1 and stream_id = $2 order by version`;

const lockStream = 'select es.lock_stream($1, $2)';

const publish =
  'select es.publish($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as position, (select max(epoch) from es.epochs) as epoch';

export type UnitOptions = {
  readonly onPublished: (committed: Omit<Committed, 'service'>) => void;
  /** Several units share the transaction: what they do in the same moment is done by the same statements. */
  readonly isShared: boolean;
  /** Whoever opened the transaction runs it again after a serialisation failure, then with `isOptimistic` false. */
  readonly isOptimistic: boolean;
  /** Nothing but the unit's own statements belongs to its transaction. */
  readonly mayEnd: boolean;
};

type Kind<Event extends DomainEvent> = {
  readonly decider: { readonly category: string };
  readonly projections: readonly Projection<Event>[];
};

/** A unit on a transaction of PostgreSQL, its own or somebody else's. */
export class PostgresUnit<Key extends FactKey> implements Unit<Key> {
  readonly tx: Tx;
  readonly meta: CommandMeta<Key>;
  readonly #options: UnitOptions;
  /** Where the last message that the unit published stands. */
  published: LogPosition | null = null;

  constructor(tx: Tx, meta: CommandMeta<Key>, options: UnitOptions) {
    this.tx = tx;
    this.meta = meta;
    this.#options = options;
  }

  async handle<State, Command, Event extends DomainEvent, PublicPayload>(
    kind: StreamKind<State, Command, Event, PublicPayload>,
    id: string,
    command: Command,
    ...rest: PayloadAndOptions<PublicPayload>
  ): Promise<Handled<State, Event>> {
    const [publicPayload, options] = rest;
    const streamId = streamIdOf(kind, id);
    const where = { orgId: this.meta.orgId, streamId };
    const isFresh = options?.fresh ?? false;
    // Log and read models in one round trip: should the stream not be new after all, the transaction runs again.
    let isOptimistic =
      isFresh && this.#options.isOptimistic && !kind.projections.some(({ namesPositions }) => namesPositions);
    const stream: StreamAccess<State, Event> = {
      streamId,
      load: async (isContended) => {
        isOptimistic = false;
        if (isContended) await project(this.tx, [{ text: lockStream, values: [where.orgId, streamId] }]);
        const { rows } = await this.tx.query<StoredEvent>(streamQuery, [where.orgId, streamId]);
        return knownFrom(kind, recall<Event>(kind, where, rows));
      },
      append: async (drafts, version) => {
        isOptimistic &&= canBeOptimistic(drafts);
        const appended = this.#append(kind, drafts, { streamId, version, isOptimistic });
        if (isOptimistic) await this.#assume(kind, drafts, options?.last ?? false);
        return this.#noted(drafts, await appended);
      },
    };
    const handled = await decideAndAppend(kind, stream, command, {
      meta: this.meta,
      publicPayload: publicPayload as PublicPayload,
      isFresh,
    });
    if (!isOptimistic) await this.#project(kind, handled);
    return handled;
  }

  async publish({ type, version, data, isKept = true }: OutgoingEvent): Promise<number> {
    const { orgId, key, actorId, at } = this.meta;
    const { rows } = await this.tx.query<LogPosition>(publish, [
      ...[orgId, key.id, actorId, at, metaOf(this.meta)],
      ...[randomUUIDv7(), type, version, JSON.stringify(data), isKept],
    ]);
    const [published] = rows;
    if (!published) throw new Error('The log gave no position to a published fact');
    this.#notePublished(published);
    return published.position;
  }

  #append<Event extends DomainEvent>(
    kind: Kind<Event>,
    drafts: readonly Draft<Event>[],
    { streamId, version, isOptimistic }: { streamId: string; version: number; isOptimistic: boolean },
  ): Promise<Appended> {
    const { meta, tx } = this;
    const append: Append = { meta, category: kind.decider.category, streamId, version, drafts };
    return this.#options.isShared ? coalesce(tx, appendTogether, append) : appendAlone(tx, append, isOptimistic);
  }

  async #project<Event extends DomainEvent>(
    { projections }: Kind<Event>,
    { events }: Pick<Handled<unknown, Event>, 'events'>,
  ): Promise<void> {
    const statements = statementsOf(projections, events);
    if (statements.length === 0) return;
    if (this.#options.isShared) await coalesce(this.tx, projectTogether, { key: this.meta.key.id, statements });
    else await project(this.tx, statements);
  }

  /** What follows from an append that has not been answered yet. */
  async #assume<Event extends DomainEvent>(
    { projections }: Kind<Event>,
    drafts: readonly Draft<Event>[],
    isLast: boolean,
  ): Promise<void> {
    const { tx } = this;
    await project(tx, statementsOf(projections, withoutPositions(drafts)));
    if (isLast && this.#options.mayEnd && tx instanceof OpenTransaction) tx.end();
  }

  #noted<Event extends DomainEvent>(drafts: readonly Draft<Event>[], appended: Appended) {
    if (!appended) return null;
    const { epoch, positions } = appended;
    const lastPublic = drafts.findLastIndex(({ outgoing }) => outgoing !== null);
    if (lastPublic >= 0) this.#notePublished({ epoch, position: positions[lastPublic] ?? 0 });
    return placed(drafts, positions);
  }

  #notePublished(published: LogPosition): void {
    const { orgId, key } = this.meta;
    if (this.published === null && this.tx instanceof OpenTransaction)
      this.tx.afterCommit(() => this.#options.onPublished({ ...(this.published ?? published), key, orgId }));
    this.published = published;
  }
}
