import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

// For tables that are empty or full, never what statistics say: their indexes are right for both.
export const lookUp = `select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** A snapshot, and the table that it saw. */
export type Seen = { readonly seen: string; readonly table: number };

const sweepSql = `
  select pg_current_snapshot()::text as seen, to_regclass('pending_team_credit_sets')::oid as "table", array(
    select distinct org_id from (
      select org_id from pending_team_credit_sets
      where swept_by >= case when s.seen is null then '0'::xid8 else pg_snapshot_xmax(s.seen) end
      union all
      select late.org_id from pg_snapshot_xip(s.seen) as in_progress, lateral (
        select org_id from pending_team_credit_sets where swept_by = in_progress offset 0
      ) late
    ) f
  ) as org_ids
  from (select case when $2::oid = to_regclass('pending_team_credit_sets')::oid then $1::pg_snapshot end as seen) s`;

/** The organisations with credits that came since an earlier sweep. */
export async function organisationsSince(
  pool: Pool,
  swept: Seen | undefined,
): Promise<(Seen & { readonly orgIds: string[] }) | undefined> {
  const { rows } = await withSystem(pool, (tx) => {
    tx.defer(lookUp);
    return tx.last<Seen & { orgIds: string[] }>(sweepSql, [swept?.seen ?? null, swept?.table ?? null]);
  });
  return rows[0];
}

/** Everything that teams have earned, in all organisations. */
export async function centimilesOfAll(pool: Pool): Promise<number> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ centimiles: number }>(
      `select ((select coalesce(sum(centimiles), 0) from team_totals)
         + (select coalesce(sum(c), 0) from pending_team_credit_sets, unnest(centimiles) c))::float8 as centimiles`,
    ),
  );
  return rows[0]?.centimiles ?? 0;
}
