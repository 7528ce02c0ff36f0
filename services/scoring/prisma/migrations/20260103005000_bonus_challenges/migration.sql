-- Bonus challenges (D15): at most one is open in an organisation.

create table bonus_challenges (
  org_id uuid not null,
  challenge_id uuid not null,
  strategy text not null,
  title text not null,
  description text not null,
  activity_type text not null,
  target_duration_minutes integer not null,
  multiplier numeric(4, 2) not null,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  primary key (org_id, challenge_id)
);
create unique index bonus_challenges_open on bonus_challenges (org_id) where closed_at is null;
create index bonus_challenges_newest on bonus_challenges (org_id, opened_at desc);

-- Which log of a member earned the multiplier.
create table bonus_completions (
  org_id uuid not null,
  challenge_id uuid not null,
  user_id uuid not null,
  log_id uuid not null,
  completed_at timestamptz not null,
  primary key (org_id, challenge_id, user_id)
);
create unique index bonus_completions_log on bonus_completions (org_id, log_id);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['bonus_challenges', 'bonus_completions'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
