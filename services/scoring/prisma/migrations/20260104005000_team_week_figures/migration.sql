-- What a team did in a week as its challenges count it (4.20, D14): logs and what became of them, no bonuses. Reading all
-- of a large team's entries of the week for every look would cost more with every member. Both tables follow from
-- fresh_credits, as the other sums of teams do, and cost a log nothing.
create table team_week_figures (
  org_id uuid not null,
  team_id uuid not null,
  week_starts_on date not null,
  centimiles bigint not null,
  minutes bigint not null,
  activities integer not null,
  days integer not null,
  primary key (org_id, team_id, week_starts_on)
) with (fillfactor = 50);

-- How many movements a member has on a date for a team: where that becomes one, or none, the team's days change.
create table team_week_days (
  org_id uuid not null,
  team_id uuid not null,
  week_starts_on date not null,
  user_id uuid not null,
  credited_on date not null,
  movements integer not null,
  primary key (org_id, team_id, week_starts_on, user_id, credited_on)
) with (fillfactor = 70);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['team_week_figures', 'team_week_days'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;

select set_config('app.org', 'system', true);
insert into team_week_days (org_id, team_id, week_starts_on, user_id, credited_on, movements)
select org_id, team_id, week_starts_on, user_id, credited_on, sum(movements) from ledger_entries e
where log_id is not null
  and not exists (select from fresh_credits f where f.org_id = e.org_id and f.entry_id = e.entry_id)
group by 1, 2, 3, 4, 5 having sum(movements) <> 0;
insert into team_week_figures (org_id, team_id, week_starts_on, centimiles, minutes, activities, days)
select e.*, (select count(*) from team_week_days d
  where d.org_id = e.org_id and d.team_id = e.team_id and d.week_starts_on = e.week_starts_on and d.movements > 0)
from (
  select org_id, team_id, week_starts_on, sum(centimiles), sum(minutes), sum(movements) from ledger_entries e
  where log_id is not null
    and not exists (select from fresh_credits f where f.org_id = e.org_id and f.entry_id = e.entry_id)
  group by 1, 2, 3
) e;
select set_config('app.org', '', true);

-- Nobody reads all of a team's entries any more.
drop index ledger_entries_team_week;
