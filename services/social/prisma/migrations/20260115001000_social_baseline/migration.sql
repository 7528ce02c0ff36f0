-- Feeds, reactions, comments, ballots, notices and recaps.

-- A UUID (version 8) of a text: the same for the same.
create function uuid_of(p_text text) returns uuid language sql immutable parallel safe
  return overlay(overlay(md5(p_text) placing '8' from 13 for 1) placing 'a' from 17 for 1)::uuid;

-- People and teams as identity publishes them.

create table organisations (
  org_id uuid not null primary key,
  -- The zone of the founding; changes are objects of `from` (a Monday) and `timeZone`, oldest first (ADR 0099).
  time_zone text not null,
  time_zone_changes jsonb not null default '[]',
  -- It has no recap of weeks before.
  founded_at timestamptz not null,
  -- Answers of the set-up; null before it (D20).
  industry text,
  brand_traits text[] not null default '{}',
  set_up_at timestamptz,
  is_closed boolean not null default false
);
select es.isolate_organisations('organisations');

create table teams (
  org_id uuid not null,
  team_id uuid not null,
  name text not null,
  emoji text not null,
  -- Position of the fact that formed it: the older team has the lower one.
  formed_position bigint not null,
  is_retired boolean not null default false,
  primary key (org_id, team_id)
);
select es.isolate_organisations('teams');

create table members (
  org_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  name text not null,
  -- For mentions: found without marks, cases and kinds of apostrophes.
  search_key text not null generated always as (search_key(name)) stored,
  photo_url text,
  -- Null once the member is erased.
  time_zone text,
  joined_on date not null,
  -- Admins hear who joined by their invites.
  role text not null default 'member',
  is_active boolean not null default true,
  is_erased boolean not null default false,
  -- The member's privacy (D18).
  activity_visible boolean not null default true,
  profile_visible boolean not null default true,
  stats_visible boolean not null default true,
  share_heart_rate boolean not null default false,
  share_calories boolean not null default false,
  -- Whether a recap may show the member's words and photos (D28).
  featured_in_recaps boolean not null default false,
  primary key (org_id, user_id)
);
-- Looked up for every page and every batch of posts, so they hold exceptions only.
create index members_hiding_activity on members (org_id, user_id) where not activity_visible;
create index members_erased on members (org_id, user_id) where is_erased;
create index members_of_team on members (org_id, team_id) where is_active and not is_erased;
-- Members who may be mentioned, by name: a page of an organisation of any size costs the same.
create index members_by_search_key on members (org_id, search_key, user_id)
  where is_active and profile_visible and activity_visible and not is_erased;
select es.isolate_organisations('members');

-- Feeds.

create table posts (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  activity_type text not null,
  duration_minutes integer not null,
  centimiles integer not null,
  source text not null,
  caption text,
  location text,
  bonus_challenge_id uuid,
  -- The photo of a log: its path, which cannot be read without a signature, and its facts.
  photo_path text,
  photo jsonb,
  -- Figures that a platform measured of the member's body: others are shown it by the member's own consents only (D18).
  heart_rate integer,
  calories integer,
  created_at timestamptz not null,
  -- A correction that comes late changes nothing of a newer one; 1 is the log as it was made.
  revision integer not null default 1,
  -- 'owner': shown to nobody else, whatever the owner's privacy (D21).
  audience text not null default 'organisation',
  primary key (org_id, log_id),
  constraint posts_photo_has_path check (photo is null or photo_path is not null)
);
-- One index per scope: a page is a range of it, however deep.
create index posts_of_all on posts (org_id, created_at desc, log_id desc);
create index posts_of_team on posts (org_id, team_id, created_at desc, log_id desc);
create index posts_of_member on posts (org_id, user_id, created_at desc, log_id desc);
-- A member's photos, the newest first; most posts have none.
create index posts_with_photo on posts (org_id, user_id, created_at desc, log_id desc) where photo_path is not null;
-- A member with posts that nobody else is shown sees more than what is composed for all (D21).
create index posts_of_owner on posts (org_id, user_id, created_at) where audience = 'owner';
select es.isolate_organisations('posts');

