-- Credits that are on their way into the sums of teams are found without walking over those that have arrived, which stay
-- as long as somebody holds an older snapshot (ADR 0035).
-- For a table that statistics take for empty, every index that has one of the columns of a condition looks alike, and a
-- plan may walk all of it. So each way of asking has a column that stands in one index only; that an entry comes once
-- ledger_entries sees to, which is written by the same statement.
alter table fresh_credits drop constraint fresh_credits_pkey;
alter table fresh_credits add column xid xid8 not null default pg_current_xact_id(),
  add column swept_by xid8 not null default pg_current_xact_id();
create index fresh_credits_of_organisation on fresh_credits (org_id, xid);
create index fresh_credits_of_sweep on fresh_credits (swept_by);
create index fresh_credits_of_entry on fresh_credits (entry_id);

-- Of each organisation: what such a snapshot sees is in the sums. The row with the highest end counts; it is written anew
-- and never updated. Another database knows other transactions: a row that was not written here by the transaction that
-- it names, as after a restore from a dump, counts for nothing, and everything is looked at once.
create table credit_folds (
  org_id uuid not null,
  ends_before xid8 not null,
  seen pg_snapshot not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (org_id, ends_before)
) with (autovacuum_vacuum_scale_factor = 0.05);
alter table credit_folds enable row level security;
alter table credit_folds force row level security;
create policy tenant on credit_folds using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));

-- An organisation's credits that a snapshot does not see; all of them where it is null. `coalesce` would keep the index
-- from being used behind row-level security.
create function fresh_credits_since(p_org uuid, p_seen pg_snapshot)
returns table (org_id uuid, entry_id uuid, user_id uuid, team_id uuid, credited_on date, week_starts_on date,
  centimiles integer, credited_at timestamptz, week_reached_at timestamptz)
language sql stable rows 50
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select f.org_id, f.entry_id, f.user_id, f.team_id, f.credited_on, f.week_starts_on, f.centimiles, f.credited_at,
    f.week_reached_at
  from fresh_credits f
  where f.org_id = p_org and f.xid >= case when p_seen is null then '0'::xid8 else pg_snapshot_xmax(p_seen) end
  union all
  select late.* from pg_snapshot_xip(p_seen) as in_progress, lateral (
    select f.org_id, f.entry_id, f.user_id, f.team_id, f.credited_on, f.week_starts_on, f.centimiles, f.credited_at,
      f.week_reached_at
    from fresh_credits f
    where f.org_id = p_org and f.xid = in_progress offset 0
  ) late
$$;

-- The snapshot whose credits are in the sums; null where none is known.
create function folded_until(p_org uuid) returns pg_snapshot language sql stable
set enable_seqscan = off set enable_bitmapscan = off as $$
  select c.seen from credit_folds c
  where c.org_id = p_org and c.xmin = c.xid::xid and c.ends_before <= pg_snapshot_xmax(pg_current_snapshot())
  order by c.ends_before desc limit 1
$$;

-- What is not in the sums of teams yet.
create function fresh_credits_of(p_org uuid)
returns table (org_id uuid, entry_id uuid, user_id uuid, team_id uuid, credited_on date, week_starts_on date,
  centimiles integer, credited_at timestamptz, week_reached_at timestamptz)
language sql stable rows 50 as $$
  select * from fresh_credits_since(p_org, folded_until(p_org))
$$;
