-- Teams, organisations and where members live, told by identity: what ballots, cards and comments need of them.

create table organisations (
  org_id uuid not null primary key,
  time_zone text not null,
  -- What the set-up said; null before it (D20).
  industry text,
  brand_traits text[] not null default '{}',
  set_up_at timestamptz,
  is_closed boolean not null default false
);

create table teams (
  org_id uuid not null,
  team_id uuid not null,
  name text not null,
  emoji text not null,
  -- Position of the fact that formed it: the older team has the lower one.
  formed_position bigint not null,
  is_retired boolean not null default false,
  primary key (org_id, team_id)
);

alter table members
  add column time_zone text,
  add column joined_on date,
  add column is_active boolean not null default true;
create index members_of_team on members (org_id, team_id) where is_active and not is_erased;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['organisations', 'teams'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
