-- Boards of a week beside those of all miles (D12): since when a week's miles count as reached, and how many entries are
-- behind them. Both come from the log, so that a rebuild brings the same.
select set_config('app.org', 'system', true);

alter table member_weeks add column reached_at timestamptz, add column version bigint;
update member_weeks w set reached_at = e.reached_at, version = e.version
from (
  select org_id, (data ->> 'userId')::uuid as user_id, (data ->> 'weekStartsOn')::date as week_starts_on, count(*) as version,
    max(coalesce(data ->> 'reachedAt', data ->> 'creditedAt')::timestamptz) as reached_at
  from es.events where type = 'MilesCredited' group by 1, 2, 3
) e
where e.org_id = w.org_id and e.user_id = w.user_id and e.week_starts_on = w.week_starts_on;
alter table member_weeks alter column reached_at set not null, alter column version set not null;

-- A week's board is built and read by week. No index in the order of the board: it would be written with every log, and
-- is needed only while Redis has lost the board of the running week (ADR 0009).
alter table member_weeks drop constraint member_weeks_pkey, add primary key (org_id, week_starts_on, user_id);

alter table team_weeks add column reached_at timestamptz;
update team_weeks w set reached_at = e.reached_at
from (
  select org_id, (data ->> 'teamId')::uuid as team_id, (data ->> 'weekStartsOn')::date as week_starts_on,
    max(coalesce(data ->> 'reachedAt', data ->> 'creditedAt')::timestamptz) as reached_at
  from es.events where type = 'MilesCredited' group by 1, 2, 3
) e
where e.org_id = w.org_id and e.team_id = w.team_id and e.week_starts_on = w.week_starts_on;
alter table team_weeks alter column reached_at set not null;

-- Only where it differs from when the total counts as reached: miles that moved to another week.
alter table fresh_credits add column week_reached_at timestamptz;
select set_config('app.org', '', true);
