-- Permissions that platforms are still to revoke, and members whose accounts rest while they are deactivated.

-- The row goes once the platform has revoked the permission. It outlives the account, and its member where they are erased.
create table pending_revocations (
  org_id uuid not null,
  revocation_id uuid not null,
  user_id uuid not null,
  provider text not null check (provider in ('strava', 'fitbit')),
  provider_user_id text not null,
  -- Sealed for the account that they were given to.
  access_token_sealed bytea not null,
  refresh_token_sealed bytea not null,
  token_key_id text not null,
  asked_at timestamptz not null,
  due_at timestamptz not null,
  -- Another process may have it from then on.
  taken_until timestamptz,
  tries integer not null default 0,
  primary key (org_id, revocation_id)
);

create index pending_revocations_due on pending_revocations (due_at);
create index pending_revocations_by_key on pending_revocations (token_key_id);

create table deactivated_members (
  org_id uuid not null,
  user_id uuid not null,
  deactivated_at timestamptz not null,
  primary key (org_id, user_id)
);

-- The session that began the connection and that has to live when it is finished.
alter table connect_attempts add column session_id uuid;

alter table sync_runs
  drop constraint sync_runs_cause_check,
  add constraint sync_runs_cause_check check (cause in ('connect', 'asked', 'notice', 'nightly', 'catch-up')) not valid;

-- Until when what platforms deliver could be received. One row, of no organisation.
create table delivery_watch (
  is_only boolean primary key default true check (is_only),
  receiving_until timestamptz not null
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['pending_revocations', 'deactivated_members'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
