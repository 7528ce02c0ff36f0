-- Who was reminded of what, on which local date: each kind once a day, however often and by how many processes it is
-- looked for (ADR 0052). Ids and dates only; kept as long as notices are.
create table told_reminders (
  org_id uuid not null,
  user_id uuid not null,
  kind text not null,
  told_on date not null,
  told_at timestamptz not null,
  primary key (org_id, user_id, kind, told_on)
);

-- For whom a weekly challenge is reached, and not claimed when they were told (D14).
create table reached_challenges (
  org_id uuid not null,
  challenge_id uuid not null,
  user_id uuid not null,
  -- Whose figures count for a team's challenge.
  team_id uuid not null,
  reached_at timestamptz not null,
  primary key (org_id, challenge_id, user_id)
);

-- Credits that are in the teams' sums now, and may have changed what somebody has to be told of. In the order of `id`.
create table pending_notices (
  id bigint generated always as identity primary key,
  org_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  week_starts_on date not null,
  centimiles bigint not null
);

-- In which zones an organisation's members live.
create index members_by_zone on members (org_id, time_zone) where is_active;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['told_reminders', 'reached_challenges', 'pending_notices'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
