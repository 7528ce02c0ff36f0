-- What part of an account a person shapes, what an admin shapes of an organisation, and what is owed to those who leave.

alter table organisations
  add column company_name text,
  add column employee_range text,
  add column brand_traits text[] not null default '{}',
  add column industry text not null default '',
  -- Re-encoded by us, small enough to travel inside the branding.
  add column logo_data_url text,
  add column brand_colors text[] not null default '{}',
  add column welcome_message text,
  add column set_up_at timestamptz;

alter table teams add column retired_at timestamptz;
-- Two teams of one organisation are never called the same, whatever the case.
create unique index teams_one_name on teams (org_id, lower(name)) where retired_at is null;

alter table persons
  add column phone text not null default '',
  add column theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  add column units text not null default 'imperial' check (units in ('imperial', 'metric')),
  add column notify_by_email boolean not null default true,
  add column notify_by_push boolean not null default true,
  add column notify_of_team boolean not null default true,
  add column notify_weekly boolean not null default true,
  add column profile_visible boolean not null default true,
  add column activity_visible boolean not null default true,
  add column stats_visible boolean not null default true,
  add column share_heart_rate boolean not null default false,
  add column share_calories boolean not null default false;

-- Links with which a password can be set. Only the hash of what was mailed is kept; each works once, for half an hour.
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

-- One export per person at a time; the file lies in the object store until it expires.
create table exports (
  org_id uuid not null,
  user_id uuid not null,
  export_id uuid not null,
  state text not null check (state in ('building', 'ready', 'failed')),
  requested_at timestamptz not null,
  expires_at timestamptz,
  size_bytes integer,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
create index exports_expires_at on exports (expires_at);

-- What the lists of admins page by.
create index persons_by_name on persons (org_id, lower(name), user_id);
create index memberships_by_joining on memberships (org_id, joined_at, user_id);
create index memberships_of_team on memberships (org_id, team_id, user_id);
create index member_scores_by_miles on member_scores (org_id, total_centimiles, user_id);
create index invites_newest on invites (org_id, created_at desc, invite_id desc);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['password_resets', 'follows', 'exports'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
