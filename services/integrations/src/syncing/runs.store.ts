import type { Tx } from '@caravan/event-store/core/event-store';
import type { Counts } from '../importing/index.ts';
import { isNotPaused, type RunRef } from './catch-ups.store.ts';
import type { BegunCause, Run, Trouble } from './run.ts';

const leaseSeconds = 120;

const columns = `r.org_id, r.run_id, r.user_id, r.provider, r.cause,
  r.from_at as "from", r.to_at as "to", r.started_at, r.reached_at,
  r.stretch_began_at, r.cursor, r.tries`;

export type NewRun = Pick<Run, 'orgId' | 'runId' | 'userId' | 'provider' | 'from' | 'to'> & {
  readonly cause: BegunCause;
  readonly now: Date;
};

export async function beginRun(tx: Tx, run: NewRun): Promise<void> {
  await tx.query(
    `insert into sync_runs (org_id, run_id, user_id, provider, cause, state, from_at, to_at, reached_at, started_at, due_at)
     values ($1, $2, $3, $4, $5, 'running', $6, $7, $7, $8, $8)`,
    [run.orgId, run.runId, run.userId, run.provider, run.cause, run.from, run.to, run.now],
  );
}

/** Undefined: it is over, not due, or another process is at it. */
export async function claimRun(tx: Tx, { orgId, runId }: RunRef): Promise<Run | undefined> {
  const { rows } = await tx.query<Run>(
    `update sync_runs r set leased_until = now() + ${leaseSeconds} * interval '1 second', tries = tries + 1
     where org_id = $1 and run_id = $2 and state = 'running' and due_at <= now()
       and (leased_until is null or leased_until < now()) and ${isNotPaused('r')}
     returning ${columns}`,
    [orgId, runId],
  );
  return rows[0];
}

export type Progress = Pick<Run, 'reachedAt' | 'stretchBeganAt' | 'cursor'>;

/** Throws when somebody else has come further: the transaction undoes what would be counted twice. */
export async function advance(tx: Tx, run: Run, to: Progress, counts: Counts): Promise<void> {
  const { rowCount } = await tx.query(
    `update sync_runs r set reached_at = $3, stretch_began_at = $4, cursor = $5, tries = 0, failure = null,
       leased_until = now() + ${leaseSeconds} * interval '1 second', ${added}
     where org_id = $1 and run_id = $2 and state = 'running' and reached_at = $6 and cursor is not distinct from $7`,
    [run.orgId, run.runId, to.reachedAt, to.stretchBeganAt, to.cursor, run.reachedAt, run.cursor, ...valuesOf(counts)],
  );
  if (rowCount !== 1) throw new Overtaken();
}

/** Somebody else is at the same run. */
export class Overtaken extends Error {}

const added = `imported = imported + $8, updated = updated + $9, removed = removed + $10,
  skipped = (select coalesce(jsonb_object_agg(why, n), '{}') from (
    select key as why, sum(value::integer) as n from (
      select * from jsonb_each_text(skipped) union all select * from jsonb_each_text($11)) both_of group by key) summed)`;

const valuesOf = ({ imported, updated, removed, skipped }: Counts) => [
  imported,
  updated,
  removed,
  JSON.stringify(skipped),
];

type Ended = {
  readonly imported: number;
  /** A run that nobody waited for had failed, and none had ended well since. */
  readonly wasFailing: boolean;
};

/** Undefined: it had ended before. */
export async function endRun(
  tx: Tx,
  { orgId, runId, userId, provider, startedAt }: Run,
  failure: Trouble | null,
): Promise<Ended | undefined> {
  const { rows } = await tx.query<Ended>(
    `update sync_runs e set state = $3, failure = $4, ended_at = now(), leased_until = null
     where org_id = $1 and run_id = $2 and state = 'running'
     returning imported, exists (
       select from sync_runs f where (f.org_id, f.user_id, f.provider) = (e.org_id, e.user_id, e.provider)
         and f.state = 'failed' and f.cause <> 'asked' and f.run_id <> e.run_id and not exists (
           select from sync_runs d where (d.org_id, d.user_id, d.provider) = (e.org_id, e.user_id, e.provider)
             and d.state = 'done' and d.cause <> 'notice' and d.ended_at > f.ended_at)) as was_failing`,
    [orgId, runId, failure === null ? 'done' : 'failed', failure],
  );
  if (rows[0] && failure === null)
    await tx.query(
      `update provider_accounts set last_synced_at = greatest(coalesce(last_synced_at, $4), $4)
       where org_id = $1 and user_id = $2 and provider = $3`,
      [orgId, userId, provider, startedAt],
    );
  return rows[0];
}

export async function postponeRun(
  tx: Tx,
  { orgId, runId }: Run,
  seconds: number,
  failure: string | null,
): Promise<void> {
  await tx.query(
    `update sync_runs set due_at = now() + $3 * interval '1 second', leased_until = null, failure = $4
     where org_id = $1 and run_id = $2 and state = 'running'`,
    [orgId, runId, seconds, failure],
  );
}

/** Shows what notices brought as a run that is over; where nothing came of it there is no run. */
export async function recordNotices(
  tx: Tx,
  run: Pick<Run, 'orgId' | 'runId' | 'userId' | 'provider'>,
  counts: Counts,
): Promise<void> {
  const { imported, updated, removed, skipped } = counts;
  if (imported + updated + removed === 0 && Object.keys(skipped).length === 0) return;
  await tx.query(
    `insert into sync_runs (org_id, run_id, user_id, provider, cause, state, from_at, to_at, reached_at, started_at,
       ended_at, due_at, imported, updated, removed, skipped)
     values ($1, $2, $3, $4, 'notice', 'done', now(), now(), now(), now(), now(), now(), $5, $6, $7, $8)`,
    [run.orgId, run.runId, run.userId, run.provider, ...valuesOf(counts)],
  );
}
