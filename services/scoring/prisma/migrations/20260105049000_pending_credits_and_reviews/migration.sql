-- The field's names: credits that wait for their teams' sums, and claims that wait to be reviewed. Rows, policies and
-- transactions' ids stay as they are.
alter table fresh_credits rename to pending_team_credits;
alter table claims_in_doubt rename to pending_claim_reviews;
alter index fresh_credits_of_organisation rename to pending_team_credits_of_organisation;
alter index fresh_credits_of_sweep rename to pending_team_credits_of_sweep;
alter index fresh_credits_of_entry rename to pending_team_credits_of_entry;

do $$
declare
  old record;
begin
  for old in
    select c.conrelid::regclass as tbl, c.conname as name, r.new || substr(c.conname, length(r.old) + 1) as renamed
    from (values ('fresh_credits', 'pending_team_credits'), ('claims_in_doubt', 'pending_claim_reviews')) as r (old, new)
    join pg_constraint c on c.conrelid = r.new::regclass and starts_with(c.conname, r.old)
  loop
    execute format('alter table %s rename constraint %I to %I', old.tbl, old.name, old.renamed);
  end loop;
end $$;

drop function fresh_credits_of(uuid);
drop function fresh_credits_since(uuid, pg_snapshot);

-- An organisation's credits that a snapshot does not see; all of them where it is null. `coalesce` would keep the index
-- from being used behind row-level security.
create function pending_team_credits_since(p_org uuid, p_seen pg_snapshot)
returns table (org_id uuid, entry_id uuid, user_id uuid, team_id uuid, credited_on date, week_starts_on date,
  centimiles integer, credited_at timestamptz, week_reached_at timestamptz)
language sql stable rows 50
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select p.org_id, p.entry_id, p.user_id, p.team_id, p.credited_on, p.week_starts_on, p.centimiles, p.credited_at,
    p.week_reached_at
  from pending_team_credits p
  where p.org_id = p_org and p.xid >= case when p_seen is null then '0'::xid8 else pg_snapshot_xmax(p_seen) end
  union all
  select late.* from pg_snapshot_xip(p_seen) as in_progress, lateral (
    select p.org_id, p.entry_id, p.user_id, p.team_id, p.credited_on, p.week_starts_on, p.centimiles, p.credited_at,
      p.week_reached_at
    from pending_team_credits p
    where p.org_id = p_org and p.xid = in_progress offset 0
  ) late
$$;

-- What is not in the sums of teams yet.
create function pending_team_credits_of(p_org uuid)
returns table (org_id uuid, entry_id uuid, user_id uuid, team_id uuid, credited_on date, week_starts_on date,
  centimiles integer, credited_at timestamptz, week_reached_at timestamptz)
language sql stable rows 50 as $$
  select * from pending_team_credits_since(p_org, folded_until(p_org))
$$;
