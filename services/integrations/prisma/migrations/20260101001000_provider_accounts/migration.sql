-- Which fitness platforms members have connected.

create table provider_accounts (
  org_id uuid not null,
  user_id uuid not null,
  provider text not null check (provider in ('strava', 'fitbit')),
  -- The person's id at the provider, as the settings show it.
  provider_user_id text not null,
  connected_at timestamptz not null,
  last_synced_at timestamptz,
  primary key (org_id, user_id, provider),
  unique (provider, provider_user_id)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['provider_accounts'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
