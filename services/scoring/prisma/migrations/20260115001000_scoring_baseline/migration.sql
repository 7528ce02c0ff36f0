-- Miles: what identity and activity publish of people, the ledger with the sums that follow from it, challenges,
-- badges, journeys and reminders.

-- People.

create table organisations (
  org_id uuid primary key,
  -- The zone of the founding; changes are objects of `from` (a Monday) and `timeZone`, oldest first (ADR 0099).
  time_zone text not null,
  time_zone_changes jsonb not null default '[]',
  -- Whether freezes hold streaks over missed days (D11).
  has_streak_freezes boolean not null default true,
  -- Set where members may have earned badges that nobody has awarded, as when streaks are longer by another rule. A job
  -- reviews the organisation and clears it.
  badges_due_at timestamptz,
  -- In an organisation that closed no week begins and no challenge opens; miles on their way still find its time zone.
  is_closed boolean not null default false
);
create index organisations_badges_due on organisations (badges_due_at) where badges_due_at is not null;
select es.isolate_organisations('organisations');

create table teams (
  org_id uuid not null,
  team_id uuid not null,
  name text not null,
  emoji text not null,
  -- Position of the fact that formed it: the older team has the lower one, also when two were formed at once.
  formed_position bigint not null,
  -- Active members only.
  member_count integer not null default 0,
  is_retired boolean not null default false,
  primary key (org_id, team_id)
);
select es.isolate_organisations('teams');

create table members (
  org_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  name text not null,
  photo_url text,
  -- A streak is told on the member's own date (D10); null once the member is erased.
  time_zone text,
  -- A member cannot claim a week that ended before they belonged to the organisation, or for a team's challenge to the
  -- team.
  joined_on date not null,
  in_team_since date not null,
  is_active boolean not null default true,
  is_erased boolean not null default false,
  -- Deactivated members are off the boards. Once erased they stay on or off them as they were.
  was_active boolean not null default true,
  -- How often the member has left the boards or returned, so that boards know the newer of two states.
  board_changes integer not null default 0,
  -- The member's privacy (D18).
  stats_visible boolean not null default true,
  activity_visible boolean not null default true,
  profile_visible boolean not null default true,
  primary key (org_id, user_id),
  foreign key (org_id, team_id) references teams (org_id, team_id)
);
-- Looked up for every page and every credit, so they hold exceptions only.
create index members_hiding_activity on members (org_id, user_id) where not activity_visible;
create index members_erased on members (org_id, user_id) where is_erased;
create index members_off_boards on members (org_id, user_id) where not is_active and not (is_erased and was_active);
-- In which zones an organisation's members live.
create index members_by_zone on members (org_id, time_zone) where is_active;
select es.isolate_organisations('members');

-- From when to when somebody was an active member of a team: figures of a past week rest on who was there when it began
-- (ADR 0054).
create table team_memberships (
  org_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  since timestamptz not null,
  until timestamptz,
  primary key (org_id, user_id, since)
);
select es.isolate_organisations('team_memberships');

-- Names of what was credited, for 'Recent Team Activity'; a row, so that it can be forgotten.
create table credited_movements (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  activity_type text not null,
  -- Different activities are counted by it. Stored, because behind row-level security an index serves a condition only
  -- if no function of it can leak.
  activity_key text not null generated always as (text_key(activity_type)) stored,
  centimiles integer not null,
  -- When the member had moved, not when it was typed in.
  ended_at timestamptz not null,
  -- A correction that comes late changes nothing of a newer one.
  revision integer not null default 1,
  -- 'owner': shown to nobody else, whatever the owner's privacy (D21).
  audience text not null default 'organisation',
  primary key (org_id, log_id)
);
-- The newest movements, and all of some weeks for the figures of admins (ADR 0054): these are sums over all members,
-- read without looking up each row.
create index credited_movements_newest on credited_movements (org_id, ended_at desc, log_id desc)
  include (user_id, activity_key, audience);
