// What one entry at a time does in ledger.projection.ts and streaks.projection.ts, for a stretch of the log at once.

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

/** What teams' challenges count of their weeks. */
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

/** Entries and sums. The sums of teams are filled at once: what waits in pending_team_credits is only what comes later. */
export const creditsInBulk: readonly string[] = [
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

const moved = `(select distinct org_id, ${user} as user_id from stretch where ${movements} <> 0)`;

/** Dates first; then the runs of whoever moved are told from all of their dates. */
export const daysInBulk: readonly string[] = [
  `insert into member_days as d (org_id, user_id, credited_on, entries)
   select org_id, ${user}, ${day}, sum(${movements}) from stretch where ${movements} <> 0 group by 1, 2, 3 order by 1, 2, 3
   on conflict (org_id, user_id, credited_on) do update set entries = d.entries + excluded.entries`,
  `delete from member_days d using stretch s
   where ${movements.replaceAll('data', 's.data')} < 0 and d.org_id = s.org_id
     and d.user_id = ${user.replace('data', 's.data')} and d.credited_on = ${day.replace('data', 's.data')} and d.entries <= 0`,
  `delete from streak_runs r using ${moved} m where r.org_id = m.org_id and r.user_id = m.user_id`,
  `insert into streak_runs (org_id, user_id, started_on, ended_on)
   select org_id, user_id, min(credited_on), max(credited_on) from (
     select d.org_id, d.user_id, d.credited_on,
       d.credited_on - row_number() over (partition by d.org_id, d.user_id order by d.credited_on)::int as island
     from member_days d join ${moved} m on m.org_id = d.org_id and m.user_id = d.user_id
   ) days group by org_id, user_id, island order by 1, 2, 3`,
];

/** Miles that were taken back make claims wait for a review. */
export const pendingClaimReviewsInBulk: readonly string[] = [
  `insert into pending_claim_reviews (org_id, entry_id, user_id, team_id, week_starts_on)
   select org_id, (data->>'entryId')::uuid, ${user}, ${team}, ${week} from stretch where ${centimiles} < 0
   on conflict (org_id, entry_id) do nothing`,
];
