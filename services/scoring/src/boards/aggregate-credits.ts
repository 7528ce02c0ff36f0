/**
 * Moves credits into the sums of their teams: $1 is the organisation, $2 the entries, $3 whether Redis has missed them.
 * Sorted, so that two processes that write the same teams cannot wait crosswise.
 */
export const aggregateSql = `
  with aggregated as (
    -- By their ids and no other index, which would find everything of the organisation that is deleted and cannot go yet.
    delete from pending_team_credits where entry_id = any($2::uuid[]) and org_id::text = $1::uuid::text
    returning entry_id, team_id, user_id, credited_on, week_starts_on, centimiles, credited_at,
      coalesce(week_reached_at, credited_at) as week_reached_at
  ), weeks as (
    insert into team_weeks as w (org_id, team_id, week_starts_on, centimiles, reached_at)
    select $1, team_id, week_starts_on, sum(centimiles), max(week_reached_at) from aggregated group by 2, 3 order by 2, 3
    on conflict (org_id, team_id, week_starts_on) do update set centimiles = w.centimiles + excluded.centimiles,
      reached_at = greatest(w.reached_at, excluded.reached_at)
  ), days as (
    insert into team_days as d (org_id, team_id, credited_on, centimiles)
    select $1, team_id, credited_on, sum(centimiles) from aggregated group by 2, 3 order by 2, 3
    on conflict (org_id, team_id, credited_on) do update set centimiles = d.centimiles + excluded.centimiles
  ), contributors as (
    insert into team_contributors as c (org_id, team_id, user_id, last_credited_on)
    select $1, team_id, user_id, max(credited_on) from aggregated where centimiles > 0 group by 2, 3 order by 2, 3
    on conflict (org_id, team_id, user_id) do update set last_credited_on = excluded.last_credited_on
      where c.last_credited_on < excluded.last_credited_on
  ), logged as (
    -- Entry by entry: before the first statistics a join would read the whole ledger of the organisation for each.
    select f.*, e.minutes, e.movements from aggregated f cross join lateral (
      select minutes, movements from ledger_entries
      where org_id = $1 and entry_id = f.entry_id and log_id is not null offset 0
    ) e
  ), moved as (
    insert into team_week_days as d (org_id, team_id, week_starts_on, user_id, credited_on, movements)
    select $1, team_id, week_starts_on, user_id, credited_on, sum(movements) from logged
    group by 2, 3, 4, 5 having sum(movements) <> 0 order by 2, 3, 4, 5
    on conflict (org_id, team_id, week_starts_on, user_id, credited_on) do update set movements = d.movements + excluded.movements
    returning new.team_id, new.week_starts_on, (new.movements > 0)::int - coalesce((old.movements > 0)::int, 0) as days
  ), figures as (
    insert into team_week_figures as w (org_id, team_id, week_starts_on, centimiles, minutes, activities, days)
    select $1, team_id, week_starts_on, sum(centimiles), sum(minutes), sum(movements),
      coalesce((select sum(m.days) from moved m where m.team_id = l.team_id and m.week_starts_on = l.week_starts_on), 0)
    from logged l group by 2, 3 order by 2, 3
    on conflict (org_id, team_id, week_starts_on) do update set centimiles = w.centimiles + excluded.centimiles,
      minutes = w.minutes + excluded.minutes, activities = w.activities + excluded.activities, days = w.days + excluded.days
  ), generations as (
    insert into board_generations as g (org_id, generation) select $1, 1 where $3
    on conflict (org_id) do update set generation = g.generation + 1
  )
  insert into team_totals as t (org_id, team_id, centimiles, reached_at)
  select $1, team_id, sum(centimiles), max(credited_at) from aggregated group by 2 order by 2
  on conflict (org_id, team_id) do update set centimiles = t.centimiles + excluded.centimiles,
    reached_at = greatest(t.reached_at, excluded.reached_at)`;
