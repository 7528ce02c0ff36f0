-- The badges of members as scoring tells them, for their profiles.
create table member_badges (
  org_id uuid not null,
  user_id uuid not null,
  badge_id text not null,
  name text not null,
  earned_at timestamptz not null,
  primary key (org_id, user_id, badge_id)
);

alter table member_badges enable row level security;
alter table member_badges force row level security;
create policy tenant on member_badges using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));
