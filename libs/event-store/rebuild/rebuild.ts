import pg from 'pg';
import type { Readable, Tx } from '../core/event-store.ts';
import { createGeneration, replaceTables } from './generation.ts';
import { lockedPatiently, onlyOne, settledEnd } from './generation.ts';
import type { OpenTransaction } from '../postgres/open-transaction.ts';
import { createPatientPool, withSystem } from '../postgres/connections.ts';
import { type Decided, inSets, type Statement } from '../core/projection.ts';
import { recall, type StoredEvent } from '../core/stream.ts';

export type RebuildPlan = {
  readonly databaseUrl: string;
  readonly projection: AnyProjection;
  readonly kinds: readonly AnyKind[];
  readonly afterReplay?: Readonly<Record<string, AfterReplay>> | undefined;
  readonly batchSize?: number;
};

export type Rebuilt = {
  readonly events: number;
  readonly revision: number;
  readonly generation: number;
};

/** The flip holds every writer up, so no more than this is left to it while the log can be caught up with. */
const restAtMost = 1_000;
const maxRounds = 10;

/** Fills a new generation beside the live one and puts it in its place; commands wait only for the flip. Throws `NotRebuildable`. */
export async function rebuild(plan: RebuildPlan): Promise<Rebuilt> {
  const { projection } = plan;
  const kinds = plan.kinds.filter(({ projections }) => projections.includes(projection));
  const schema = `rebuild_${projection.name.replaceAll(/[^a-z0-9]/g, '_')}`;
  const { batchSize = 10_000 } = plan;
  const replay: Replay = { projection, kinds, schema, batchSize, afterReplay: plan.afterReplay?.[projection.name] };
  const pool = createPatientPool(plan.databaseUrl, { max: 4 });
  try {
    return await onlyOne(pool, projection.name, () => replace(pool, replay));
  } finally {
    await pool.end();
  }
}

async function replace(pool: pg.Pool, replay: Replay): Promise<Rebuilt> {
  const { projection, schema } = replay;
  try {
    const completion = await withSystem(pool, (tx) => createGeneration(tx, schema, projection.tables));
    const caughtUp = await catchUp(pool, replay, completion);
    const flipped = await lockedPatiently(pool, (tx) => flip(tx, replay, caughtUp.position));
    return { ...flipped, events: caughtUp.events + flipped.events };
  } catch (error) {
    await pool.query(`drop schema if exists ${schema} cascade`).catch(() => undefined);
    throw error;
  }
}

async function catchUp(
  pool: pg.Pool,
  replay: Replay,
  completion: readonly string[],
): Promise<{ events: number; position: number }> {
  let events = 0;
  let position = 0;
  for (let round = 1; round <= maxRounds; round++) {
    const until = await lockedPatiently(pool, settledEnd);
    const count = await replayBetween(pool, replay, { after: position, until });
    events += count;
    position = until;
    if (round === 1) await complete(pool, replay, completion);
    else if (count <= restAtMost) break;
  }
  return { events, position };
}

async function complete(pool: pg.Pool, { schema }: Replay, completion: readonly string[]): Promise<void> {
  await withSystem(pool, async (tx) => {
    tx.defer(`set local search_path = ${schema}, public`);
    for (const statement of completion) tx.defer(statement);
  });
}

async function flip(tx: OpenTransaction, replay: Replay, after: number): Promise<Rebuilt> {
  const { projection, schema } = replay;
  // Whoever has written the live tables commits first and is replayed below; whoever has not will find the new ones.
  const tables = projection.tables.map((table) => `public.${pg.escapeIdentifier(table)}`).join(', ');
  await tx.query(`lock table ${tables} in access exclusive mode`);
  await tx.query(`set local search_path = ${schema}, public`);
  const events = await replayRest(tx, replay, after);
  await replaceTables(tx, schema, projection.tables);
  const { rows } = await tx.query<{ generation: number }>(
    `insert into es.projections (name, revision, generation) values ($1, $2, 1)
     on conflict (name) do update set revision = excluded.revision, generation = projections.generation + 1, rebuilt_at = now()
     returning generation`,
    [projection.name, projection.revision],
  );
  return { events, revision: projection.revision, generation: rows[0]?.generation ?? 0 };
}

export type AnyProjection = {
  readonly name: string;
  readonly revision: number;
  readonly tables: readonly string[];
  readonly on: Readonly<Record<string, 'ignored' | ((event: never) => readonly Statement[])>>;
};

export type AnyKind = Readable<never> & { readonly projections: readonly AnyProjection[] };

/** What the service itself does with the rows otherwise, in a job or with the next command; in the transaction of the batch. */
export type AfterReplay = (tx: Tx, events: readonly Decided<never>[]) => Promise<void>;

export type Replay = {
  readonly projection: AnyProjection;
  readonly kinds: readonly AnyKind[];
  readonly schema: string;
  readonly batchSize: number;
  readonly afterReplay?: AfterReplay | undefined;
};

export type Range = { readonly after: number; readonly until: number };

type Row = StoredEvent & { readonly orgId: string; readonly streamId: string; readonly category: string };

const nextEvents = `
  select org_id, stream_id, category, event_id, version, pos as position, type,
    schema_version, data, actor_id, recorded_at
  from es.events where pos > $1 and pos <= $2 and category = any($3) and type = any($4) order by pos limit $5`;

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
      // Nobody sees the new generation yet: what a crash loses of it is filled again.
      tx.defer(`set local search_path = ${replay.schema}, public; set local synchronous_commit = off`);
      await project(tx, replay, batch);
    });
    next = withSystem(pool, (tx) => read(tx, replay, from));
    await Promise.all([write, next]);
  }
}

export async function replayRest(tx: OpenTransaction, replay: Replay, after: number): Promise<number> {
  const rest = await read(
    tx,
    { ...replay, batchSize: Number.MAX_SAFE_INTEGER },
    { after, until: Number.MAX_SAFE_INTEGER },
  );
  await project(tx, replay, rest);
  return rest.length;
}

async function read(tx: Tx, { projection, kinds, batchSize }: Replay, { after, until }: Range): Promise<Row[]> {
  const categories = kinds.map(({ decider }) => decider.category);
  // An event that this code does not know is one that a newer process projects.
  const types = Object.keys(projection.on).filter((type) => projection.on[type] !== 'ignored');
  const { rows } = await tx.query<Row>(nextEvents, [after, until, categories, types, batchSize]);
  return rows;
}

async function project(tx: OpenTransaction, replay: Replay, rows: readonly Row[]): Promise<void> {
  const { projection, afterReplay } = replay;
  const events = rows.flatMap(({ category: _category, orgId, streamId, ...stored }) =>
    recall<never>({ orgId, streamId }, [stored]),
  );
  const statements = events.map((event: Decided) => {
    const on = projection.on[event.type];
    return on === undefined || on === 'ignored' ? [] : on(event as never);
  });
  for (const { text, rows } of inSets(statements)) tx.defer(text, [JSON.stringify(rows)]);
  if (events.length > 0) await afterReplay?.(tx, events);
}
