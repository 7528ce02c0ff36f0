import type { Projection } from '@caravan/event-store/core/projection';
import { columnDefinitions, columnList, recordOf } from '@caravan/event-store/postgres/table';
import type { LedgerEvent, MilesEntry } from './ledger.ts';

const ledgerEntry = {
  orgId: 'uuid',
  entryId: 'uuid',
  kind: 'text',
  logId: 'uuid null',
  userId: 'uuid',
  teamId: 'uuid',
  centimiles: 'integer',
  creditedOn: 'date',
  weekStartsOn: 'date',
  creditedAt: 'timestamptz',
  movements: 'smallint',
  minutes: 'integer',
  activity: 'text null',
  durationMinutes: 'integer null',
  previousMinutes: 'integer null',
  multiplier: 'numeric null',
  previousMultiplier: 'numeric null',
  challengeId: 'uuid null',
  isOwnerOnly: 'boolean',
  notCounted: 'text null',
} as const;

/** An entry, and when its totals were reached. */
const credit = { ...ledgerEntry, reachedAt: 'timestamptz', weekReachedAt: 'timestamptz null' } as const;

/** Of one organisation, written at once: a row each for these many at most. */
const creditsInSet = 250;

/** Puts the credits of a relation down for their teams; `creditedAt` is its column of when a total was reached. */
export const intoSetsSql = (credits: string, creditedAt: string, most = creditsInSet): string => `
  insert into pending_team_credit_sets (org_id, user_ids, team_ids, credited_on, week_starts_on, centimiles, credited_at,
    week_reached_at, movements, minutes)
  select org_id, array_agg(user_id), array_agg(team_id), array_agg(credited_on), array_agg(week_starts_on),
    array_agg(centimiles), array_agg(${creditedAt}), array_agg(week_reached_at), array_agg(movements), array_agg(minutes)
  from (
    select *, (row_number() over (partition by org_id order by entry_id) - 1) / ${most} as part from ${credits}
  ) c group by org_id, part`;

/** The credits of a relation of sets, a row each. */
export const creditsInSql = (sets: string): string => `(
    select s.org_id, c.* from ${sets} s, unnest(s.user_ids, s.team_ids, s.credited_on, s.week_starts_on, s.centimiles,
      s.credited_at, s.week_reached_at, s.movements, s.minutes) as c (user_id, team_id, credited_on, week_starts_on,
      centimiles, credited_at, week_reached_at, movements, minutes)) credits`;

// Sums are grouped: a statement changes a row only once. Teams' sums follow from pending_team_credit_sets.
const creditSql = `
  with credit as materialized (
    select * from json_to_recordset($1) as c (${columnDefinitions(credit)})
  ), entry as (
    insert into ledger_entries (${columnList(ledgerEntry)}) select ${columnList(ledgerEntry)} from credit
  ), earned as (
    -- Of what no log has brought, challenges of teams count neither movements nor minutes.
    select org_id, entry_id, user_id, team_id, credited_on, week_starts_on, centimiles, reached_at, week_reached_at,
      case when log_id is not null then movements end as movements, case when log_id is not null then minutes end as minutes
    from credit
  ), pending as (${intoSetsSql('earned', 'reached_at')}
  ), week as (
    insert into member_weeks as w (org_id, user_id, week_starts_on, centimiles, reached_at, version)
    select org_id, user_id, week_starts_on, sum(centimiles), max(coalesce(week_reached_at, reached_at)), count(*)
    from credit group by 1, 2, 3 order by 1, 3, 2
    on conflict (org_id, week_starts_on, user_id) do update set centimiles = w.centimiles + excluded.centimiles,
      reached_at = greatest(w.reached_at, excluded.reached_at), version = w.version + excluded.version
  )
  insert into member_totals as t (org_id, user_id, centimiles, reached_at, version, owner_only_centimiles,
    owner_only_entries)
  select org_id, user_id, sum(centimiles), max(reached_at), count(*),
    coalesce(sum(centimiles) filter (where is_owner_only), 0), count(*) filter (where is_owner_only)
  from credit group by 1, 2 order by 1, 2
  on conflict (org_id, user_id) do update set centimiles = t.centimiles + excluded.centimiles,
    reached_at = greatest(t.reached_at, excluded.reached_at), version = t.version + excluded.version,
    owner_only_centimiles = t.owner_only_centimiles + excluded.owner_only_centimiles,
    owner_only_entries = t.owner_only_entries + excluded.owner_only_entries`;

/** What earns nothing counts nowhere (D21). */
const unscored = { MovementLeftUnscored: 'ignored', UnscoredMovementRemoved: 'ignored' } as const;

