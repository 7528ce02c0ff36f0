-- Where browsers take pushes (RFC 8030), one per session: whoever signs out takes it along.
create table push_subscriptions (
  org_id uuid not null,
  session_id uuid not null,
  user_id uuid not null,
  endpoint text not null,
  -- The browser's key and secret (RFC 8291), by which only it can read what is sent.
  p256dh text not null,
  auth text not null,
  subscribed_at timestamptz not null,
  primary key (org_id, session_id),
  foreign key (org_id, session_id) references sessions (org_id, session_id) on delete cascade
);
create index push_subscriptions_of_person on push_subscriptions (org_id, user_id);
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint);

-- A notice on its way to one browser. The row goes when it has arrived, is read, or is given up.
create table pushes (
  org_id uuid not null,
  user_id uuid not null,
  notice_id uuid not null,
  session_id uuid not null,
  attempts smallint not null default 0,
  next_at timestamptz not null,
  primary key (org_id, user_id, notice_id, session_id),
  foreign key (org_id, user_id, notice_id) references due_notices (org_id, user_id, notice_id) on delete cascade,
  foreign key (org_id, session_id) references push_subscriptions (org_id, session_id) on delete cascade
);
create index pushes_next_at on pushes (next_at);
create index pushes_of_session on pushes (org_id, session_id);

-- The pair by which push services know this instance (RFC 8292); the private half is sealed. It belongs to no organisation.
create table push_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_key_encrypted bytea not null,
  created_at timestamptz not null
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['push_subscriptions', 'pushes'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
