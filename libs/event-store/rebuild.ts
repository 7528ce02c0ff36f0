import pg from 'pg';
import { createGeneration, replaceTables } from './generation.ts';
import { lockedPatiently, onlyOne, settledEnd } from './locking.ts';
import type { OpenTransaction } from './open-transaction.ts';
import { createPool, withSystem } from './postgres.ts';
import { replayInBulk } from './replay-in-bulk.ts';
import { replayRest, type AnyKind, type AnyProjection, type Replay } from './replay.ts';

export type RebuildPlan = {
  /** The owner of the database: tables are created and replaced. */
  readonly databaseUrl: string;
  readonly projection: AnyProjection;
  /** The service's stream kinds; those that name the projection are its sources. */
  readonly kinds: readonly AnyKind[];
  /** Events per transaction; 2,000 unless said otherwise. */
  readonly batchSize?: number;
};

export type Rebuilt = {
  readonly events: number;
  readonly revision: number;
  /** Counts the rebuilds of this projection. */
  readonly generation: number;
};

/** The flip holds every writer up, so no more than this is left to it while the log can be caught up with. */
const restAtMost = 1_000;
const maxRounds = 10;

/**
 * Fills a new generation of an inline projection from the log beside the live one, then puts it in its place. Commands
 * go on meanwhile and wait only for the flip; what they record is in the new generation exactly once. Throws
 * `NotRebuildable` when something else hangs on the tables, and leaves the live generation alone whenever it fails.
 */
export async function rebuild(plan: RebuildPlan): Promise<Rebuilt> {
  const { projection } = plan;
  const kinds = plan.kinds.filter(({ projections }) => projections.includes(projection));
  const schema = `rebuild_${projection.name.replaceAll(/[^a-z0-9]/g, '_')}`;
  const replay: Replay = { projection, kinds, schema, batchSize: plan.batchSize ?? 2_000 };
  const pool = createPool(plan.databaseUrl, { max: 4 });
  const guard = await pool.connect();
  try {
    await onlyOne(guard, projection.name);
    const completion = await withSystem(pool, (tx) => createGeneration(tx, schema, projection.tables));
    const caughtUp = await catchUp(pool, replay, completion);
    const flipped = await lockedPatiently(pool, (tx) => flip(tx, replay, caughtUp.position));
    return { ...flipped, events: caughtUp.events + flipped.events };
  } catch (error) {
    await pool.query(`drop schema if exists ${schema} cascade`).catch(() => undefined);
    throw error;
  } finally {
    guard.release(true);
    await pool.end();
  }
}

/** Replays in rounds, each up to a settled end of the log, until little is left. */
async function catchUp(
  pool: pg.Pool,
  replay: Replay,
  completion: readonly string[],
): Promise<{ events: number; position: number }> {
  let events = 0;
  let position = 0;
  for (let round = 1; round <= maxRounds; round++) {
    const until = await lockedPatiently(pool, settledEnd);
    const count = await replayInBulk(pool, replay, { after: position, until });
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
  // Whoever has projected into the live tables commits before this is granted and is seen by the replay of the rest;
  // whoever has not yet will find the new ones.
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
