-- What cards of the activity feed show beside a post, and the checkpoints that teams have reached (D33). Posts from
-- before have no place and no bonus until `./caravan rebuild social feed`.
alter table posts
  add column location text,
  add column bonus_challenge_id uuid;

create table checkpoint_entries (
  org_id uuid not null,
  -- Of the fact that told it.
  entry_id uuid not null,
  journey_id uuid not null,
  team_id uuid not null,
  checkpoint_name text not null,
  route_name text not null,
  mile_mark double precision not null,
  is_last boolean not null,
  reached_at timestamptz not null,
  primary key (org_id, entry_id)
);
create unique index checkpoint_entries_once on checkpoint_entries (org_id, journey_id, team_id, checkpoint_name);
create index checkpoint_entries_of_all on checkpoint_entries (org_id, reached_at desc, entry_id desc);
create index checkpoint_entries_of_team on checkpoint_entries (org_id, team_id, reached_at desc, entry_id desc);

alter table checkpoint_entries enable row level security;
alter table checkpoint_entries force row level security;
create policy tenant on checkpoint_entries
  using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));
