-- What pending_team_credits said, a row for all credits of an organisation that were written at once: the nth of each
-- array belong together (ADR 0076). Rows of pending_team_credits, which the release before writes, are moved here by a
-- sweep; the release after this one drops that table, its functions and credit_aggregations.
-- Each way of asking has a column that stands in one index only (ADR 0035).
create table pending_team_credit_sets (
  org_id uuid not null,
  set_id uuid not null default uuidv7(),
  user_ids uuid[] not null,
  team_ids uuid[] not null,
  credited_on date[] not null,
  week_starts_on date[] not null,
  centimiles integer[] not null,
  credited_at timestamptz[] not null,
  week_reached_at timestamptz[] not null,
  movements smallint[] not null,
  minutes integer[] not null,
  xid xid8 not null default pg_current_xact_id(),
  swept_by xid8 not null default pg_current_xact_id()
);
create index pending_team_credit_sets_of_organisation on pending_team_credit_sets (org_id, xid);
create index pending_team_credit_sets_of_sweep on pending_team_credit_sets (swept_by);
create index pending_team_credit_sets_of_set on pending_team_credit_sets (set_id);

-- As credit_aggregations is for the credits of the release before.
create table credit_set_aggregations (
  org_id uuid not null,
  ends_before xid8 not null,
  seen pg_snapshot not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (org_id, ends_before)
) with (autovacuum_vacuum_scale_factor = 0.05);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['pending_team_credit_sets', 'credit_set_aggregations'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;

-- The snapshot whose sets are in the sums; null where none is known.
create function sets_aggregated_until(p_org uuid) returns pg_snapshot language sql stable
set enable_seqscan = off set enable_bitmapscan = off as $$
  select c.seen from credit_set_aggregations c
  where c.org_id = p_org and c.xmin = c.xid::xid and c.ends_before <= pg_snapshot_xmax(pg_current_snapshot())
  order by c.ends_before desc limit 1
$$;

-- The credits in an organisation's sets that a snapshot does not see, in all of them where it is null; no more sets than
-- have so many. `coalesce` would keep the index from being used behind row-level security.
create function pending_team_credit_sets_since(p_org uuid, p_seen pg_snapshot, p_most integer)
returns table (org_id uuid, set_id uuid, user_id uuid, team_id uuid, credited_on date, week_starts_on date,
  centimiles integer, credited_at timestamptz, week_reached_at timestamptz, movements smallint, minutes integer)
language sql stable rows 50
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select s.org_id, s.set_id, c.* from (
    select u.*, sum(cardinality(u.user_ids)) over (order by u.set_id) - cardinality(u.user_ids) as before from (
    select p.* from pending_team_credit_sets p
    where p.org_id = p_org and p.xid >= case when p_seen is null then '0'::xid8 else pg_snapshot_xmax(p_seen) end
    union all
    select late.* from pg_snapshot_xip(p_seen) as in_progress, lateral (
      select p.* from pending_team_credit_sets p where p.org_id = p_org and p.xid = in_progress offset 0
    ) late
    ) u
  ) s, unnest(s.user_ids, s.team_ids, s.credited_on, s.week_starts_on, s.centimiles, s.credited_at, s.week_reached_at,
    s.movements, s.minutes) as c
  where p_most is null or s.before < p_most
$$;

-- What is not in the sums of teams yet, whichever release has written it.
create or replace function pending_team_credits_of(p_org uuid)
returns table (org_id uuid, entry_id uuid, user_id uuid, team_id uuid, credited_on date, week_starts_on date,
  centimiles integer, credited_at timestamptz, week_reached_at timestamptz, movements smallint, minutes integer)
language sql stable rows 50 as $$
  select * from pending_team_credit_sets_since(p_org, sets_aggregated_until(p_org), null)
  union all
  select * from pending_team_credits_since(p_org, aggregated_until(p_org))
$$;
