-- Which teams vote on their name, and who has voted, as social tells it: what /api/me says of it (D20).
create table open_ballots (
  org_id uuid not null,
  ballot_id uuid not null,
  team_id uuid not null,
  ends_at timestamptz not null,
  primary key (org_id, ballot_id)
);
create index open_ballots_of_team on open_ballots (org_id, team_id);

create table ballot_voters (
  org_id uuid not null,
  ballot_id uuid not null,
  user_id uuid not null,
  primary key (org_id, ballot_id, user_id)
);
create index ballots_of_voter on ballot_voters (org_id, user_id);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['open_ballots', 'ballot_voters'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
