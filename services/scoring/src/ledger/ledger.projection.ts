import type { Projection } from '@caravan/event-store/projection';
import type { LedgerEvent } from './ledger.ts';

// One statement for all members whose logs came together. Sums are grouped: a statement changes a row only once.
const creditSql = `
  with credit as materialized (
    select * from json_to_recordset($1) as c (org_id uuid, entry_id uuid, kind text, log_id uuid, user_id uuid,
      team_id uuid, centimiles integer, credited_on date, week_starts_on date, credited_at timestamptz,
      reached_at timestamptz, week_reached_at timestamptz, movements smallint, minutes integer, activity text,
      duration_minutes integer, previous_minutes integer, multiplier numeric, previous_multiplier numeric,
      challenge_id uuid)
  ), entry as (
    insert into ledger_entries (org_id, entry_id, kind, log_id, user_id, team_id, centimiles, credited_on, week_starts_on,
      credited_at, movements, minutes, activity, duration_minutes, previous_minutes, multiplier, previous_multiplier,
      challenge_id)
    select org_id, entry_id, kind, log_id, user_id, team_id, centimiles, credited_on, week_starts_on, credited_at, movements,
      minutes, activity, duration_minutes, previous_minutes, multiplier, previous_multiplier, challenge_id
    from credit
  ), pending as (
    insert into pending_team_credits (org_id, entry_id, user_id, team_id, credited_on, week_starts_on, centimiles, credited_at,
      week_reached_at)
    select org_id, entry_id, user_id, team_id, credited_on, week_starts_on, centimiles, reached_at, week_reached_at
    from credit
  ), week as (
    insert into member_weeks as w (org_id, user_id, week_starts_on, centimiles, reached_at, version)
    select org_id, user_id, week_starts_on, sum(centimiles), max(coalesce(week_reached_at, reached_at)), count(*)
    from credit group by 1, 2, 3 order by 1, 3, 2
    on conflict (org_id, week_starts_on, user_id) do update set centimiles = w.centimiles + excluded.centimiles,
      reached_at = greatest(w.reached_at, excluded.reached_at), version = w.version + excluded.version
  )
  insert into member_totals as t (org_id, user_id, centimiles, reached_at, version)
  select org_id, user_id, sum(centimiles), max(reached_at), count(*) from credit group by 1, 2 order by 1, 2
  on conflict (org_id, user_id) do update set centimiles = t.centimiles + excluded.centimiles,
    reached_at = greatest(t.reached_at, excluded.reached_at), version = t.version + excluded.version`;

const user = `(data->>'userId')::uuid`;
const team = `(data->>'teamId')::uuid`;
const centimiles = `(data->>'centimiles')::int`;
const day = `(data->>'creditedOn')::date`;
const week = `(data->>'weekStartsOn')::date`;
const reachedAt = `coalesce(data->>'reachedAt', data->>'creditedAt')::timestamptz`;
const weekReachedAt = `coalesce(data->>'weekReachedAt', data->>'reachedAt', data->>'creditedAt')::timestamptz`;
const movements = `coalesce((data->>'movements')::int, 1)`;
const basis = (field: string) => `data->'basis'->>'${field}'`;
// The first logs tell no minutes: each earned ten hundredths of a mile.
const minutes = `case when data ? 'basis' then coalesce((${basis('minutes')})::int, 0) else floor(${centimiles} / 10.0 + 0.5)::int end`;

const logs = `stretch where data->>'logId' is not null`;

const figuresInBulk = `
  with moved as (
    insert into team_week_days as d (org_id, team_id, week_starts_on, user_id, credited_on, movements)
    select org_id, ${team}, ${week}, ${user}, ${day}, sum(${movements}) from ${logs}
    group by 1, 2, 3, 4, 5 having sum(${movements}) <> 0 order by 1, 2, 3, 4, 5
    on conflict (org_id, team_id, week_starts_on, user_id, credited_on) do update set movements = d.movements + excluded.movements
    returning new.org_id, new.team_id, new.week_starts_on,
      (new.movements > 0)::int - coalesce((old.movements > 0)::int, 0) as days
  ), days as (
    select org_id, team_id, week_starts_on, sum(days) as days from moved group by 1, 2, 3
  )
  insert into team_week_figures as w (org_id, team_id, week_starts_on, centimiles, minutes, activities, days)
  select l.*, coalesce(days.days, 0) from (
    select org_id, ${team} as team_id, ${week} as week_starts_on, sum(${centimiles}), sum(${minutes}), sum(${movements})
    from ${logs} group by 1, 2, 3
  ) l left join days using (org_id, team_id, week_starts_on)
  on conflict (org_id, team_id, week_starts_on) do update set centimiles = w.centimiles + excluded.centimiles,
    minutes = w.minutes + excluded.minutes, activities = w.activities + excluded.activities, days = w.days + excluded.days`;