-- Checkpoints that teams have reached (D33).
create table checkpoint_entries (
  org_id uuid not null,
  -- The id of the fact that told it.
  entry_id uuid not null,
  journey_id uuid not null,
  team_id uuid not null,
  checkpoint_name text not null,
  route_name text not null,
  mile_mark double precision not null,
  is_last boolean not null,
  reached_at timestamptz not null,
  primary key (org_id, entry_id)
);
create unique index checkpoint_entries_once on checkpoint_entries (org_id, journey_id, team_id, checkpoint_name);
create index checkpoint_entries_of_all on checkpoint_entries (org_id, reached_at desc, entry_id desc);
create index checkpoint_entries_of_team on checkpoint_entries (org_id, team_id, reached_at desc, entry_id desc);
select es.isolate_organisations('checkpoint_entries');

-- Reactions to posts, one per member, post and emoji, and how many there are of each (D19): both follow from the log.
-- Reactions of a post that is taken down are kept and shown nowhere: their own event log says that they were given.
create table reactions (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  emoji text not null,
  given_at timestamptz not null,
  primary key (org_id, log_id, user_id, emoji)
);
select es.isolate_organisations('reactions');

-- A post that many react to changes the same rows again and again: there is room for the next version beside each.
create table reaction_counts (
  org_id uuid not null,
  log_id uuid not null,
  emoji text not null,
  count integer not null check (count >= 0),
  primary key (org_id, log_id, emoji)
) with (fillfactor = 50);
select es.isolate_organisations('reaction_counts');