export const ledgerProjection: Projection<LedgerEvent> = {
  name: 'miles-ledger',
  revision: 3,
  tables: [
    'ledger_entries',
    'member_totals',
    'member_weeks',
    'pending_team_credit_sets',
    'credit_set_aggregations',
    'team_totals',
    'team_weeks',
    'team_days',
    'team_contributors',
    'team_week_days',
  ],
  on: {
    MilesCredited: ({ orgId, data }) => [{ text: creditSql, rows: [rowOf(orgId, data)] }],
    ...unscored,
  },
};

// A date is active while its entries leave a movement, and lies in a run then, so nothing else is kept of dates. Where one
// becomes active, or is so no longer, the runs beside it are cut and joined anew: at most two lie in or beside a date, so
// no history is read. Most logs change no run. A rebuild may find entries in the ledger that it has not come to yet; what
// it makes of their dates is right once it has.
const daysSql = `
  with change as materialized (
    select c.org_id, c.user_id, c.credited_on, c.only_more or (
      select coalesce(sum(e.movements), 0) > 0 from ledger_entries e
      where e.org_id = c.org_id and e.user_id = c.user_id and e.credited_on = c.credited_on) as is_active
    from (
      select org_id, user_id, credited_on, bool_and(movements > 0) as only_more
      from json_to_recordset($1) as m (org_id uuid, user_id uuid, credited_on date, movements integer) group by 1, 2, 3
    ) c
  ), turned as materialized (
    select c.* from change c left join lateral (
      select r.ended_on from streak_runs r
      where r.org_id = c.org_id and r.user_id = c.user_id and r.started_on <= c.credited_on
      order by r.started_on desc limit 1
    ) r on true
    where c.is_active <> coalesce(r.ended_on >= c.credited_on, false)
  ), touched as materialized (
    select distinct r.* from turned t cross join lateral (
      select r.org_id, r.user_id, r.started_on, r.ended_on from streak_runs r
      where r.org_id = t.org_id and r.user_id = t.user_id and r.started_on <= t.credited_on + 1
      order by r.started_on desc limit 2
    ) r where r.ended_on >= t.credited_on - 1
  ), stops as (
    select r.org_id, r.user_id, r.started_on, t.credited_on as stop from touched r join turned t
      on t.org_id = r.org_id and t.user_id = r.user_id and t.credited_on between r.started_on and r.ended_on
    where not t.is_active
    union all select org_id, user_id, started_on, ended_on + 1 from touched
  ), pieces as (
    select org_id, user_id, stop - 1 as ended_on, coalesce(
      lag(stop) over (partition by org_id, user_id, started_on order by stop) + 1, started_on) as started_on
    from stops
    union all select org_id, user_id, credited_on, credited_on from turned where is_active
  ), islands as (
    select p.*, sum(is_apart::int) over (partition by org_id, user_id order by started_on, ended_on) as island from (
      select *, started_on > 1 + coalesce(max(ended_on) over (partition by org_id, user_id order by started_on, ended_on
        rows between unbounded preceding and 1 preceding), '-infinity') as is_apart
      from pieces where started_on <= ended_on
    ) p
  ), run as materialized (
    select org_id, user_id, min(started_on) as started_on, max(ended_on) as ended_on
    from islands group by org_id, user_id, island
  ), absorbed as (
    delete from streak_runs r using touched t
    where r.org_id = t.org_id and r.user_id = t.user_id and r.started_on = t.started_on and not exists (
      select from run where run.org_id = t.org_id and run.user_id = t.user_id and run.started_on = t.started_on)
  )
  insert into streak_runs as r (org_id, user_id, started_on, ended_on)
  select org_id, user_id, started_on, ended_on from run order by 1, 2, 3
  on conflict (org_id, user_id, started_on) do update set ended_on = excluded.ended_on
  where r.ended_on <> excluded.ended_on`;

export const streaksProjection: Projection<LedgerEvent> = {
  name: 'streaks',
  revision: 2,
  tables: ['streak_runs', 'streak_starts'],
  on: {
    MilesCredited: ({ orgId, data: { userId, creditedOn, movements = 1 } }) =>
      movements === 0
        ? []
        : [{ text: daysSql, rows: [{ org_id: orgId, user_id: userId, credited_on: creditedOn, movements }] }],
    ...unscored,
  },
};

function rowOf(orgId: string, { basis, ...data }: MilesEntry): object {
  return recordOf(credit, {
    ...data,
    orgId,
    reachedAt: data.reachedAt ?? data.creditedAt,
    movements: data.movements ?? 1,
    minutes: basis.minutes ?? 0,
    activity: basis.activity,
    durationMinutes: basis.durationMinutes,
    previousMinutes: basis.previousMinutes,
    multiplier: basis.multiplier,
    previousMultiplier: basis.previousMultiplier,
    challengeId: basis.challengeId,
    weekReachedAt: data.weekReachedAt,
    isOwnerOnly: data.isOwnerOnly ?? false,
    notCounted: basis.notCounted,
  });
}
