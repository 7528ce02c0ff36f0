import { randomUUIDv7 } from 'node:crypto';
import type { DomainEvent } from './decider.ts';
import { decideAndAppend } from './decide.ts';
import type { CommandMeta, Committed, FactsAndOptions, Handled, StreamKind, Tx, Unit } from './event-store.ts';
import { OpenTransaction } from './open-transaction.ts';
import type { Recorded, Statement } from './projection.ts';
import type { OutgoingEvent } from './public-events.ts';
import { knownFrom, placed, recall, statementsOf, streamIdOf, type Draft, type StoredEvent } from './stream.ts';

/** All of one stream, oldest first; takes organisation and stream id. */
export const streamQuery = `
  select event_id as "eventId", version, pos as position, type, schema_version as "schemaVersion", data,
    actor_id as "actorId", recorded_at as "recordedAt"
  from es.events where org_id = $1 and stream_id = $2 order by version`;

const append = `select es.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) as positions`;

const lockStream = 'select es.lock_stream($1, $2)';

const publish = 'select es.publish($1, $2, $3, $4, $5, $6, $7, $8, $9) as position';

/** A unit on a transaction of PostgreSQL, its own or somebody else's. */
export class PostgresUnit implements Unit {
  readonly tx: Tx;
  readonly meta: CommandMeta;
  readonly #announce: (position: number) => void;
  /** Position of the last message that the unit published. */
  published: number | null = null;

  constructor(tx: Tx, meta: CommandMeta, onPublished: (committed: Omit<Committed, 'service'>) => void) {
    this.tx = tx;
    this.meta = meta;
    this.#announce = (position) => onPublished({ position, key: meta.key, orgId: meta.orgId });
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
    const stream = {
      streamId,
      load: async (isContended: boolean) => {
        if (isContended) await this.#run([{ text: lockStream, values: [where.orgId, streamId] }]);
        const { rows } = await this.tx.query<StoredEvent>(streamQuery, [where.orgId, streamId]);
        return knownFrom(kind, recall<Event>(kind, where, rows));
      },
      append: (drafts: readonly Draft<Event>[], version: number) => this.#append(kind, drafts, { streamId, version }),
    };
    const given = { meta: this.meta, facts: facts as Facts, isFresh: options?.fresh ?? false };
    const handled = await decideAndAppend(kind, stream, command, given);
    await this.#run(statementsOf(kind.projections, handled.events));
    return handled;
  }

  async publish({ type, version, data }: OutgoingEvent): Promise<number> {
    const { orgId, key, actorId, at } = this.meta;
    const { rows } = await this.tx.query<{ position: number }>(publish, [
      ...[orgId, key, actorId, at, metaOf(this.meta)],
      ...[randomUUIDv7(), type, version, JSON.stringify(data)],
    ]);
    const position = rows[0]?.position;
    if (position === undefined) throw new Error('The log gave no position to a published fact');
    this.#notePublished(position);
    return position;
  }

  async #append<Event extends DomainEvent>(
    kind: { readonly decider: { readonly category: string } },
    drafts: readonly Draft<Event>[],
    { streamId, version }: { streamId: string; version: number },
  ): Promise<Recorded<Event>[] | null> {
    const { orgId, key, actorId, at } = this.meta;
    const { rows } = await this.tx.query<{ positions: string[] | null }>(append, [
      ...[orgId, streamId, kind.decider.category, key, version, actorId, at, metaOf(this.meta)],
      drafts.map(({ event }) => event.eventId),
      drafts.map(({ event }) => event.type),
      drafts.map(({ schemaVersion }) => schemaVersion),
      drafts.map(({ json }) => json),
      drafts.map(({ outgoing }) => outgoing?.type ?? null),
      drafts.map(({ outgoing }) => outgoing?.version ?? null),
      drafts.map(({ outgoing }) => (outgoing ? JSON.stringify(outgoing.data) : null)),
    ]);
    const positions = rows[0]?.positions?.map(Number);
    if (!positions) return null;
    const lastPublic = drafts.findLastIndex(({ outgoing }) => outgoing !== null);
    if (lastPublic >= 0) this.#notePublished(positions[lastPublic] ?? 0);
    return placed(drafts, positions);
  }

  /** Read models need no answer: their statements travel with what comes next. Somebody else's transaction is waited for. */
  async #run(statements: readonly Statement[]): Promise<void> {
    const { tx } = this;
    if (tx instanceof OpenTransaction) for (const { text, values } of statements) tx.defer(text, values);
    else await Promise.all(statements.map(({ text, values }) => tx.query(text, values)));
  }

  #notePublished(position: number): void {
    if (this.published === null && this.tx instanceof OpenTransaction)
      this.tx.afterCommit(() => this.#announce(this.published ?? position));
    this.published = position;
  }
}

function metaOf({ causes, traceparent }: CommandMeta): string {
  return JSON.stringify({ ...(causes && { causes }), ...(traceparent !== undefined && { traceparent }) });
}
