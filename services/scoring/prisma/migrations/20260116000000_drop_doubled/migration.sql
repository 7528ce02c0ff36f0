drop function pending_team_credits_of(uuid);
drop function pending_team_credits_since(uuid, pg_snapshot);
drop function aggregated_until(uuid);
drop table pending_team_credits, credit_aggregations, pending_notices, member_days;

-- The credits that are not in the sums of teams yet.
create function pending_team_credits_of(p_org uuid)
returns table (org_id uuid, set_id uuid, user_id uuid, team_id uuid, credited_on date, week_starts_on date,
  centimiles integer, credited_at timestamptz, week_reached_at timestamptz, movements smallint, minutes integer)
language sql stable rows 50 as $$
  select * from pending_team_credit_sets_since(p_org, sets_aggregated_until(p_org), null)
$$;
