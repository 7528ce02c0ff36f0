-- Fitness platforms: connected accounts with their sealed tokens, what platforms deliver, and the workouts fetched.

create table provider_accounts (
  org_id uuid not null,
  user_id uuid not null,
  provider text not null check (provider in ('strava', 'fitbit')),
  -- The person's id at the provider, as the settings show it.
  provider_user_id text not null,
  connected_at timestamptz not null,
  last_synced_at timestamptz,
  -- 'reconnect': the platform takes the tokens no longer; they are gone here too.
  state text not null default 'reconnect' check (state in ('connected', 'reconnect')),
  -- AES-256-GCM, bound to the account and to which token it is.
  access_token_sealed bytea,
  refresh_token_sealed bytea,
  -- Which key opens them.
  token_key_id text,
  scopes text[] not null default '{}',
  expires_at timestamptz,
  refreshed_at timestamptz,
  -- When the platform refused an access token that was not over.
  refused_at timestamptz,
  -- The process that renews the tokens; one that died has let go of it by the lease's end.
  refresh_lease uuid,
  refresh_lease_ends_at timestamptz,
  is_scored boolean not null default false,
  -- When its owner said last whether it is scored.
  consented_at timestamptz,
  primary key (org_id, user_id, provider),
  unique (provider, provider_user_id),
  check (
    state = 'reconnect'
    or (
      access_token_sealed is not null
      and refresh_token_sealed is not null
      and token_key_id is not null
      and expires_at is not null
    )
  )
);
create index provider_accounts_by_key on provider_accounts (token_key_id) where token_key_id is not null;
select es.isolate_organisations('provider_accounts');

-- Connections under way.
create table connect_attempts (
  org_id uuid not null,
  -- SHA-256: reading the table is not enough to finish the attempt.
  state_hash bytea not null,
  user_id uuid not null,
  -- The session that began the connection and that has to live when it is finished.
  session_id uuid not null,
  provider text not null check (provider in ('strava', 'fitbit')),
  browser_hash bytea not null,
  verifier_sealed bytea not null,
  key_id text not null,
  is_scored boolean not null,
  return_screen text not null,
  expires_at timestamptz not null,
  -- A state is good for one return; the row stays until the account stands, so that erasing its person ends it.
  used_at timestamptz,
  primary key (org_id, state_hash)
);
create index connect_attempts_by_person on connect_attempts (org_id, user_id);
create index connect_attempts_by_end on connect_attempts (expires_at);
select es.isolate_organisations('connect_attempts');

-- Permissions that platforms are still to revoke. The row goes once the platform has revoked the permission. It
-- outlives the account, and its member where they are erased.
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
  requested_at timestamptz not null,
  due_at timestamptz not null,
  -- Another process may have it from then on.
  leased_until timestamptz,
  tries integer not null default 0,
  primary key (org_id, revocation_id)
);
create index pending_revocations_due on pending_revocations (due_at);
create index pending_revocations_by_key on pending_revocations (token_key_id);
select es.isolate_organisations('pending_revocations');

-- Members whose accounts rest while they are deactivated.
create table deactivated_members (
  org_id uuid not null,
  user_id uuid not null,
  deactivated_at timestamptz not null,
  primary key (org_id, user_id)
);
select es.isolate_organisations('deactivated_members');

