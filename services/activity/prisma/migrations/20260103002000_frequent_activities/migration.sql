-- How often a member uses which activity besides the presets; names are what they typed, so they go with the member.
create table frequent_activities (
  org_id uuid not null,
  activity_id uuid not null default uuidv7(),
  user_id uuid not null,
  -- As typed last; the same in other letters is the same activity.
  activity_name text not null,
  name_key text not null generated always as (lower(activity_name collate "pg_unicode_fast")) stored,
  usage_count integer not null,
  used_at timestamptz not null,
  primary key (org_id, user_id, name_key)
);
create index frequent_activities_order on frequent_activities (org_id, user_id, usage_count desc, used_at desc, activity_id);

alter table frequent_activities enable row level security;
alter table frequent_activities force row level security;
create policy tenant on frequent_activities using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));
