-- The story of each week, told on Monday morning (D28, docs/adr/0051-a-recap-is-a-snapshot.md).

-- When the organisation began: it has no recap of weeks before. Null where that is not known here.
alter table organisations add column founded_at timestamptz;

-- Who hides their figures is no one's 'most improved' (D18). Null: from before, hidden until `./caravan rebuild social feed`.
alter table members add column stats_visible boolean;
alter table members alter column stats_visible set default true;

-- What scoring tells of weeks, as recaps sum it up: of each member and team, by the member's local dates.
create table recap_member_weeks (
  org_id uuid not null,
  week_starts_on date not null,
  user_id uuid not null,
  team_id uuid not null,
  centimiles bigint not null,
  primary key (org_id, week_starts_on, user_id, team_id)
);

-- A member's latest run of active days, as of the last entry.
create table recap_streaks (
  org_id uuid not null,
  user_id uuid not null,
  started_on date,
  ended_on date,
  days int,
  epoch bigint not null,
  position bigint not null,
  primary key (org_id, user_id)
);

-- Challenges completed and badges earned, each once.
create table recap_feats (
  org_id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('weekly-challenge', 'bonus-challenge', 'badge')),
  subject text not null,
  -- Of a weekly challenge.
  name text,
  happened_at timestamptz not null,
  primary key (org_id, user_id, kind, subject)
);
create index recap_feats_by_time on recap_feats (org_id, happened_at);

-- How often members signed in on a day of the organisation: nobody is kept, so that there is nobody to forget (3.18).
create table recap_sign_ins (
  org_id uuid not null,
  signed_in_on date not null,
  count int not null,
  primary key (org_id, signed_in_on)
);

create table weekly_recaps (
  org_id uuid not null,
  recap_id uuid not null,
  week_starts_on date not null,
  week_ends_on date not null,
  centimiles bigint not null,
  member_count int not null,
  -- Figures and ids; no name of a person or team, and nothing that somebody typed but names of challenges.
  story jsonb not null,
  created_at timestamptz not null,
  primary key (org_id, recap_id)
);
create unique index weekly_recaps_once on weekly_recaps (org_id, week_starts_on);

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

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['recap_member_weeks', 'recap_streaks', 'recap_feats', 'recap_sign_ins',
      'weekly_recaps', 'recap_engagement', 'recap_analytics'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