create table imported_workouts (
  org_id uuid not null,
  import_id uuid not null,
  user_id uuid not null,
  provider text not null check (provider in ('strava', 'fitbit')),
  external_id text not null,
  -- When it was asked for last, by the clock of this database: of two answers the later one holds.
  seen_at timestamptz not null,
  -- When it changed last, by the platform's word.
  changed_at timestamptz,
  -- All null: it is gone there; what is left is a tombstone.
  activity_type text,
  started_at timestamptz,
  duration_minutes integer,
  meters integer,
  heart_rate integer,
  calories integer,
  why text check (why in ('too-short', 'too-old', 'duplicate', 'unreadable', 'in-future')),
  audience text not null check (audience in ('organisation', 'owner')),
  is_scored boolean not null,
  -- Its member's word on whether it counts.
  override boolean,
  state text not null check (state in ('counted', 'unscored', 'duplicate', 'removed', 'skipped', 'gone')),
  same_as uuid,
  -- As it was last published.
  log_id uuid,
  revision integer not null default 0,
  published_content text,
  -- The platform's answer; not for long (D21).
  raw jsonb,
  raw_at timestamptz,
  -- Logs that it was, and that were retracted.
  former_log_ids uuid[] not null default '{}',
  -- The log that its member deleted by hand, as it was. It stays when the workout is gone at its platform: its like at
  -- another platform does not begin to count then.
  removed_at timestamptz,
  removed_started_at timestamptz,
  removed_minutes integer,
  -- Its member had said that it is another one than its like.
  removed_alone boolean,
  -- Since when it could be credited: since it was seen first, or since its owner consented to be scored by it.
  creditable_at timestamptz not null default now(),
  primary key (org_id, import_id),
  unique (org_id, provider, external_id),
  check ((state = 'gone') = (started_at is null)),
  check ((log_id is not null) = (state in ('counted', 'unscored'))),
  check (num_nulls(removed_at, removed_started_at, removed_minutes, removed_alone) in (0, 4)),
  check (state <> 'removed' or log_id is null)
);
create index imported_workouts_newest on imported_workouts (org_id, user_id, started_at desc, import_id desc);
create index imported_workouts_raw on imported_workouts (raw_at) where raw_at is not null;
create index imported_workouts_removed on imported_workouts (org_id, user_id, removed_started_at)
  where removed_at is not null;
select es.isolate_organisations('imported_workouts');

-- Logs of the timer and by hand, as activity publishes them: which of two recordings of a workout counts is decided
-- among them and the imports.
create table own_logs (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  source text not null,
  activity_type text not null,
  started_at timestamptz not null,
  duration_minutes integer not null,
  logged_at timestamptz not null,
  -- Its member's word on whether it counts.
  override boolean,
  revision integer not null,
  primary key (org_id, log_id)
);
create index own_logs_newest on own_logs (org_id, user_id, started_at desc);
select es.isolate_organisations('own_logs');

-- Runs that fetch workouts.
create table sync_runs (
  org_id uuid not null,
  run_id uuid not null,
  user_id uuid not null,
  provider text not null check (provider in ('strava', 'fitbit')),
  cause text not null check (cause in ('connect', 'asked', 'notice', 'nightly', 'catch-up')),
  state text not null check (state in ('running', 'done', 'failed')),
  -- Workouts that began in between are fetched, the newest first.
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- All that began from here on is fetched.
  reached_at timestamptz not null,
  -- Where it stands below that: since when, and the platform's place in its list.
  stretch_began_at timestamptz,
  cursor text,
  started_at timestamptz not null,
  ended_at timestamptz,
  due_at timestamptz not null,
  -- A process that died has let go of it by then.
  leased_until timestamptz,
  tries integer not null default 0,
  imported integer not null default 0,
  updated integer not null default 0,
  removed integer not null default 0,
  skipped jsonb not null default '{}',
  failure text check (failure in ('unreachable', 'busy', 'reconnect', 'unreadable')),
  -- Set for a nightly run, which comes once a night.
  night date,
  primary key (org_id, run_id)
);
create index sync_runs_newest on sync_runs (org_id, user_id, started_at desc, run_id desc);
create index sync_runs_due on sync_runs (due_at) where state = 'running';
create unique index sync_runs_nightly on sync_runs (org_id, user_id, provider, night) where night is not null;
select es.isolate_organisations('sync_runs');

-- Deliveries of platforms (webhooks).
create table webhook_inbox (
  org_id uuid not null,
  notice_id uuid not null,
  user_id uuid not null,
  provider text not null check (provider in ('strava', 'fitbit')),
  -- Covers all that it says: delivered again, it is the same one.
  digest text not null,
  kind text not null check (kind in ('changed', 'deleted', 'revoked')),
  external_id text,
  from_at timestamptz,
  to_at timestamptz,
  happened_at timestamptz not null,
  received_at timestamptz not null,
  due_at timestamptz not null,
  leased_until timestamptz,
  tries integer not null default 0,
  handled_at timestamptz,
  primary key (org_id, notice_id),
  unique (org_id, provider, digest)
);
create index webhook_inbox_due on webhook_inbox (due_at) where handled_at is null;
create index webhook_inbox_of_account on webhook_inbox (org_id, user_id, provider) where handled_at is null;
select es.isolate_organisations('webhook_inbox');

-- Until when what platforms deliver could be received. One row, which belongs to no organisation.
create table delivery_watch (
  is_only boolean primary key default true check (is_only),
  receiving_until timestamptz not null
);