-- Badges leap through it, and over movements that are not scored (D21).
create index credited_movements_of_member on credited_movements (org_id, user_id, activity_key) where centimiles > 0;
-- A member with movements that nobody else is shown sees more than what is composed for all (D21).
create index credited_movements_of_owner on credited_movements (org_id, user_id, ended_at) where audience = 'owner';
select es.isolate_organisations('credited_movements');

-- The ledger and the sums that follow from it.

-- Every entry says by how much it changed a date's movements and minutes, and what explains it (D9): numbers and names
-- from the product's own lists. What a member called an activity stands in credited_movements, where it is forgotten.
create table ledger_entries (
  org_id uuid not null,
  entry_id uuid not null,
  kind text not null,
  log_id uuid,
  user_id uuid not null,
  team_id uuid not null,
  centimiles integer not null,
  credited_on date not null,
  week_starts_on date not null,
  credited_at timestamptz not null,
  movements smallint not null default 1,
  minutes integer not null default 0,
  activity text,
  duration_minutes integer,
  previous_minutes integer,
  multiplier numeric(4, 2),
  previous_multiplier numeric(4, 2),
  challenge_id uuid,
  -- It rests on data that only its owner may see (D21).
  is_owner_only boolean not null default false,
  -- The source by which the same workout counts, where the entry takes miles back for it; 'by-choice' where the member
  -- said so.
  not_counted text,
  primary key (org_id, entry_id)
);
-- The own ledger is read by the days that miles count for, the newest first; entries of a day by when they were made.
create index ledger_entries_by_day on ledger_entries (org_id, user_id, credited_on desc, credited_at desc, entry_id desc);
select es.isolate_organisations('ledger_entries');

-- `version` counts the entries behind a sum: of two copies the one with the higher version is the newer.
create table member_totals (
  org_id uuid not null,
  user_id uuid not null,
  centimiles bigint not null,
  reached_at timestamptz not null,
  version bigint not null,
  -- How much of it rests on data that only its owner may see (D21).
  owner_only_centimiles bigint not null default 0,
  owner_only_entries integer not null default 0,
  primary key (org_id, user_id)
) with (fillfactor = 70);
-- The board of an organisation in its order (D12): most miles first, then who reached them earlier.
create index member_totals_board on member_totals (org_id, (-centimiles), reached_at, user_id) where centimiles > 0;
select es.isolate_organisations('member_totals');

-- A week's board is built and read by week. No index in the order of the board: it would be written with every log, and
-- is needed only while Redis has lost the board of the running week (ADR 0009).
create table member_weeks (
  org_id uuid not null,
  user_id uuid not null,
  week_starts_on date not null,
  centimiles bigint not null,
  reached_at timestamptz not null,
  version bigint not null,
  primary key (org_id, week_starts_on, user_id)
) with (fillfactor = 70);
select es.isolate_organisations('member_weeks');

-- Unbroken runs of active dates; no two of a member touch.
create table streak_runs (
  org_id uuid not null,
  user_id uuid not null,
  started_on date not null,
  ended_on date not null check (ended_on >= started_on),
  primary key (org_id, user_id, started_on)
) with (fillfactor = 70);
select es.isolate_organisations('streak_runs');

-- How a member's latest run of days began: what the streak brought to it and the freezes saved up then (D11). Follows
-- from streak_runs; stored because reading all of a member's runs for every log would cost more with every week.
create table streak_starts (
  org_id uuid not null,
  user_id uuid not null,
  started_on date not null,
  days_before integer not null,
  freezes smallint not null,
  primary key (org_id, user_id)
);
select es.isolate_organisations('streak_starts');

