import type pg from 'pg';
import { withSystem } from './postgres.ts';
import { replayBetween, type Range, type Replay } from './replay.ts';

type Stretch = { readonly type: string; readonly events: number; readonly last: number };

/** Batches that are looked at together. */
const batchesPerLook = 50;
/** Shorter stretches than this share of a batch are not worth statements of their own. */
const worthwhileShare = 1 / 20;

// What lies between two events of one type and does not concern the projection does not part them.
const stretchesSql = `
  with next as (
    select pos, type from es.events where pos > $1 and pos <= $2 and category = any($3) and type = any($4)
    order by pos limit $5
  ), runs as (
    select type, pos, row_number() over (order by pos) - row_number() over (partition by type order by pos) as run from next
  )
  select type, count(*)::int as events, max(pos) as last from runs group by type, run order by last`;

const stretchSql = `
  create temporary table stretch on commit drop as
  select pos, org_id, event_id, data, actor_id, recorded_at from es.events
  where pos > $1 and pos <= $2 and category = any($3) and type = $4`;

/**
 * Projects a range in order: long stretches of one type by the projection's own statements for that, the rest one by
 * one. Answers how many events concerned the projection.
 */
export async function replayInBulk(pool: pg.Pool, replay: Replay, range: Range): Promise<number> {
  // Such statements read data as it lies in the log: none may have to be lifted to a newer version.
  const { projection, kinds } = replay;
  const isPossible = projection.inBulk !== undefined && kinds.every(({ upcasters }) => upcasters === undefined);
  if (!isPossible) return replayBetween(pool, replay, range);
  let count = 0;
  let after: number | undefined = range.after;
  while (after !== undefined) {
    const stretches = await stretchesIn(pool, replay, { ...range, after });
    count += await replayStretches(pool, replay, after, stretches);
    after = stretches.at(-1)?.last;
  }
  return count;
}

async function replayStretches(pool: pg.Pool, replay: Replay, after: number, stretches: readonly Stretch[]) {
  let count = 0;
  let done = after;
  let position = after;
  // Neighbours that are too short go together.
  const catchUp = async () => {
    if (done < position) count += await replayBetween(pool, replay, { after: done, until: position });
  };
  for (const stretch of stretches) {
    if (statementsFor(replay, stretch).length > 0) {
      await catchUp();
      await projectStretch(pool, replay, { after: position, stretch });
      count += stretch.events;
      done = stretch.last;
    }
    position = stretch.last;
  }
  await catchUp();
  return count;
}

function statementsFor({ projection, batchSize }: Replay, { type, events }: Stretch): readonly string[] {
  return events >= batchSize * worthwhileShare ? (projection.inBulk?.[type] ?? []) : [];
}

function stretchesIn(pool: pg.Pool, { projection, kinds, batchSize }: Replay, range: Range): Promise<Stretch[]> {
  const types = Object.keys(projection.on).filter((type) => projection.on[type] !== 'ignored');
  const values = [range.after, range.until, categoriesOf(kinds), types, batchSize * batchesPerLook];
  return withSystem(pool, async (tx) => (await tx.query<Stretch>(stretchesSql, values)).rows);
}

function projectStretch(
  pool: pg.Pool,
  replay: Replay,
  { after, stretch }: { after: number; stretch: Stretch },
): Promise<void> {
  return withSystem(pool, async (tx) => {
    // Nobody sees the new generation yet: what a crash loses of it is filled again.
    tx.defer(`set local search_path = ${replay.schema}, public; set local synchronous_commit = off`);
    tx.defer(`set local work_mem = '128MB'`);
    tx.defer(stretchSql, [after, stretch.last, categoriesOf(replay.kinds), stretch.type]);
    for (const statement of statementsFor(replay, stretch)) tx.defer(statement);
  });
}

const categoriesOf = (kinds: Replay['kinds']): string[] => kinds.map(({ decider }) => decider.category);
