-- Accounts. Names, addresses and settings are stored here only; the log holds ids.

create table organisations (
  org_id uuid primary key,
  name text not null,
  -- The zone of the founding; changes are objects of `from` (a Monday) and `timeZone`, oldest first (ADR 0099).
  time_zone text not null,
  founded_at timestamptz not null,
  time_zone_changes jsonb not null default '[]',
  company_name text,
  employee_range text,
  brand_traits text[] not null default '{}',
  industry text not null default '',
  -- Re-encoded by us, small enough to travel inside the branding.
  logo_data_url text,
  brand_colors text[] not null default '{}',
  welcome_message text,
  set_up_at timestamptz,
  -- An organisation without members is closed. Its row stays without a word in it: farewells and invite codes refer to
  -- it.
  closed_at timestamptz
);
create index organisations_closed_at on organisations (closed_at) where closed_at is not null;
select es.isolate_organisations('organisations');

create table teams (
  org_id uuid not null references organisations (org_id),
  team_id uuid not null,
  name text not null,
  name_key text not null generated always as (text_key(name)) stored,
  emoji text not null,
  formed_at timestamptz not null,
  retired_at timestamptz,
  primary key (org_id, team_id)
);
-- Two open teams of one organisation never have the same name.
create unique index teams_one_key on teams (org_id, name_key) where retired_at is null;
select es.isolate_organisations('teams');

create table persons (
  org_id uuid not null references organisations (org_id),
  user_id uuid not null,
  name text not null,
  -- Stored, because behind row-level security an index serves a condition only if no function of it can leak.
  name_key text not null generated always as (search_key(name)) stored,
  email text not null,
  -- An address counts once a link that was mailed to it was opened.
  email_confirmed_at timestamptz,
  -- The domains of an invite whose guest has to confirm the address before they are let in; otherwise empty.
  pending_domains text[] not null default '{}',
  time_zone text not null,
  activity_level text not null default 'light',
  bio text not null default '',
  location text not null default '',
  favorite_activity text not null default '',
  phone text not null default '',
  profile_photo_url text,
  created_at timestamptz not null,
  theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  units text not null default 'imperial' check (units in ('imperial', 'metric')),
  notify_by_email boolean not null default true,
  notify_by_push boolean not null default true,
  notify_of_team boolean not null default true,
  notify_weekly boolean not null default true,
  profile_visible boolean not null default true,
  activity_visible boolean not null default true,
  stats_visible boolean not null default true,
  share_heart_rate boolean not null default false,
  share_calories boolean not null default false,
  -- Whether a recap may show the person's words and photos to the organisation (D28).
  featured_in_recaps boolean not null default false,
  primary key (org_id, user_id)
);
create index persons_by_name on persons (org_id, name_key, user_id);
select es.isolate_organisations('persons');

