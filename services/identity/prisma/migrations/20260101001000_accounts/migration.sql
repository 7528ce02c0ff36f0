-- Rows of the identity service. Names, addresses and settings are kept here only; the log holds ids.

create table organisations (
  org_id uuid primary key,
  name text not null,
  time_zone text not null,
  founded_at timestamptz not null
);

create table teams (
  org_id uuid not null references organisations (org_id),
  team_id uuid not null,
  name text not null,
  emoji text not null,
  formed_at timestamptz not null,
  primary key (org_id, team_id)
);

create table persons (
  org_id uuid not null references organisations (org_id),
  user_id uuid not null,
  name text not null,
  email text not null,
  time_zone text not null,
  activity_level text not null default 'light',
  bio text not null default '',
  location text not null default '',
  favorite_activity text not null default '',
  profile_photo_url text,
  created_at timestamptz not null,
  primary key (org_id, user_id)
);

-- One address is one account of the whole instance, regardless of case: the only uniqueness that crosses organisations.
create table credentials (
  org_id uuid not null,
  user_id uuid not null,
  email_key text not null unique,
  password_hash text not null,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);

create table sessions (
  session_id uuid primary key,
  org_id uuid not null,
  user_id uuid not null,
  device text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Ends when nobody refreshed it for a week, and after thirty days in any case.
  idle_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  unique (org_id, session_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
create index sessions_of_person on sessions (org_id, user_id, last_seen_at desc) where ended_at is null;
create index sessions_ended_at on sessions (ended_at) where ended_at is not null;
create index sessions_expires_at on sessions (expires_at);

-- The session is the family: one chain of tokens of which the last, and only the last, is unused.
create table refresh_tokens (
  token_hash bytea primary key,
  org_id uuid not null,
  session_id uuid not null,
  parent_hash bytea,
  created_at timestamptz not null,
  used_at timestamptz,
  foreign key (org_id, session_id) references sessions (org_id, session_id) on delete cascade
);
create unique index refresh_tokens_one_leaf on refresh_tokens (session_id) where used_at is null;
create index refresh_tokens_of_session on refresh_tokens (org_id, session_id);

create table invites (
  org_id uuid not null references organisations (org_id),
  invite_id uuid not null,
  code text not null unique,
  created_by uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  max_uses integer check (max_uses > 0),
  uses integer not null default 0 check (uses >= 0),
  -- Empty: any address.
  domains text[] not null default '{}',
  -- The team that the invited join; null: the smallest.
  team_id uuid,
  revoked_at timestamptz,
  primary key (org_id, invite_id),
  foreign key (org_id, team_id) references teams (org_id, team_id)
);

-- Read models fed from the log, in the transaction of the append.
create table memberships (
  org_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  role text not null,
  is_active boolean not null,
  joined_at timestamptz not null,
  primary key (org_id, user_id)
);

create table team_rosters (
  org_id uuid not null,
  team_id uuid not null,
  formed_at timestamptz not null,
  active_members integer not null,
  primary key (org_id, team_id)
) with (fillfactor = 70);

-- Fed from scoring's facts.
create table member_scores (
  org_id uuid not null,
  user_id uuid not null,
  total_centimiles bigint not null,
  run_started_on date not null,
  run_ended_on date not null,
  -- Position of the fact in scoring's log: an older one never overwrites a newer one.
  position bigint not null,
  primary key (org_id, user_id)
) with (fillfactor = 70);

-- The instance's own keys, nobody's data: no organisation, no row-level security. Private halves are encrypted.
create table signing_keys (
  kid text primary key,
  state text not null check (state in ('standby', 'active', 'verify-only')),
  public_jwk jsonb not null,
  private_key_encrypted bytea not null,
  created_at timestamptz not null,
  activated_at timestamptz,
  retires_at timestamptz
);
create unique index signing_keys_one_active on signing_keys (state) where state = 'active';

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['organisations', 'teams', 'persons', 'credentials', 'sessions', 'refresh_tokens',
    'invites', 'memberships', 'team_rosters', 'member_scores'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
