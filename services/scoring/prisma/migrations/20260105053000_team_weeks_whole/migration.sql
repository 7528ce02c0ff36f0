-- One row tells a team's week: its miles, and of these what its logs brought (no bonuses), as its challenges count them.
alter table team_weeks add column logged_centimiles bigint not null default 0, add column minutes bigint not null default 0,
  add column activities integer not null default 0, add column days integer not null default 0;

-- A credit on its way into the sums of its team brings all that they need; null where it comes from no log.
alter table pending_team_credits add column movements smallint, add column minutes integer;

select set_config('app.org', 'system', true);
update team_weeks w set logged_centimiles = f.centimiles, minutes = f.minutes, activities = f.activities, days = f.days
from team_week_figures f
where f.org_id = w.org_id and f.team_id = w.team_id and f.week_starts_on = w.week_starts_on;
update pending_team_credits p set movements = e.movements, minutes = e.minutes
from ledger_entries e where e.org_id = p.org_id and e.entry_id = p.entry_id and e.log_id is not null;
select set_config('app.org', '', true);
drop table team_week_figures;

-- The field's words for what is aggregated and reviewed.
alter table credit_folds rename to credit_aggregations;
alter table credit_aggregations rename constraint credit_folds_pkey to credit_aggregations_pkey;
update es.projections set name = 'pending-claim-reviews' where name = 'claims-in-doubt';

drop function pending_team_credits_of(uuid);
drop function pending_team_credits_since(uuid, pg_snapshot);
drop function folded_until(uuid);

-- The snapshot whose credits are in the sums; null where none is known.
create function aggregated_until(p_org uuid) returns pg_snapshot language sql stable
set enable_seqscan = off set enable_bitmapscan = off as $$
  select c.seen from credit_aggregations c
  where c.org_id = p_org and c.xmin = c.xid::xid and c.ends_before <= pg_snapshot_xmax(pg_current_snapshot())
  order by c.ends_before desc limit 1
$$;

-- An organisation's credits that a snapshot does not see; all of them where it is null. `coalesce` would keep the index
-- from being used behind row-level security.
create function pending_team_credits_since(p_org uuid, p_seen pg_snapshot)
returns table (org_id uuid, entry_id uuid, user_id uuid, team_id uuid, credited_on date, week_starts_on date,
  centimiles integer, credited_at timestamptz, week_reached_at timestamptz, movements smallint, minutes integer)
language sql stable rows 50
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select p.org_id, p.entry_id, p.user_id, p.team_id, p.credited_on, p.week_starts_on, p.centimiles, p.credited_at,
    p.week_reached_at, p.movements, p.minutes
  from pending_team_credits p
  where p.org_id = p_org and p.xid >= case when p_seen is null then '0'::xid8 else pg_snapshot_xmax(p_seen) end
  union all
  select late.* from pg_snapshot_xip(p_seen) as in_progress, lateral (
    select p.org_id, p.entry_id, p.user_id, p.team_id, p.credited_on, p.week_starts_on, p.centimiles, p.credited_at,
      p.week_reached_at, p.movements, p.minutes
    from pending_team_credits p
    where p.org_id = p_org and p.xid = in_progress offset 0
  ) late
$$;

-- What is not in the sums of teams yet.
create function pending_team_credits_of(p_org uuid)
returns table (org_id uuid, entry_id uuid, user_id uuid, team_id uuid, credited_on date, week_starts_on date,
  centimiles integer, credited_at timestamptz, week_reached_at timestamptz, movements smallint, minutes integer)
language sql stable rows 50 as $$
  select * from pending_team_credits_since(p_org, aggregated_until(p_org))
$$;
