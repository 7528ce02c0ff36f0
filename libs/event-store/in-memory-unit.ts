import type { FactKey } from '@caravan/contracts/fact-key';
import type { LogPosition } from '@caravan/contracts/log-position';
import type { DomainEvent } from './decider.ts';
import { decideAndAppend } from './decide.ts';
import type { CommandMeta, PayloadAndOptions, Handled, StreamKind, Tx, Unit } from './event-store.ts';
import type { Statement } from './projection.ts';
import type { OutgoingEvent } from './public-events.ts';
import type { Kept } from './requests.ts';
import { knownFrom, placed, recall, statementsOf, streamIdOf, type Draft, type StoredEvent } from './stream.ts';

/** A message as the outbox holds it, without its id. */
export type Published = OutgoingEvent & { readonly position: number } & Omit<CommandMeta, 'at' | 'key'> & {
    readonly key: string;
    readonly occurredAt: Date;
  };

/** An event as the in-memory log holds it. */
export type Logged = StoredEvent & { readonly orgId: string; readonly streamId: string };

/** What a transaction adds, or has added. */
export class Pending implements Tx {
  readonly log: Logged[] = [];
  readonly published: Published[] = [];
  readonly statements: Statement[] = [];
  readonly requests = new Map<string, Kept & { readonly bodyHash: string }>();
  readonly effects: (() => void)[] = [];

  /** Takes over what another transaction adds. */
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

/** A unit on a transaction of the in-memory store. */
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
    ...rest: PayloadAndOptions<PublicPayload>
  ): Promise<Handled<State, Event>> {
    const [publicPayload, options] = rest;
    const streamId = streamIdOf(kind, id);
    const where = { orgId: this.meta.orgId, streamId };
    const stored = (): StoredEvent[] => eventsOf([this.#kept, this.tx], where);
    const stream = {
      streamId,
      load: async () => knownFrom(kind, recall<Event>(kind, where, stored())),
      append: async (drafts: readonly Draft<Event>[], version: number) =>
        stored().length === version ? placed(drafts, this.#append(where, drafts)) : null,
    };
    const given = { meta: this.meta, publicPayload: publicPayload as PublicPayload, isFresh: options?.fresh ?? false };
    const handled = await decideAndAppend(kind, stream, command, given);
    this.tx.statements.push(...statementsOf(kind.projections, handled.events));
    return handled;
  }

  async publish(event: OutgoingEvent): Promise<number> {
    return this.#send(event, this.#nextPosition());
  }

  notePublished(published: LogPosition): void {
    if (this.published === null) this.tx.effects.push(() => this.#announce(this.published ?? published));
    this.published = published;
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
    const { at, key, ...meta } = this.meta;
    const plain = JSON.parse(JSON.stringify(data)) as object;
    this.tx.published.push({ ...meta, key: key.id, type, version, data: plain, position, occurredAt: at });
    this.notePublished({ epoch: 0, position });
    return position;
  }
}

/** The events of one stream in what is kept and what is being added. */
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