-- Credits that are not in their teams' sums yet. A team's row is shared by all its members: to add to it inside a long
-- batch would make batches wait for each other, and in two orders deadlock. So credits only insert here, and a short
-- transaction of its own moves them over; sums are read from both. A row holds all credits of an organisation that were
-- written at once: the nth of each array belong together (design/database.md). Credits are found without walking over those that
-- have arrived, which stay as long as an old snapshot is held. For a table that statistics take for empty, every index
-- that has one of the columns of a condition looks alike, so each way of asking has a column that stands in one index
-- only (design/database.md).
create table pending_team_credit_sets (
  org_id uuid not null,
  set_id uuid not null default uuidv7(),
  user_ids uuid[] not null,
  team_ids uuid[] not null,
  credited_on date[] not null,
  week_starts_on date[] not null,
  centimiles integer[] not null,
  credited_at timestamptz[] not null,
  -- Only where it differs from when the total counts as reached: miles that moved to another week.
  week_reached_at timestamptz[] not null,
  -- Null where the credit comes from no log.
  movements smallint[] not null,
  minutes integer[] not null,
  xid xid8 not null default pg_current_xact_id(),
  swept_by xid8 not null default pg_current_xact_id()
);
create index pending_team_credit_sets_of_organisation on pending_team_credit_sets (org_id, xid);
create index pending_team_credit_sets_of_sweep on pending_team_credit_sets (swept_by);
create index pending_team_credit_sets_of_set on pending_team_credit_sets (set_id);
select es.isolate_organisations('pending_team_credit_sets');

-- A snapshot for each organisation: what it sees of pending_team_credit_sets is in the sums. The row with the highest
-- end counts; it is written anew and never updated. Another database knows other transactions: a row that was not
-- written here by the transaction that it names, as after a restore from a dump, counts for nothing, and everything is
-- looked at once.
create table credit_set_aggregations (
  org_id uuid not null,
  ends_before xid8 not null,
  seen pg_snapshot not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (org_id, ends_before)
) with (autovacuum_vacuum_scale_factor = 0.05);
select es.isolate_organisations('credit_set_aggregations');

create table team_totals (
  org_id uuid not null,
  team_id uuid not null,
  centimiles bigint not null,
  reached_at timestamptz not null,
  primary key (org_id, team_id)
) with (fillfactor = 50);
select es.isolate_organisations('team_totals');

-- A team's week: its miles, and what its logs brought (no bonuses), as its challenges count them (4.20, D14).
create table team_weeks (
  org_id uuid not null,
  team_id uuid not null,
  week_starts_on date not null,
  centimiles bigint not null,
  reached_at timestamptz not null,
  logged_centimiles bigint not null default 0,
  minutes bigint not null default 0,
  activities integer not null default 0,
  days integer not null default 0,
  primary key (org_id, team_id, week_starts_on)
) with (fillfactor = 50);
select es.isolate_organisations('team_weeks');

-- Where a member stood at the end of a finished week, out of the miles of weeks. Written by a job for a whole
-- organisation at once, never with a log; every row can be written again by the same statement.
create table member_ranks (
  org_id uuid not null,
  user_id uuid not null,
  week_starts_on date not null,
  rank integer not null check (rank > 0),
  centimiles bigint not null,
  primary key (org_id, user_id, week_starts_on)
);
select es.isolate_organisations('member_ranks');

-- What the ranks of an organisation were written from: while that is unchanged there is nothing to write.
create table ranked_organisations (
  org_id uuid primary key,
  ranked_from text not null
);
select es.isolate_organisations('ranked_organisations');

-- How many movements a member has on a date for a team: where that becomes one, or none, the team's days change.
create table team_week_days (
  org_id uuid not null,
  team_id uuid not null,
  week_starts_on date not null,
  user_id uuid not null,
  credited_on date not null,
  movements integer not null,
  primary key (org_id, team_id, week_starts_on, user_id, credited_on)
) with (fillfactor = 70);
select es.isolate_organisations('team_week_days');

-- Teams' miles by local date and who earned them, so that a journey may begin on any date and costs a log nothing.
create table team_days (
  org_id uuid not null,
  team_id uuid not null,
  credited_on date not null,
  centimiles bigint not null,
  primary key (org_id, team_id, credited_on)
) with (fillfactor = 50);
select es.isolate_organisations('team_days');

create table team_contributors (
  org_id uuid not null,
  team_id uuid not null,
  user_id uuid not null,
  last_credited_on date not null,
  primary key (org_id, team_id, user_id)
) with (fillfactor = 70);
select es.isolate_organisations('team_contributors');

