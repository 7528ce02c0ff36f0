import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { isNotPaused, type RunRef } from './catch-ups.store.ts';

/** Runs whose job never came, was lost, or has died. */
export async function dueRuns(pool: Pool, resting: readonly string[]): Promise<RunRef[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<RunRef>(
      `select org_id, run_id from sync_runs r
       where state = 'running' and due_at <= now() and (leased_until is null or leased_until < now())
         and run_id::text <> all($1::text[]) and ${isNotPaused('r')}
       order by due_at limit 500`,
      [resting],
    ),
  );
  return rows;
}

type Minute = { readonly night: string; readonly minutesGone: number; readonly minutes: number; readonly now: Date };

/** Begins the nightly sync of the accounts whose minute of this night has come, each once a night. */
export async function beginNightly(pool: Pool, { night, minutesGone, minutes, now }: Minute): Promise<void> {
  await withSystem(pool, (tx) =>
    tx.query(
      `insert into sync_runs (org_id, run_id, user_id, provider, cause, state, night, from_at, to_at, reached_at,
         started_at, due_at)
       select org_id, gen_random_uuid(), user_id, provider, 'nightly', 'running', $1,
         greatest(connected_at - interval '30 days', coalesce(last_synced_at, connected_at - interval '23 days') - interval '7 days'),
         $4::timestamptz + interval '15 minutes', $4::timestamptz + interval '15 minutes', $4, $4
       from provider_accounts a
       where state = 'connected' and ${isNotPaused('a')} and connected_at < $4::timestamptz - interval '1 hour'
         and (hashtextextended(user_id::text || provider, 0) & 2147483647) % $3::integer <= $2::integer
         and not exists (select from sync_runs r where (r.org_id, r.user_id, r.provider, r.night)
           = (a.org_id, a.user_id, a.provider, $1::date))
       order by org_id, user_id limit 500
       on conflict (org_id, user_id, provider, night) where night is not null do nothing`,
      [night, minutesGone, minutes, now],
    ),
  );
}

/** Raw answers, and figures that only their owner may see, may lie for seven days (D21); here they lie for six. */
export async function deleteExpiredData(pool: Pool, now: Date): Promise<void> {
  await withSystem(pool, async (tx) => {
    await tx.query(
      `update imported_workouts set raw = null, raw_at = null,
         meters = case when audience = 'owner' then null else meters end,
         heart_rate = case when audience = 'owner' then null else heart_rate end,
         calories = case when audience = 'owner' then null else calories end
       where raw_at < $1::timestamptz - interval '6 days'`,
      [now],
    );
    await tx.query(`delete from sync_runs where ended_at < $1::timestamptz - interval '90 days'`, [now]);
  });
}

export type SyncFigure = {
  readonly provider: string;
  readonly cause: string;
  readonly count: number;
  /** Seconds for which the run that is due longest has been due. */
  readonly late: number;
};

/** Syncs that have not ended, by platform and cause. */
export async function syncFigures(pool: Pool): Promise<SyncFigure[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<SyncFigure>(
      `select provider, cause, count(*) as count,
         greatest(0, extract(epoch from now() - min(due_at)))::float8 as late
       from sync_runs where state = 'running' group by provider, cause`,
    ),
  );
  return rows;
}
