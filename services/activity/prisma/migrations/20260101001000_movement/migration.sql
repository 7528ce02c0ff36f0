-- Read models and rows of the activity service. Sums and dates follow from the log; texts are kept here only.

create table members (
  org_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  time_zone text not null,
  primary key (org_id, user_id)
);

create table movement_logs (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  -- A name from the product's own lists, or 'custom'.
  activity text not null,
  duration_minutes integer not null check (duration_minutes between 1 and 1440),
  centimiles integer not null,
  multiplier numeric(4, 2) not null,
  source text not null,
  started_at timestamptz not null,
  logged_at timestamptz not null,
  logged_on date not null,
  time_zone text not null,
  covered_centimiles integer,
  primary key (org_id, log_id)
);
create index movement_logs_newest on movement_logs (org_id, user_id, logged_at desc, log_id desc);

-- What a member typed: the log never holds it, and erasing the row forgets it.
create table movement_texts (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  activity_type text not null,
  caption text,
  location text,
  primary key (org_id, log_id)
);

create table member_miles (
  org_id uuid not null,
  user_id uuid not null,
  centimiles bigint not null,
  primary key (org_id, user_id)
) with (fillfactor = 70);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['members', 'movement_logs', 'movement_texts', 'member_miles'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
