-- What comes from platforms: deliveries of theirs, runs that fetch, and the workouts.

create table imported_workouts (
  org_id uuid not null,
  import_id uuid not null,
  user_id uuid not null,
  provider text not null check (provider in ('strava', 'fitbit')),
  external_id text not null,
  -- When it was asked for last, by the clock of this database: of two answers the later one holds.
  seen_at timestamptz not null,
  -- By the platform's word.
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
  state text not null check (state in ('counted', 'unscored', 'duplicate', 'skipped', 'gone')),
  same_as uuid,
  -- What others were told of it last.
  log_id uuid,
  revision integer not null default 0,
  told_content text,
  -- What the platform answered; not for long (D21).
  raw jsonb,
  raw_at timestamptz,
  primary key (org_id, import_id),
  unique (org_id, provider, external_id),
  check ((state = 'gone') = (started_at is null)),
  check ((log_id is not null) = (state in ('counted', 'unscored')))
);

create index imported_workouts_newest on imported_workouts (org_id, user_id, started_at desc, import_id desc);
create index imported_workouts_raw on imported_workouts (raw_at) where raw_at is not null;

create table sync_runs (
  org_id uuid not null,
  run_id uuid not null,
  user_id uuid not null,
  provider text not null check (provider in ('strava', 'fitbit')),
  cause text not null check (cause in ('connect', 'asked', 'notice', 'nightly')),
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
  taken_until timestamptz,
  tries integer not null default 0,
  imported integer not null default 0,
  updated integer not null default 0,
  removed integer not null default 0,
  skipped jsonb not null default '{}',
  failure text check (failure in ('unreachable', 'busy', 'reconnect', 'unreadable')),
  -- Of a nightly one: once a night.
  night date,
  primary key (org_id, run_id)
);

create index sync_runs_newest on sync_runs (org_id, user_id, started_at desc, run_id desc);
create index sync_runs_due on sync_runs (due_at) where state = 'running';
create unique index sync_runs_nightly on sync_runs (org_id, user_id, provider, night) where night is not null;

create table webhook_inbox (
  org_id uuid not null,
  notice_id uuid not null,
  user_id uuid not null,
  provider text not null check (provider in ('strava', 'fitbit')),
  -- Of all that it says: delivered again, it is the same one.
  digest text not null,
  kind text not null check (kind in ('changed', 'deleted', 'revoked')),
  external_id text,
  from_at timestamptz,
  to_at timestamptz,
  told_at timestamptz not null,
  received_at timestamptz not null,
  due_at timestamptz not null,
  taken_until timestamptz,
  tries integer not null default 0,
  done_at timestamptz,
  primary key (org_id, notice_id),
  unique (org_id, provider, digest)
);

create index webhook_inbox_due on webhook_inbox (due_at) where done_at is null;
create index webhook_inbox_of_account on webhook_inbox (org_id, user_id, provider) where done_at is null;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['imported_workouts', 'sync_runs', 'webhook_inbox'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
