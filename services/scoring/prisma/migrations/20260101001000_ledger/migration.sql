-- Read models of the scoring service. What identity says of people, then what follows from the ledger.

create table organisations (
  org_id uuid primary key,
  time_zone text not null
);

create table teams (
  org_id uuid not null,
  team_id uuid not null,
  name text not null,
  emoji text not null,
  -- Position of the fact that formed it: the older team has the lower one, also when two were formed at once.
  formed_position bigint not null,
  member_count integer not null default 0,
  primary key (org_id, team_id)
);

create table members (
  org_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  name text not null,
  primary key (org_id, user_id),
  foreign key (org_id, team_id) references teams (org_id, team_id)
);

create table ledger_entries (
  org_id uuid not null,
  entry_id uuid not null,
  kind text not null,
  log_id uuid,
  user_id uuid not null,
  team_id uuid not null,
  centimiles integer not null,
  credited_on date not null,
  week_starts_on date not null,
  credited_at timestamptz not null,
  primary key (org_id, entry_id)
);
create index ledger_entries_newest on ledger_entries (org_id, user_id, credited_at desc, entry_id desc);

-- `version` counts the entries behind a sum: of two copies the one with the higher version is the newer.
create table member_totals (
  org_id uuid not null,
  user_id uuid not null,
  centimiles bigint not null,
  reached_at timestamptz not null,
  version bigint not null,
  primary key (org_id, user_id)
) with (fillfactor = 70);
-- The board of an organisation in its order (D12): most miles first, then who reached them earlier.
create index member_totals_board on member_totals (org_id, (-centimiles), reached_at, user_id) where centimiles > 0;

create table member_weeks (
  org_id uuid not null,
  user_id uuid not null,
  week_starts_on date not null,
  centimiles bigint not null,
  primary key (org_id, user_id, week_starts_on)
) with (fillfactor = 70);

create table member_days (
  org_id uuid not null,
  user_id uuid not null,
  credited_on date not null,
  entries integer not null,
  primary key (org_id, user_id, credited_on)
) with (fillfactor = 70);

-- Unbroken runs of member_days; no two of a member touch.
create table streak_runs (
  org_id uuid not null,
  user_id uuid not null,
  started_on date not null,
  ended_on date not null check (ended_on >= started_on),
  primary key (org_id, user_id, started_on)
) with (fillfactor = 70);

-- Credits that are not yet in their team's sums nor on the Redis board. A team's row is shared by all its members: to
-- add to it inside a long batch would make batches wait for each other, and in two orders deadlock. So a credit only
-- inserts here, and a short transaction of its own moves it over. Sums are read from both.
create table fresh_credits (
  org_id uuid not null,
  entry_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  week_starts_on date not null,
  centimiles integer not null,
  credited_at timestamptz not null,
  primary key (org_id, entry_id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

create table team_totals (
  org_id uuid not null,
  team_id uuid not null,
  centimiles bigint not null,
  reached_at timestamptz not null,
  primary key (org_id, team_id)
) with (fillfactor = 50);

create table team_weeks (
  org_id uuid not null,
  team_id uuid not null,
  week_starts_on date not null,
  centimiles bigint not null,
  primary key (org_id, team_id, week_starts_on)
) with (fillfactor = 50);

-- Names of what was credited, for 'Recent Team Activity'; a row, so that it can be forgotten.
create table credited_movements (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  activity_type text not null,
  centimiles integer not null,
  logged_at timestamptz not null,
  primary key (org_id, log_id)
);
create index credited_movements_newest on credited_movements (org_id, logged_at desc, log_id desc);

-- Raised whenever a change could not be written to an organisation's Redis board: boards of an older generation lie.
create table board_generations (
  org_id uuid primary key,
  generation bigint not null
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['organisations', 'teams', 'members', 'ledger_entries', 'member_totals', 'member_weeks',
    'member_days', 'streak_runs', 'fresh_credits', 'team_totals', 'team_weeks', 'credited_movements',
    'board_generations'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
