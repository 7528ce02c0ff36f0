-- Bonus challenges as scoring has opened and closed them, and which log of a member completes one.

create table bonus_windows (
  org_id uuid not null,
  challenge_id uuid not null,
  activity_type text not null,
  target_duration_minutes integer not null,
  multiplier numeric(4, 2) not null,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  primary key (org_id, challenge_id)
);

-- A member completes a challenge once.
create table bonus_uses (
  org_id uuid not null,
  challenge_id uuid not null,
  user_id uuid not null,
  log_id uuid not null,
  primary key (org_id, challenge_id, user_id)
);
create unique index bonus_uses_log on bonus_uses (org_id, log_id);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['bonus_windows', 'bonus_uses'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