-- The state that boards in Redis rest on. The generation rises whenever a change could not be written to an
-- organisation's board: boards of an older generation are wrong. What boards show of members and teams is cached until
-- it changes: the transaction that changed it is noted in directory_change.
create table board_generations (
  org_id uuid primary key,
  generation bigint not null default 0,
  directory_change bigint not null default 0
);
select es.isolate_organisations('board_generations');

-- Weekly challenges: what admins prepare, what each week began with, and who has claimed what (D14).

-- An organisation without rows has the product's own templates.
create table challenge_templates (
  org_id uuid not null,
  template_id text not null,
  place integer not null,
  name text not null,
  description text not null,
  target_value numeric(8, 2) not null,
  target_unit text not null,
  bonus_centimiles integer not null,
  challenge_type text not null,
  is_active boolean not null,
  primary key (org_id, template_id)
);
select es.isolate_organisations('challenge_templates');

-- A week is opened once; templates that change later are for the weeks after it.
create table challenge_weeks (
  org_id uuid not null,
  week_starts_on date not null,
  opened_at timestamptz not null,
  primary key (org_id, week_starts_on)
);
select es.isolate_organisations('challenge_weeks');

create table weekly_challenges (
  org_id uuid not null,
  challenge_id uuid not null,
  week_starts_on date not null,
  place integer not null,
  name text not null,
  description text not null,
  target_value numeric(8, 2) not null,
  target_unit text not null,
  bonus_centimiles integer not null,
  challenge_type text not null,
  primary key (org_id, challenge_id)
);
create index weekly_challenges_of_week on weekly_challenges (org_id, week_starts_on, place);
select es.isolate_organisations('weekly_challenges');

create table weekly_claims (
  org_id uuid not null,
  challenge_id uuid not null,
  user_id uuid not null,
  -- The team at the time of the claim: a team's challenge counts this one's miles.
  team_id uuid not null,
  week_starts_on date not null,
  -- False once the bonus was withdrawn.
  is_claimed boolean not null,
  primary key (org_id, challenge_id, user_id)
);
create index weekly_claims_standing on weekly_claims (org_id, week_starts_on, team_id, user_id) where is_claimed;
select es.isolate_organisations('weekly_claims');

-- Miles were taken back from a member's week: claims of the member and the team may not hold any more (D8).
create table pending_claim_reviews (
  org_id uuid not null,
  entry_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  week_starts_on date not null,
  primary key (org_id, entry_id)
);
select es.isolate_organisations('pending_claim_reviews');

-- For whom a weekly challenge is reached, and not claimed when they were told (D14).
create table reached_challenges (
  org_id uuid not null,
  challenge_id uuid not null,
  user_id uuid not null,
  -- The team whose figures count for a team's challenge.
  team_id uuid not null,
  reached_at timestamptz not null,
  primary key (org_id, challenge_id, user_id)
);
select es.isolate_organisations('reached_challenges');

-- Bonus challenges (D15): at most one is open in an organisation.

create table bonus_challenges (
  org_id uuid not null,
  challenge_id uuid not null,
  strategy text not null,
  title text not null,
  description text not null,
  activity_type text not null,
  target_duration_minutes integer not null,
  multiplier numeric(4, 2) not null,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  primary key (org_id, challenge_id)
);
create unique index bonus_challenges_open on bonus_challenges (org_id) where closed_at is null;
create index bonus_challenges_newest on bonus_challenges (org_id, opened_at desc);
select es.isolate_organisations('bonus_challenges');

-- Which log of a member earned the multiplier.
create table bonus_completions (
  org_id uuid not null,
  challenge_id uuid not null,
  user_id uuid not null,
  log_id uuid not null,
  completed_at timestamptz not null,
  primary key (org_id, challenge_id, user_id)
);
create unique index bonus_completions_log on bonus_completions (org_id, log_id);
select es.isolate_organisations('bonus_completions');

-- Badges and journeys.

-- Badges that members have earned (D13). Ids and instants only.
create table member_badges (
  org_id uuid not null,
  user_id uuid not null,
  badge_id text not null,
  earned_at timestamptz not null,
  -- Only its owner sees it (D13).
  is_owner_only boolean not null default false,
  primary key (org_id, user_id, badge_id)
);
select es.isolate_organisations('member_badges');

