import type { OpenTransaction } from '@caravan/event-store/postgres/open-transaction';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { creditsInSql } from '../ledger/index.ts';
import type { Credit } from './leaderboard-entry.ts';
import { boardMilesSql, boardVersionSql } from './leaderboard-rows.query.ts';
import { lookUp, type Seen } from './team-credits.system.query.ts';

const creditsPerLook = 5_000;
/** What is told in one transaction (credit-notices.service.ts) is not much more than a row has. */
const noticesInRow = 250;

// $2 and $3: the snapshot of an earlier look and the table that it saw; a rebuild replaces the table.
const lookSql = `
  select f.set_id, f.user_id, f.week_starts_on, f.team_id,
    m.team_id as current_team_id, ${boardMilesSql('t.centimiles')} as centimiles, t.reached_at,
    ${boardVersionSql('t.version')} as version, ${boardMilesSql('w.centimiles')} as week_centimiles,
    w.reached_at as week_reached_at, ${boardVersionSql('w.version')} as week_version, (select pg_current_snapshot()::text) as seen,
    to_regclass('pending_team_credit_sets')::oid as "table"
  from pending_team_credit_sets_since($1, case
    when $3::oid = to_regclass('pending_team_credit_sets')::oid then $2::pg_snapshot else sets_aggregated_until($1) end,
    ${creditsPerLook}) f
  join member_totals t on t.org_id = f.org_id and t.user_id = f.user_id
  join member_weeks w on w.org_id = f.org_id and w.week_starts_on = f.week_starts_on and w.user_id = f.user_id
  left join members m on m.org_id = f.org_id and m.user_id = f.user_id
  order by f.set_id`;

// $2 is the snapshot whose credits are gone now, of the table $3, which nobody can replace before the commit.
const boundSql = `
  with before as (
    select ctid from credit_set_aggregations where org_id = $1 order by ends_before desc limit 1
  ), gone as (
    delete from credit_set_aggregations
    where ctid = any(array(select ctid from before where $3::oid = to_regclass('pending_team_credit_sets')::oid))
  )
  insert into credit_set_aggregations (org_id, ends_before, seen)
  select $1, pg_snapshot_xmax($2::pg_snapshot), $2::pg_snapshot where $3::oid = to_regclass('pending_team_credit_sets')::oid
  on conflict do nothing`;

export type PendingTeamCredit = Credit & Seen & { readonly setId: string };

export type Look = {
  readonly credits: readonly PendingTeamCredit[];
  readonly isCut: boolean;
};

/** The credits of an organisation that came since an earlier look; all of them where there was none. */
export async function creditsSince(pool: Pool, orgId: string, { seen, table }: Partial<Seen>): Promise<Look> {
  const { rows } = await tenantQuery<PendingTeamCredit>(pool, orgId, lookSql, [orgId, seen ?? null, table ?? null]);
  return { credits: rows, isCut: rows.length >= creditsPerLook };
}

type Sets = {
  readonly orgId: string;
  readonly setIds: readonly string[];
  /** Boards have missed something and are built anew. */
  readonly isMissed: boolean;
  /** Null while there may be other sets. */
  readonly until: Seen | null;
};

/** Moves sets of credits into the sums of teams, by statements that are sent with the next one that is awaited. */
export function aggregateSets(tx: Pick<OpenTransaction, 'defer'>, { orgId, setIds, isMissed, until }: Sets): void {
  tx.defer(lookUp);
  tx.defer(aggregateSql, [orgId, setIds]);
  if (isMissed) tx.defer(newGenerationSql, [orgId]);
  if (until) tx.defer(boundSql, [orgId, until.seen, until.table]);
}

