-- Ballots on teams' names (D20, ADR 0045). The log knows options by id; how they are called lies in a row of its own.

create table ballots (
  org_id uuid not null,
  ballot_id uuid not null,
  team_id uuid not null,
  opened_at timestamptz not null,
  ends_at timestamptz not null,
  decided_at timestamptz,
  -- Options that got votes, the winner first, once it is decided.
  ranking uuid[] not null default '{}',
  primary key (org_id, ballot_id)
);
-- One at a time for a team, and the newest of it.
create unique index open_ballot_of_team on ballots (org_id, team_id) where decided_at is null;
create index ballots_of_team on ballots (org_id, team_id, opened_at desc);
create index ballots_of_organisation on ballots (org_id, opened_at desc, ballot_id desc);
create index ballots_to_end on ballots (ends_at) where decided_at is null;

create table ballot_options (
  org_id uuid not null,
  ballot_id uuid not null,
  option_id uuid not null,
  place smallint not null,
  votes integer not null default 0,
  primary key (org_id, ballot_id, option_id)
);

-- Nobody but the voter reads for what.
create table ballot_votes (
  org_id uuid not null,
  ballot_id uuid not null,
  user_id uuid not null,
  option_id uuid not null,
  voted_at timestamptz not null,
  primary key (org_id, ballot_id, user_id)
);
create index votes_of_member on ballot_votes (org_id, user_id);

create table ballot_names (
  org_id uuid not null,
  ballot_id uuid not null,
  option_id uuid not null,
  name text not null,
  primary key (org_id, ballot_id, option_id)
);

-- What identity made of a ranking: the place whose name the team has now, null when it kept the one it had.
create table ballot_results (
  org_id uuid not null,
  ballot_id uuid not null,
  place smallint,
  primary key (org_id, ballot_id)
);

-- Organisations whose first set-up opened ballots for all teams.
create table ballot_set_ups (
  org_id uuid not null primary key,
  set_up_at timestamptz not null
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['ballots', 'ballot_options', 'ballot_votes', 'ballot_names', 'ballot_results',
    'ballot_set_ups'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
