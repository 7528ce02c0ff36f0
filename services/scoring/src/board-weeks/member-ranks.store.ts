import { addDays } from '@caravan/contracts/domain/time/local-days';
import { boardWeeksCount } from '@caravan/contracts/http/scores';
import type { Tx } from '@caravan/event-store/core/event-store';
import { isOnBoardsSql } from '../leaderboards/index.ts';

// $1 is the organisation, $2 the first Monday, $3 the running one, whose entries change no finished week.
const rankedFromSql = `
  select concat_ws('.', $2::date, a.version - coalesce(w.version, 0), a.centimiles - coalesce(w.centimiles, 0),
      (select sum(board_changes) from members where org_id = $1)) as now,
    (select ranked_from from ranked_organisations where org_id = $1) as before
  from (select sum(version) as version, sum(centimiles) as centimiles from member_totals where org_id = $1) a,
    (select sum(version) as version, sum(centimiles) as centimiles from member_weeks
     where org_id = $1 and week_starts_on >= $3) w`;

/**
 * The total at the end of a week is today's without what later weeks brought, so only weeks of the span are read. Who is
 * on the board and how ties rank follow the board (D12); those who were erased count for others and have no row.
 */
const ranksSql = `
  with boarded as materialized (
    select user_id, centimiles from member_totals where org_id = $1 and ${isOnBoardsSql}
  ), totals as (
    select b.user_id, s.monday::date as week_starts_on, b.centimiles - coalesce(sum(w.centimiles) over later, 0) as centimiles
    from boarded b
    cross join generate_series($2::date, $3::date, interval '7 days') as s (monday)
    left join member_weeks w on w.org_id = $1 and w.week_starts_on = s.monday and w.user_id = b.user_id
    window later as (
      partition by b.user_id order by s.monday desc rows between unbounded preceding and 1 preceding)
  ), ranked as materialized (
    select user_id, week_starts_on, centimiles, rank() over (partition by week_starts_on order by centimiles desc) as rank
    from totals where week_starts_on < $3::date and centimiles > 0
  ), stored as (
    insert into member_ranks as r (org_id, user_id, week_starts_on, rank, centimiles)
    select $1, user_id, week_starts_on, rank, centimiles from ranked
    where user_id <> all(array(select user_id from members where org_id = $1 and is_erased))
      and not exists (
        select from member_ranks s where s.org_id = $1 and s.user_id = ranked.user_id
          and s.week_starts_on = ranked.week_starts_on and s.rank = ranked.rank and s.centimiles = ranked.centimiles)
    on conflict (org_id, user_id, week_starts_on) do update set rank = excluded.rank, centimiles = excluded.centimiles
  )
  delete from member_ranks r where org_id = $1 and not exists (
    select from ranked where ranked.user_id = r.user_id and ranked.week_starts_on = r.week_starts_on)`;

const rankedSql = `
  insert into ranked_organisations (org_id, ranked_from) values ($1, $2)
  on conflict (org_id) do update set ranked_from = excluded.ranked_from`;

/** Writes the ranks of the finished weeks again unless nothing has changed since. @param runningWeek its Monday */
export async function storeRanks(tx: Tx, orgId: string, runningWeek: string): Promise<void> {
  const firstWeek = addDays(runningWeek, -7 * (boardWeeksCount - 1));
  const { rows } = await tx.query<{ now: string; before: string | null }>(rankedFromSql, [
    orgId,
    firstWeek,
    runningWeek,
  ]);
  const [row] = rows;
  if (!row || row.now === row.before) return;
  await tx.query(ranksSql, [orgId, firstWeek, runningWeek]);
  await tx.query(rankedSql, [orgId, row.now]);
}

/** @param userId null: of the whole organisation */
export async function deleteRanks(tx: Tx, orgId: string, userId: string | null): Promise<void> {
  await tx.query('delete from member_ranks where org_id = $1 and ($2::uuid is null or user_id = $2)', [orgId, userId]);
  if (userId === null) await tx.query('delete from ranked_organisations where org_id = $1', [orgId]);
}