// Sorted: two processes cannot wait crosswise.
const sums = `
  days as (
    insert into team_days as d (org_id, team_id, credited_on, centimiles)
    select org_id, team_id, credited_on, sum(centimiles) from credit group by 1, 2, 3 order by 1, 2, 3
    on conflict (org_id, team_id, credited_on) do update set centimiles = d.centimiles + excluded.centimiles
  ), contributors as (
    insert into team_contributors as c (org_id, team_id, user_id, last_credited_on)
    select org_id, team_id, user_id, max(credited_on) from credit where centimiles > 0 group by 1, 2, 3 order by 1, 2, 3
    on conflict (org_id, team_id, user_id) do update set last_credited_on = excluded.last_credited_on
      where c.last_credited_on < excluded.last_credited_on
  ), moved as (
    insert into team_week_days as d (org_id, team_id, week_starts_on, user_id, credited_on, movements)
    select org_id, team_id, week_starts_on, user_id, credited_on, sum(movements) from credit
    group by 1, 2, 3, 4, 5 having sum(movements) <> 0 order by 1, 2, 3, 4, 5
    on conflict (org_id, team_id, week_starts_on, user_id, credited_on)
      do update set movements = d.movements + excluded.movements
    returning new.org_id, new.team_id, new.week_starts_on,
      (new.movements > 0)::int - coalesce((old.movements > 0)::int, 0) as days
  ), weeks as (
    insert into team_weeks as w (org_id, team_id, week_starts_on, centimiles, reached_at, logged_centimiles, minutes,
      activities, days)
    select c.*, coalesce(m.days, 0) from (
      select org_id, team_id, week_starts_on, sum(centimiles), max(coalesce(week_reached_at, credited_at)),
        coalesce(sum(centimiles) filter (where movements is not null), 0), coalesce(sum(minutes), 0),
        coalesce(sum(movements), 0)
      from credit group by 1, 2, 3
    ) c left join (
      select org_id, team_id, week_starts_on, sum(days) as days from moved group by 1, 2, 3
    ) m using (org_id, team_id, week_starts_on) order by 1, 2, 3
    on conflict (org_id, team_id, week_starts_on) do update set centimiles = w.centimiles + excluded.centimiles,
      reached_at = greatest(w.reached_at, excluded.reached_at),
      logged_centimiles = w.logged_centimiles + excluded.logged_centimiles, minutes = w.minutes + excluded.minutes,
      activities = w.activities + excluded.activities, days = w.days + excluded.days
  )
  insert into team_totals as t (org_id, team_id, centimiles, reached_at)
  select org_id, team_id, sum(centimiles), max(credited_at) from credit group by 1, 2 order by 1, 2
  on conflict (org_id, team_id) do update set centimiles = t.centimiles + excluded.centimiles,
    reached_at = greatest(t.reached_at, excluded.reached_at)`;

// What somebody may have to be told of; a rebuild has told it.
const noticed = `
  noticed as (
    insert into pending_credit_notices (org_id, week_starts_on, user_ids, team_ids, centimiles)
    select org_id, week_starts_on, array_agg(user_id), array_agg(team_id), array_agg(centimiles) from (
      select org_id, week_starts_on, user_id, team_id, sum(centimiles) as centimiles,
        (row_number() over (partition by org_id, week_starts_on order by user_id, team_id) - 1) / ${noticesInRow} as part
      from credit group by 1, 2, 3, 4
    ) c group by org_id, week_starts_on, part order by 1, 2, part
  ), `;

/** Of the organisation $1 the sets $2. */
export const aggregateSql = sumsOf(
  `
    -- By their ids and no other index, which would find everything of the organisation that is deleted and cannot go yet.
    delete from pending_team_credit_sets where set_id = any($2::uuid[]) and org_id::text = $1::uuid::text
    returning *`,
  noticed,
);

/** For a rebuild: everything that its replay has put down, of all organisations. */
export async function aggregateAll(tx: Tx): Promise<void> {
  await tx.query(sumsOf('select * from pending_team_credit_sets'));
  await tx.query('truncate pending_team_credit_sets');
}

const newGenerationSql = `
  insert into board_generations as g (org_id, generation) values ($1, 1)
  on conflict (org_id) do update set generation = g.generation + 1`;

/** Moves sets of credits into the sums of teams. */
function sumsOf(sets: string, beside = ''): string {
  return `
    with sets as (${sets}), credit as materialized (select * from ${creditsInSql('sets')}), ${beside}${sums}`;
}
