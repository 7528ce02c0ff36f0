-- Whether freezes hold streaks over missed days (D11); without a row they do.
create table streak_rules (
  org_id uuid primary key,
  has_freezes boolean not null
);

alter table streak_rules enable row level security;
alter table streak_rules force row level security;
create policy tenant on streak_rules using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));
