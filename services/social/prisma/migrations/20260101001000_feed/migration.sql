-- Read models of the social service: the posts of the feeds and the people in them.

create table members (
  org_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  name text not null,
  primary key (org_id, user_id)
);

create table posts (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  activity_type text not null,
  duration_minutes integer not null,
  centimiles integer not null,
  source text not null,
  caption text,
  created_at timestamptz not null,
  primary key (org_id, log_id)
);
-- One index per scope: a page is a range of it, however deep.
create index posts_of_all on posts (org_id, created_at desc, log_id desc);
create index posts_of_team on posts (org_id, team_id, created_at desc, log_id desc);
create index posts_of_member on posts (org_id, user_id, created_at desc, log_id desc);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['members', 'posts'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