/** Teams' sums are filled at once: only what comes later waits in pending_team_credits. */
const creditsInBulk: readonly string[] = [
  `insert into ledger_entries (org_id, entry_id, kind, log_id, user_id, team_id, centimiles, credited_on, week_starts_on,
     credited_at, movements, minutes, activity, duration_minutes, previous_minutes, multiplier, previous_multiplier,
     challenge_id)
   select org_id, (data->>'entryId')::uuid, data->>'kind', (data->>'logId')::uuid, ${user}, ${team}, ${centimiles},
     ${day}, ${week}, (data->>'creditedAt')::timestamptz, ${movements},
     ${minutes},
     ${basis('activity')}, (${basis('durationMinutes')})::int, (${basis('previousMinutes')})::int,
     (${basis('multiplier')})::numeric, (${basis('previousMultiplier')})::numeric, (${basis('challengeId')})::uuid
   from stretch`,
  `insert into member_weeks as w (org_id, week_starts_on, user_id, centimiles, reached_at, version)
   select org_id, ${week}, ${user}, sum(${centimiles}), max(${weekReachedAt}), count(*)
   from stretch group by 1, 2, 3 order by 1, 2, 3
   on conflict (org_id, week_starts_on, user_id) do update set centimiles = w.centimiles + excluded.centimiles,
     reached_at = greatest(w.reached_at, excluded.reached_at), version = w.version + excluded.version`,
  `insert into member_totals as t (org_id, user_id, centimiles, reached_at, version)
   select org_id, ${user}, sum(${centimiles}), max(${reachedAt}), count(*) from stretch group by 1, 2 order by 1, 2
   on conflict (org_id, user_id) do update set centimiles = t.centimiles + excluded.centimiles,
     reached_at = greatest(t.reached_at, excluded.reached_at), version = t.version + excluded.version`,
  `insert into team_weeks as w (org_id, team_id, week_starts_on, centimiles, reached_at)
   select org_id, ${team}, ${week}, sum(${centimiles}), max(${weekReachedAt}) from stretch group by 1, 2, 3 order by 1, 2, 3
   on conflict (org_id, team_id, week_starts_on) do update set centimiles = w.centimiles + excluded.centimiles,
     reached_at = greatest(w.reached_at, excluded.reached_at)`,
  `insert into team_days as d (org_id, team_id, credited_on, centimiles)
   select org_id, ${team}, ${day}, sum(${centimiles}) from stretch group by 1, 2, 3 order by 1, 2, 3
   on conflict (org_id, team_id, credited_on) do update set centimiles = d.centimiles + excluded.centimiles`,
  `insert into team_totals as t (org_id, team_id, centimiles, reached_at)
   select org_id, ${team}, sum(${centimiles}), max(${reachedAt}) from stretch group by 1, 2 order by 1, 2
   on conflict (org_id, team_id) do update set centimiles = t.centimiles + excluded.centimiles,
     reached_at = greatest(t.reached_at, excluded.reached_at)`,
  `insert into team_contributors as c (org_id, team_id, user_id, last_credited_on)
   select org_id, ${team}, ${user}, max(${day}) from stretch where ${centimiles} > 0 group by 1, 2, 3 order by 1, 2, 3
   on conflict (org_id, team_id, user_id) do update set last_credited_on = excluded.last_credited_on
     where c.last_credited_on < excluded.last_credited_on`,
  figuresInBulk,
];

export const ledgerProjection: Projection<LedgerEvent> = {
  name: 'miles-ledger',
  revision: 2,
  tables: [
    ...['ledger_entries', 'member_totals', 'member_weeks', 'pending_team_credits', 'credit_folds', 'team_totals'],
    ...['team_weeks', 'team_days', 'team_contributors', 'team_week_figures', 'team_week_days'],
  ],
  on: {
    MilesCredited: ({ orgId, data }) => [{ text: creditSql, rows: [rowOf(orgId, data)] }],
  },
  inBulk: { MilesCredited: creditsInBulk },
};

function rowOf(orgId: string, { basis, ...data }: LedgerEvent['data']): object {
  return {
    ...{ org_id: orgId, entry_id: data.entryId, kind: data.kind, log_id: data.logId, user_id: data.userId },
    ...{ team_id: data.teamId, centimiles: data.centimiles, credited_on: data.creditedOn },
    ...{
      week_starts_on: data.weekStartsOn,
      credited_at: data.creditedAt,
      reached_at: data.reachedAt ?? data.creditedAt,
    },
    movements: data.movements ?? 1,
    minutes: basis ? (basis.minutes ?? 0) : Math.round(data.centimiles / 10),
    ...{
      activity: basis?.activity,
      duration_minutes: basis?.durationMinutes,
      previous_minutes: basis?.previousMinutes,
    },
    ...{ multiplier: basis?.multiplier, previous_multiplier: basis?.previousMultiplier },
    ...{ challenge_id: basis?.challengeId, week_reached_at: data.weekReachedAt },
  };
}