-- The journey an organisation is on; one at a time (D33).
create table journeys (
  org_id uuid primary key,
  journey_id uuid not null,
  route_id text not null,
  starts_on date not null,
  started_at timestamptz not null
);
select es.isolate_organisations('journeys');

-- Arrivals on all journeys, also on those that others have replaced. Checkpoints are counted from the start of the
-- route (0).
create table journey_arrivals (
  org_id uuid not null,
  journey_id uuid not null,
  team_id uuid not null,
  checkpoint smallint not null,
  reached_at timestamptz not null,
  primary key (org_id, journey_id, team_id, checkpoint)
);
select es.isolate_organisations('journey_arrivals');

-- Reminders and notices.

-- Reminders that were sent, by local date: each kind once a day, however often and by how many processes it is
-- looked for (ADR 0048). Ids and dates only; stored as long as notices are.
create table sent_reminders (
  org_id uuid not null,
  user_id uuid not null,
  kind text not null,
  sent_on date not null,
  sent_at timestamptz not null,
  primary key (org_id, user_id, kind, sent_on)
);
select es.isolate_organisations('sent_reminders');

-- Credits that are in the teams' sums now, and may have changed what somebody has to be told of. A row holds all
-- credits of an organisation and week that went into the sums at once: the nth of each array belong together (design/database.md).
create table pending_credit_notices (
  id bigint generated always as identity primary key,
  org_id uuid not null,
  week_starts_on date not null,
  user_ids uuid[] not null,
  team_ids uuid[] not null,
  centimiles bigint[] not null
);
select es.isolate_organisations('pending_credit_notices');

-- Reading credits on their way into the sums.

-- The snapshot whose sets are in the sums; null where none is known.
create function sets_aggregated_until(p_org uuid) returns pg_snapshot language sql stable
set enable_seqscan = off set enable_bitmapscan = off as $$
  select c.seen from credit_set_aggregations c
  where c.org_id = p_org and c.xmin = c.xid::xid and c.ends_before <= pg_snapshot_xmax(pg_current_snapshot())
  order by c.ends_before desc limit 1
$$;

-- The credits in an organisation's sets that a snapshot does not see, in all of them where it is null; no more sets
-- than have `p_most` credits. `coalesce` would keep the index from being used behind row-level security.
create function pending_team_credit_sets_since(p_org uuid, p_seen pg_snapshot, p_most integer)
returns table (org_id uuid, set_id uuid, user_id uuid, team_id uuid, credited_on date, week_starts_on date,
  centimiles integer, credited_at timestamptz, week_reached_at timestamptz, movements smallint, minutes integer)
language sql stable rows 50
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select s.org_id, s.set_id, c.* from (
    select u.*, sum(cardinality(u.user_ids)) over (order by u.set_id) - cardinality(u.user_ids) as before from (
    select p.* from pending_team_credit_sets p
    where p.org_id = p_org and p.xid >= case when p_seen is null then '0'::xid8 else pg_snapshot_xmax(p_seen) end
    union all
    select late.* from pg_snapshot_xip(p_seen) as in_progress, lateral (
      select p.* from pending_team_credit_sets p where p.org_id = p_org and p.xid = in_progress offset 0
    ) late
    ) u
  ) s, unnest(s.user_ids, s.team_ids, s.credited_on, s.week_starts_on, s.centimiles, s.credited_at, s.week_reached_at,
    s.movements, s.minutes) as c
  where p_most is null or s.before < p_most
$$;

-- The credits that are not in the sums of teams yet.
create function pending_team_credits_of(p_org uuid)
returns table (org_id uuid, set_id uuid, user_id uuid, team_id uuid, credited_on date, week_starts_on date,
  centimiles integer, credited_at timestamptz, week_reached_at timestamptz, movements smallint, minutes integer)
language sql stable rows 50 as $$
  select * from pending_team_credit_sets_since(p_org, sets_aggregated_until(p_org), null)
$$;
