-- What pending_notices said, a row for all credits of an organisation and week that went into the teams' sums at once:
-- the nth of each array belong together. Rows in pending_notices, which the release before still writes, are moved here
-- by a sweep; the release after this one drops that table (ADR 0076).
create table pending_credit_notices (
  id bigint generated always as identity primary key,
  org_id uuid not null,
  week_starts_on date not null,
  user_ids uuid[] not null,
  team_ids uuid[] not null,
  centimiles bigint[] not null
);

alter table pending_credit_notices enable row level security;
alter table pending_credit_notices force row level security;
create policy tenant on pending_credit_notices using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));
