-- From when to when somebody was an active member of a team: figures of a past week rest on who was there when it began
-- (ADR 0092). What was before this table is not known: members are taken to have been in their team since they came to it.
create table member_stays (
  org_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  since timestamptz not null,
  until timestamptz,
  primary key (org_id, user_id, since)
);

alter table member_stays enable row level security;
alter table member_stays force row level security;
create policy tenant on member_stays using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));

select set_config('app.org', 'system', true);
insert into member_stays (org_id, user_id, team_id, since)
select org_id, user_id, team_id, coalesce(in_team_since, joined_on, date '2000-01-01')
from members where is_active and not is_erased;