-- Comments below posts and checkpoints (D50). Rows of their own, no log: words of people must be forgettable
-- (ADR 0044).
create table comments (
  org_id uuid not null,
  comment_id uuid not null,
  -- A post (its log's id) or a checkpoint.
  entry_id uuid not null,
  author_id uuid not null,
  -- Pieces of text, and members by their id where they are mentioned: ["Well done ", {"member": "…"}].
  content jsonb not null,
  created_at timestamptz not null,
  edited_at timestamptz,
  hidden_at timestamptz,
  hidden_by uuid,
  hidden_reason text,
  primary key (org_id, comment_id)
);
-- Threads are read, and counted for every page of a feed, from it alone.
create index comments_of_entry on comments (org_id, entry_id, created_at, comment_id) include (author_id, hidden_at);
create index comments_of_author on comments (org_id, author_id);
-- Hidden comments are listed for admins.
create index hidden_comments on comments (org_id, hidden_at desc, comment_id) where hidden_at is not null;
select es.isolate_organisations('comments');

create table comment_reports (
  org_id uuid not null,
  comment_id uuid not null,
  reporter_id uuid not null,
  reason text not null,
  reported_at timestamptz not null,
  -- When an admin has read the report and put it aside.
  dismissed_at timestamptz,
  primary key (org_id, comment_id, reporter_id),
  foreign key (org_id, comment_id) references comments on delete cascade
);
create index comment_reports_of_reporter on comment_reports (org_id, reporter_id);
create index open_comment_reports on comment_reports (org_id, comment_id) where dismissed_at is null;
select es.isolate_organisations('comment_reports');

-- Which transactions have changed what feeds show, so that a page that was composed for all is shown only while nothing
-- of it has changed (design/live-pages.md). Written by the triggers below, so that no writer forgets it.
create table feed_changes (
  org_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default now(),
  primary key (org_id, xid)
) with (autovacuum_vacuum_scale_factor = 0.05);
select es.isolate_organisations('feed_changes');

create function record_feed_change() returns trigger language plpgsql as $$
begin
  insert into feed_changes (org_id) select distinct org_id from changed on conflict do nothing;
  return null;
end $$;

do $$
declare
  shown_table text;
begin
  foreach shown_table in array array['posts', 'checkpoint_entries', 'members', 'teams', 'reaction_counts', 'comments'] loop
    execute format('create trigger record_feed_change_by_insert after insert on %I referencing new table as changed '
      'for each statement execute function record_feed_change()', shown_table);
    execute format('create trigger record_feed_change_by_update after update on %I referencing new table as changed '
      'for each statement execute function record_feed_change()', shown_table);
    execute format('create trigger record_feed_change_by_delete after delete on %I referencing old table as changed '
      'for each statement execute function record_feed_change()', shown_table);
  end loop;
end $$;

-- Ballots on teams' names (D20, ADR 0045). The log knows options by id; their names lie in a table of their own.

create table ballots (
  org_id uuid not null,
  ballot_id uuid not null,
  team_id uuid not null,
  opened_at timestamptz not null,
  ends_at timestamptz not null,
  decided_at timestamptz,
  -- Options that got votes, the winner first, once it is decided.
  ranking uuid[] not null default '{}',
  primary key (org_id, ballot_id)
);
-- One at a time for a team.
create unique index open_ballot_of_team on ballots (org_id, team_id) where decided_at is null;
create index ballots_of_team on ballots (org_id, team_id, opened_at desc);
create index ballots_of_organisation on ballots (org_id, opened_at desc, ballot_id desc);
create index ballots_to_end on ballots (ends_at) where decided_at is null;
select es.isolate_organisations('ballots');

create table ballot_options (
  org_id uuid not null,
  ballot_id uuid not null,
  option_id uuid not null,
  place smallint not null,
  votes integer not null default 0,
  primary key (org_id, ballot_id, option_id)
);
select es.isolate_organisations('ballot_options');

-- Only the voter reads for what they voted.
create table ballot_votes (
  org_id uuid not null,
  ballot_id uuid not null,
  user_id uuid not null,
  option_id uuid not null,
  voted_at timestamptz not null,
  primary key (org_id, ballot_id, user_id)
);
create index votes_of_member on ballot_votes (org_id, user_id);
select es.isolate_organisations('ballot_votes');

create table ballot_names (
  org_id uuid not null,
  ballot_id uuid not null,
  option_id uuid not null,
  name text not null,
  primary key (org_id, ballot_id, option_id)
);
select es.isolate_organisations('ballot_names');

-- The outcome that identity made of a ranking: the place whose name the team has now, null when it kept the one it had.
create table ballot_results (
  org_id uuid not null,
  ballot_id uuid not null,
  place smallint,
  primary key (org_id, ballot_id)
);
select es.isolate_organisations('ballot_results');

-- Organisations whose first set-up opened ballots for all teams.
create table first_ballot_rounds (
  org_id uuid not null primary key,
  opened_at timestamptz not null
);
select es.isolate_organisations('first_ballot_rounds');

-- Notices behind the bell (ADR 0048).
-- Ids, figures and words of the product only: names and texts are read with what a notice speaks of.

create table notices (
  org_id uuid not null,
  notice_id uuid not null,
  user_id uuid not null,
  kind text not null,
  -- The thing that its items have in common: an entry, a ballot, a team, …
  subject text not null,
  -- When something was last added.
  raised_at timestamptz not null,
  expires_at timestamptz,
  read_at timestamptz,
  -- Whether identity has not been sent the present state, the count and text last sent, and the highest count sent.
  is_unpublished boolean not null default true,
  published_count integer not null default 0,
  highest_published_count integer not null default 0,
  published_text text,
  primary key (org_id, notice_id)
);
-- One takes up what comes until it is read.
create unique index notices_unread on notices (org_id, user_id, kind, subject) where read_at is null;
create index notices_of_member on notices (org_id, user_id, raised_at desc, notice_id desc);
create index notices_by_subject on notices (org_id, subject);
create index notices_unpublished on notices (raised_at) where is_unpublished;
create index notices_by_age on notices (raised_at);
select es.isolate_organisations('notices');

create table notice_items (
  org_id uuid not null,
  -- A UUID of receiver, kind, subject and thing: a fact that is told twice is one item.
  item_id uuid not null,
  notice_id uuid not null,
  actor_id uuid,
  facts jsonb not null,
  happened_at timestamptz not null,
  is_withdrawn boolean not null default false,
  primary key (org_id, item_id),
  foreign key (org_id, notice_id) references notices on delete cascade
);
create index notice_items_of_notice on notice_items (org_id, notice_id, happened_at desc);
create index notice_items_of_actor on notice_items (org_id, actor_id) where actor_id is not null;
select es.isolate_organisations('notice_items');

create table notice_mutes (
  org_id uuid not null,
  user_id uuid not null,
  kinds text[] not null,
  primary key (org_id, user_id)
);
select es.isolate_organisations('notice_mutes');

-- Recaps: the story of each week, told on Monday morning (D28, ADR 0051).

-- Miles of weeks as recaps sum them up: by member and team, by the member's local dates. Rows change with each log, and
-- their indexed columns do not.
create table recap_member_weeks (
  org_id uuid not null,
  week_starts_on date not null,
  user_id uuid not null,
  team_id uuid not null,
  centimiles bigint not null,
  -- The member's latest run of active days, as of the newest entry that the row's week holds (design/database.md). The newest row
  -- of a member counts, by epoch and position. Null once the member is erased.
  run_started_on date,
  run_ended_on date,
  run_days int,
  epoch bigint,
  position bigint,
  primary key (org_id, week_starts_on, user_id, team_id)
) with (fillfactor = 70);
select es.isolate_organisations('recap_member_weeks');

-- Challenges completed and badges earned, each once.
create table recap_achievements (
  org_id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('weekly-challenge', 'bonus-challenge', 'badge')),
  subject text not null,
  -- The name of a weekly challenge.
  name text,
  happened_at timestamptz not null,
  primary key (org_id, user_id, kind, subject)
);
create index recap_achievements_by_time on recap_achievements (org_id, happened_at);
select es.isolate_organisations('recap_achievements');

