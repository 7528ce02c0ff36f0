-- Weekly challenges: what admins prepare, what each week began with, and who has claimed what (D14).

-- An organisation without rows has the product's own templates.
create table challenge_templates (
  org_id uuid not null,
  template_id text not null,
  place integer not null,
  name text not null,
  description text not null,
  target_value numeric(8, 2) not null,
  target_unit text not null,
  bonus_centimiles integer not null,
  challenge_type text not null,
  is_active boolean not null,
  primary key (org_id, template_id)
);

-- A week is opened once; templates that change later are for the weeks after it.
create table challenge_weeks (
  org_id uuid not null,
  week_starts_on date not null,
  opened_at timestamptz not null,
  primary key (org_id, week_starts_on)
);

create table weekly_challenges (
  org_id uuid not null,
  challenge_id uuid not null,
  week_starts_on date not null,
  place integer not null,
  name text not null,
  description text not null,
  target_value numeric(8, 2) not null,
  target_unit text not null,
  bonus_centimiles integer not null,
  challenge_type text not null,
  primary key (org_id, challenge_id)
);
create index weekly_challenges_of_week on weekly_challenges (org_id, week_starts_on, place);

create table weekly_claims (
  org_id uuid not null,
  challenge_id uuid not null,
  user_id uuid not null,
  -- The team at the time of the claim: a team's challenge counts this one's miles.
  team_id uuid not null,
  week_starts_on date not null,
  -- False once the bonus was withdrawn.
  is_claimed boolean not null,
  primary key (org_id, challenge_id, user_id)
);
create index weekly_claims_standing on weekly_claims (org_id, week_starts_on, team_id, user_id) where is_claimed;

-- Miles were taken back from a member's week: claims of the member and the team may not hold any more (D8).
create table claims_in_doubt (
  org_id uuid not null,
  entry_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  week_starts_on date not null,
  primary key (org_id, entry_id)
);

-- A team's challenge counts the logs of a team's week.
create index ledger_entries_team_week on ledger_entries (org_id, team_id, week_starts_on) where log_id is not null;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['challenge_templates', 'challenge_weeks', 'weekly_challenges', 'weekly_claims',
    'claims_in_doubt'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
