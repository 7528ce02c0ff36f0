import type pg from 'pg';
import type { Readable, Tx } from './event-store.ts';
import type { OpenTransaction } from './open-transaction.ts';
import { withSystem } from './postgres.ts';
import { valuesOf, type Recorded, type Statement } from './projection.ts';
import { recall, type StoredEvent } from './stream.ts';

/** A read model as a replay needs it, whatever its events. */
export type AnyProjection = {
  readonly name: string;
  readonly revision: number;
  readonly tables: readonly string[];
  readonly on: Readonly<Record<string, 'ignored' | ((event: never) => readonly Statement[])>>;
  readonly inBulk?: Readonly<Record<string, readonly string[] | undefined>>;
};

/** A stream kind as a replay needs it, whatever its events. */
export type AnyKind = Readable<never> & { readonly projections: readonly AnyProjection[] };

/** From which of a log's streams a read model is filled, and where its tables lie. */
export type Replay = {
  readonly projection: AnyProjection;
  readonly kinds: readonly AnyKind[];
  /** The schema that holds the generation to fill. */
  readonly schema: string;
  /** Events per transaction. */
  readonly batchSize: number;
};

/** Positions of a log: behind `after`, up to and with `until`, behind which nothing can appear any more. */
export type Range = { readonly after: number; readonly until: number };

type Row = StoredEvent & { readonly orgId: string; readonly streamId: string; readonly category: string };

const nextEvents = `
  select org_id as "orgId", stream_id as "streamId", category, event_id as "eventId", version, pos as position, type,
    schema_version as "schemaVersion", data, actor_id as "actorId", recorded_at as "recordedAt"
  from es.events where pos > $1 and pos <= $2 and category = any($3) order by pos limit $4`;

/** Projects the events of a range one by one, the next batch being read while the last one is written. Answers how many. */
export async function replayBetween(pool: pg.Pool, replay: Replay, { after, until }: Range): Promise<number> {
  let count = 0;
  let position = after;
  let next = withSystem(pool, (tx) => read(tx, replay, { after, until }));
  for (;;) {
    const batch = await next;
    const last = batch.at(-1);
    if (!last) return count;
    count += batch.length;
    position = last.position;
    const from = { after: position, until };
    const write = withSystem(pool, async (tx) => {
      tx.defer(`set local search_path = ${replay.schema}, public`);
      project(tx, replay, batch);
    });
    next = withSystem(pool, (tx) => read(tx, replay, from));
    await Promise.all([write, next]);
  }
}

/** Projects what is left inside the caller's transaction, which sees the generation's tables first. */
export async function replayRest(tx: OpenTransaction, replay: Replay, after: number): Promise<number> {
  const rest = await read(
    tx,
    { ...replay, batchSize: Number.MAX_SAFE_INTEGER },
    { after, until: Number.MAX_SAFE_INTEGER },
  );
  project(tx, replay, rest);
  return rest.length;
}

async function read(tx: Tx, replay: Replay, { after, until }: { after: number; until: number }): Promise<Row[]> {
  const categories = replay.kinds.map(({ decider }) => decider.category);
  const { rows } = await tx.query<Row>(nextEvents, [after, until, categories, replay.batchSize]);
  return rows;
}

function project(tx: OpenTransaction, { projection, kinds }: Replay, rows: readonly Row[]): void {
  const kindOf = new Map(kinds.map((kind) => [kind.decider.category, kind]));
  for (const { category, orgId, streamId, ...stored } of rows) {
    const on = projection.on[stored.type];
    // An event that this code does not know is one that a newer process projects.
    if (on === undefined || on === 'ignored') continue;
    const [event]: Recorded[] = recall<never>(kindOf.get(category) ?? {}, { orgId, streamId }, [stored]);
    for (const statement of on(event as never)) tx.defer(statement.text, valuesOf(statement));
  }
}
