-- Teams' miles by local date and who earned them, so that a journey may begin on any date and costs a log nothing:
-- both follow from fresh_credits, as the other sums of teams do.
create table team_days (
  org_id uuid not null,
  team_id uuid not null,
  credited_on date not null,
  centimiles bigint not null,
  primary key (org_id, team_id, credited_on)
) with (fillfactor = 50);

create table team_contributors (
  org_id uuid not null,
  team_id uuid not null,
  user_id uuid not null,
  last_credited_on date not null,
  primary key (org_id, team_id, user_id)
) with (fillfactor = 70);

-- The journey an organisation is on; one at a time (D33).
create table journeys (
  org_id uuid primary key,
  journey_id uuid not null,
  route_id text not null,
  starts_on date not null,
  started_at timestamptz not null
);

-- Of all journeys, also of those that others have replaced. Checkpoints are counted from the start of the route (0).
create table journey_arrivals (
  org_id uuid not null,
  journey_id uuid not null,
  team_id uuid not null,
  checkpoint smallint not null,
  reached_at timestamptz not null,
  primary key (org_id, journey_id, team_id, checkpoint)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['team_days', 'team_contributors', 'journeys', 'journey_arrivals'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;

select set_config('app.org', 'system', true);
alter table fresh_credits add column credited_on date;
update fresh_credits f set credited_on = e.credited_on from ledger_entries e
where e.org_id = f.org_id and e.entry_id = f.entry_id;
alter table fresh_credits alter column credited_on set not null;

insert into team_days (org_id, team_id, credited_on, centimiles)
select e.org_id, e.team_id, e.credited_on, sum(e.centimiles) from ledger_entries e
where not exists (select from fresh_credits f where f.org_id = e.org_id and f.entry_id = e.entry_id)
group by 1, 2, 3;

insert into team_contributors (org_id, team_id, user_id, last_credited_on)
select org_id, team_id, user_id, max(credited_on) from ledger_entries where centimiles > 0 group by 1, 2, 3;
select set_config('app.org', '', true);