-- One address is one account of the whole instance, regardless of case: the only uniqueness that crosses organisations.
create table credentials (
  org_id uuid not null,
  user_id uuid not null,
  email_key text not null unique,
  password_hash text not null,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
select es.isolate_organisations('credentials');

-- Addresses that a mailed link is to confirm: the one signed up with, or one that the person wants instead.
create table email_confirmations (
  org_id uuid not null,
  user_id uuid not null,
  request_id uuid not null,
  email text not null,
  email_key text not null,
  requested_at timestamptz not null,
  mailed_at timestamptz,
  -- SHA-256 of the newest link's token; null before its mail.
  token bytea unique,
  expires_at timestamptz,
  -- How many mails since when: they are limited.
  mails integer not null,
  mails_since timestamptz not null,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
create index email_confirmations_unmailed on email_confirmations (requested_at) where mailed_at is null;
select es.isolate_organisations('email_confirmations');

-- The way back to an address that the person wanted to leave, or has left. Until it expires no other account gets it.
create table email_undos (
  org_id uuid not null,
  user_id uuid not null,
  undo_id uuid not null,
  email text not null,
  email_key text not null,
  -- The address that took its place or was wanted.
  new_email text not null,
  has_changed boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  mailed_at timestamptz,
  token bytea unique,
  primary key (org_id, undo_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
create index email_undos_of_person on email_undos (org_id, user_id);
create index email_undos_key on email_undos (email_key);
create index email_undos_expires_at on email_undos (expires_at);
select es.isolate_organisations('email_undos');

-- Links with which a password can be set. Only the hash of what was mailed is stored; each works once, for half an
-- hour.
create table password_resets (
  token bytea primary key,
  org_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
create index password_resets_of_person on password_resets (org_id, user_id);
create index password_resets_expires_at on password_resets (expires_at);
select es.isolate_organisations('password_resets');

-- Addresses for which a new password was asked. Whether an account has them is found out later, so that the answer does
-- not tell; until then they belong to no organisation.
create table reset_requests (
  request_id uuid primary key,
  email text not null,
  requested_at timestamptz not null
);
create index reset_requests_requested_at on reset_requests (requested_at);

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
select es.isolate_organisations('sessions');

-- A session is one chain of tokens of which the last, and only the last, is unused.
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
select es.isolate_organisations('refresh_tokens');

-- Ends of sessions that Redis has not stored yet. The row does not say whose they were.
create table unannounced_session_ends (
  session_id uuid primary key,
  ended_at timestamptz not null
);
create index unannounced_session_ends_ended_at on unannounced_session_ends (ended_at);

-- Sessions of erased accounts, for as long as one of their tokens could be shown: Redis may have been away when they
-- ended. The row does not say whose they were.
create table erased_sessions (
  session_id uuid primary key,
  erased_at timestamptz not null
);
create index erased_sessions_erased_at on erased_sessions (erased_at);

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
create index invites_newest on invites (org_id, created_at desc, invite_id desc);
select es.isolate_organisations('invites');

create table follows (
  org_id uuid not null,
  follower_id uuid not null,
  followee_id uuid not null check (followee_id <> follower_id),
  followed_at timestamptz not null,
  primary key (org_id, follower_id, followee_id),
  foreign key (org_id, follower_id) references persons (org_id, user_id) on delete cascade,
  foreign key (org_id, followee_id) references persons (org_id, user_id) on delete cascade
);
create index follows_of_followee on follows (org_id, followee_id, followed_at desc, follower_id);
create index follows_of_follower on follows (org_id, follower_id, followed_at desc, followee_id);
select es.isolate_organisations('follows');

-- One export per person at a time; the file lies in the object store until it expires.
create table exports (
  org_id uuid not null,
  user_id uuid not null,
  export_id uuid not null,
  state text not null check (state in ('building', 'ready', 'failed')),
  requested_at timestamptz not null,
  expires_at timestamptz,
  size_bytes integer,
  -- When the person asked for their data lately.
  recent_requests timestamptz[] not null default '{}',
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
create index exports_expires_at on exports (expires_at);
select es.isolate_organisations('exports');

-- Files to be removed from the object store; the row goes when the file has. It does not say whose they were.
create table discarded_objects (
  object_key text primary key,
  discarded_at timestamptz not null
);

-- Read models of the own log, in the transaction of the append.

create table memberships (
  org_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  role text not null,
  is_active boolean not null,
  joined_at timestamptz not null,
  primary key (org_id, user_id)
);
create index memberships_by_joining on memberships (org_id, joined_at, user_id);
create index memberships_of_team on memberships (org_id, team_id, user_id);
select es.isolate_organisations('memberships');

create table team_rosters (
  org_id uuid not null,
  team_id uuid not null,
  formed_at timestamptz not null,
  active_members integer not null,
  primary key (org_id, team_id)
) with (fillfactor = 70);
select es.isolate_organisations('team_rosters');

-- Whether freezes hold streaks over missed days (D11); without a row they do.
create table streak_rules (
  org_id uuid primary key,
  has_freezes boolean not null
);
select es.isolate_organisations('streak_rules');

-- Read models of what other services publish.

-- Scores as scoring publishes them. A member who has not moved yet has a row too: 0 miles, no run.
create table member_scores (
  org_id uuid not null,
  user_id uuid not null,
  total_centimiles bigint not null,
  run_started_on date,
  run_ended_on date,
  -- The streak on the last day of the latest run, with the freezes saved up (D11); null until scoring publishes it.
  streak_days integer,
  streak_freezes smallint,
  -- The streak as only the member sees it, where colleagues see another one (D21).
  has_own_streak boolean not null default false,
  own_run_started_on date,
  own_run_ended_on date,
  own_streak_days integer,
  own_streak_freezes smallint,
  -- Where the fact stands in scoring's log: an older one never overwrites a newer one.
  position bigint not null,
  epoch bigint not null default 0,
  active_key date not null generated always as (coalesce(run_ended_on, '-infinity'::date)) stored,
  primary key (org_id, user_id)
) with (fillfactor = 70);
create index member_scores_by_miles on member_scores (org_id, total_centimiles, user_id);
create index member_scores_by_activity on member_scores (org_id, active_key, user_id);
select es.isolate_organisations('member_scores');

-- The badges of members as scoring publishes them, for their profiles.
create table member_badges (
  org_id uuid not null,
  user_id uuid not null,
  badge_id text not null,
  name text not null,
  earned_at timestamptz not null,
  -- Only its owner sees it (D13).
  is_owner_only boolean not null default false,
  primary key (org_id, user_id, badge_id)
);
select es.isolate_organisations('member_badges');

-- Which teams vote on their name, and who has voted, as social publishes it, for /api/me (D20).
create table open_ballots (
  org_id uuid not null,
  ballot_id uuid not null,
  team_id uuid not null,
  ends_at timestamptz not null,
  primary key (org_id, ballot_id)
);
create index open_ballots_of_team on open_ballots (org_id, team_id);
select es.isolate_organisations('open_ballots');

create table ballot_voters (
  org_id uuid not null,
  ballot_id uuid not null,
  user_id uuid not null,
  primary key (org_id, ballot_id, user_id)
);
create index ballots_of_voter on ballot_voters (org_id, user_id);
select es.isolate_organisations('ballot_voters');

-- Mails and pushes.

-- Mails that have not left yet; the row goes when its mail has. Bound to no person: a farewell outlives the account.
create table mails (
  mail_id uuid primary key,
  org_id uuid not null references organisations (org_id),
  recipient text not null,
  notice jsonb not null,
  written_at timestamptz not null
);
create index mails_written_at on mails (written_at);
select es.isolate_organisations('mails');

-- Notices that members are to get outside the app, and those that they have got so already: no mail or push says it
-- again. A row goes when it was read or withdrawn (ADR 0049).
create table due_notices (
  org_id uuid not null,
  user_id uuid not null,
  notice_id uuid not null,
  kind text not null,
  text text not null,
  -- Lines below the text, such as a report's teams.
  lines text[] not null default '{}',
  -- The same for members who chose kilometres, where a distance is told (9.22).
  metric_text text,
  metric_lines text[] not null default '{}',
  -- Members whose names stand in the text: when one of them is erased it is said no more.
  named_ids uuid[] not null default '{}',
  link text not null,
  raised_at timestamptz not null,
  -- From then on it is of no interest.
  expires_at timestamptz,
  -- Not by mail, or not any more, when null.
  mail_at timestamptz,
  mailed_at timestamptz,
  push_at timestamptz,
  primary key (org_id, user_id, notice_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
create index due_notices_mail_at on due_notices (mail_at) where mail_at is not null;
create index due_notices_push_at on due_notices (push_at) where push_at is not null;
create index due_notices_raised_at on due_notices (raised_at);
select es.isolate_organisations('due_notices');

-- Leases of members whose mail a process is writing, so that of several processes one writes it.
create table notice_mail_leases (
  org_id uuid not null,
  user_id uuid not null,
  expires_at timestamptz not null,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
select es.isolate_organisations('notice_mail_leases');

-- Where browsers take pushes (RFC 8030), one per session: it ends with the session.
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
select es.isolate_organisations('push_subscriptions');

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
select es.isolate_organisations('pushes');

-- The instance's own keys: they belong to no organisation, so there is no row-level security. Private halves are
-- encrypted.

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

-- The pair by which push services know this instance (RFC 8292).
create table push_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_key_encrypted bytea not null,
  created_at timestamptz not null
);

-- The audit log: who did what in an organisation, when and from where. Only ids: names are looked up when the log is
-- read, so that they vanish with erased members.
create schema audit;

create table audit.entries (
  org_id uuid not null,
  -- The id of the fact that told it, so that a fact that comes twice is one entry.
  entry_id uuid not null,
  happened_at timestamptz not null,
  act text not null,
  kind text not null generated always as (split_part(act, '.', 1)) stored,
  -- Null: the operator of the instance.
  actor_id uuid,
  device text,
  -- The member or team that it was done to.
  subject_id uuid,
  details jsonb not null default '{}',
  primary key (org_id, entry_id)
);
create index entries_newest on audit.entries (org_id, happened_at desc, entry_id desc);
create index entries_newest_of_kind on audit.entries (org_id, kind, happened_at desc, entry_id desc);
create index entries_happened_at on audit.entries (happened_at);
select es.isolate_organisations('audit.entries');

-- The runtime role may add and read, nothing else: entries older than a year go through this function, and younger ones
-- do not. It runs as the owner, whom row-level security binds as well.
create function audit.forget_before(p_before timestamptz) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_forgotten bigint;
begin
  if p_before > now() - interval '365 days' then
    raise insufficient_privilege using message = 'the audit log is kept for a year';
  end if;
  delete from audit.entries where happened_at < p_before;
  get diagnostics v_forgotten = row_count;
  return v_forgotten;
end $$;
