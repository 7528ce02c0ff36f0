-- Accounts at platforms with their sealed tokens, and connections under way.

alter table provider_accounts
  -- 'reconnect': the platform takes the tokens no longer; they are gone here too.
  add column state text not null default 'reconnect' check (state in ('connected', 'reconnect')),
  -- AES-256-GCM, bound to the account and to which token it is.
  add column access_token_sealed bytea,
  add column refresh_token_sealed bytea,
  -- Which key opens them.
  add column token_key_id text,
  add column scopes text[] not null default '{}',
  add column expires_at timestamptz,
  add column refreshed_at timestamptz,
  -- When the platform refused an access token that was not over.
  add column refused_at timestamptz,
  -- Who renews the tokens: a process that died has let go of it by its end.
  add column refresh_lease uuid,
  add column refresh_lease_ends_at timestamptz,
  add column is_scored boolean not null default false,
  -- When its owner said last whether it is scored.
  add column consented_at timestamptz,
  add check (
    state = 'reconnect'
    or (
      access_token_sealed is not null
      and refresh_token_sealed is not null
      and token_key_id is not null
      and expires_at is not null
    )
  );

create index provider_accounts_by_key on provider_accounts (token_key_id) where token_key_id is not null;

create table connect_attempts (
  org_id uuid not null,
  -- SHA-256: whoever reads the table cannot finish the attempt.
  state_hash bytea not null,
  user_id uuid not null,
  provider text not null check (provider in ('strava', 'fitbit')),
  browser_hash bytea not null,
  verifier_sealed bytea not null,
  key_id text not null,
  is_scored boolean not null,
  came_from text not null,
  expires_at timestamptz not null,
  -- A state is good for one return; the row stays until the account stands, so that erasing its person ends it.
  used_at timestamptz,
  primary key (org_id, state_hash)
);

create index connect_attempts_by_person on connect_attempts (org_id, user_id);
create index connect_attempts_by_end on connect_attempts (expires_at);

alter table connect_attempts enable row level security;
alter table connect_attempts force row level security;
create policy tenant on connect_attempts using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));