-- How often members signed in on a day of the organisation. It names no member, so that there is none to forget (3.18).
create table recap_sign_ins (
  org_id uuid not null,
  signed_in_on date not null,
  count int not null,
  primary key (org_id, signed_in_on)
);
select es.isolate_organisations('recap_sign_ins');

create table weekly_recaps (
  org_id uuid not null,
  recap_id uuid not null,
  week_starts_on date not null,
  week_ends_on date not null,
  centimiles bigint not null,
  member_count int not null,
  -- Figures and ids; no name of a person or team, and no typed text but names of challenges.
  story jsonb not null,
  created_at timestamptz not null,
  primary key (org_id, recap_id)
);
create unique index weekly_recaps_once on weekly_recaps (org_id, week_starts_on);
select es.isolate_organisations('weekly_recaps');

create table recap_engagement (
  org_id uuid not null,
  recap_id uuid not null,
  user_id uuid not null,
  viewed_at timestamptz not null,
  reaction_emoji text,
  vibe_emoji text,
  feedback_text text,
  primary key (org_id, recap_id, user_id),
  foreign key (org_id, recap_id) references weekly_recaps on delete cascade
);
create index recap_engagement_of_member on recap_engagement (org_id, user_id);
select es.isolate_organisations('recap_engagement');

create table recap_analytics (
  org_id uuid not null,
  recap_id uuid not null,
  active_members int not null,
  weekly_logins_before int not null,
  weekly_logins_after int,
  new_activities_before int not null,
  new_activities_after int,
  -- Percentage points of the active members.
  participation_change numeric(5, 1),
  primary key (org_id, recap_id),
  foreign key (org_id, recap_id) references weekly_recaps on delete cascade
);
select es.isolate_organisations('recap_analytics');

-- Locks.

-- Posting and erasing in an organisation wait for each other, so that no caption is written by a process that does not
-- know of the erasure yet. Posting is shared: batches do not wait for batches.
create function lock_posting(p_orgs uuid[]) returns void language plpgsql as $$
declare
  lock_id bigint;
begin
  for lock_id in select distinct hashtextextended(o::text, 3) from unnest(p_orgs) o order by 1 loop
    perform pg_advisory_xact_lock_shared(lock_id);
  end loop;
end $$;

create function lock_erasing(p_org uuid) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(p_org::text, 3))
$$;

-- A notice may be raised about somebody who joins at this moment: then its transaction and the one that adds them wait
-- for each other, so that one of both tells it.
create function lock_joining(p_users uuid[]) returns void language plpgsql as $$
declare
  lock_id bigint;
begin
  for lock_id in select distinct hashtextextended(u::text, 5) from unnest(p_users) u order by 1 loop
    perform pg_advisory_xact_lock(lock_id);
  end loop;
end $$;
