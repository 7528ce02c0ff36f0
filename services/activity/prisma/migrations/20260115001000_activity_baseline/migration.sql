-- Movement logs: read models that follow from the log, and the words, photos and windows that are stored here only.

-- Members as identity publishes them.
create table members (
  org_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  time_zone text not null,
  -- The picture that identity shows of the member.
  photo_id uuid,
  primary key (org_id, user_id)
);
select es.isolate_organisations('members');

create table movement_logs (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  team_id uuid not null,
  -- A name from the product's own lists, or 'custom'.
  activity text not null,
  duration_minutes integer not null check (duration_minutes between 1 and 1440),
  centimiles integer not null,
  multiplier numeric(4, 2) not null,
  source text not null,
  started_at timestamptz not null,
  logged_at timestamptz not null,
  logged_on date not null,
  time_zone text not null,
  covered_centimiles integer,
  -- 'owner': shown to nobody else, whatever the owner's privacy (D21).
  audience text not null default 'organisation',
  -- The same workout of two sources counts once (D25): what the rule needs to know of each log, and what it decided.
  is_counted boolean not null default true,
  -- The log that counts in its place.
  same_as uuid,
  -- Its member's word on whether it counts.
  override boolean,
  is_scored boolean not null,
  -- Since when an import could be credited; null: since it was logged.
  creditable_at timestamptz,
  primary key (org_id, log_id)
);
create index movement_logs_newest on movement_logs (org_id, user_id, logged_at desc, log_id desc);
select es.isolate_organisations('movement_logs');

-- Words that a member typed and figures that a platform measured of their body: the log never holds it, and erasing the
-- row forgets it.
create table movement_texts (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  activity_type text not null,
  caption text,
  location text,
  heart_rate integer,
  calories integer,
  -- How hard it was for its owner, who alone is told.
  perceived_effort smallint check (perceived_effort between 1 and 5),
  primary key (org_id, log_id)
);
select es.isolate_organisations('movement_texts');

create table member_miles (
  org_id uuid not null,
  user_id uuid not null,
  centimiles bigint not null,
  primary key (org_id, user_id)
) with (fillfactor = 70);
select es.isolate_organisations('member_miles');

-- How often a member uses which activity besides the presets; names are what they typed, so they go with the member.
create table frequent_activities (
  org_id uuid not null,
  activity_id uuid not null default uuidv7(),
  user_id uuid not null,
  -- As typed last. The same in other letters or with another apostrophe is the same activity.
  activity_name text not null,
  name_key text not null generated always as (text_key(activity_name)) stored,
  usage_count integer not null,
  used_at timestamptz not null,
  primary key (org_id, user_id, name_key)
);
create index frequent_activities_order on frequent_activities (org_id, user_id, usage_count desc, used_at desc, activity_id);
select es.isolate_organisations('frequent_activities');

-- Bonus challenges as scoring has opened and closed them.
create table bonus_windows (
  org_id uuid not null,
  challenge_id uuid not null,
  activity_type text not null,
  target_duration_minutes integer not null,
  multiplier numeric(4, 2) not null,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  primary key (org_id, challenge_id)
);
select es.isolate_organisations('bonus_windows');

-- Which log of a member completes a bonus challenge. A member completes it once.
create table bonus_uses (
  org_id uuid not null,
  challenge_id uuid not null,
  user_id uuid not null,
  log_id uuid not null,
  primary key (org_id, challenge_id, user_id)
);
create unique index bonus_uses_log on bonus_uses (org_id, log_id);
select es.isolate_organisations('bonus_uses');

-- Files in the object store: the row is there before its object, and goes after it.

-- `incoming/{org_id}/{user_id}/{upload_id}`: the address that a member was given.
create table uploads (
  org_id uuid not null,
  upload_id uuid not null,
  user_id uuid not null,
  -- As announced; null where nothing was.
  size_bytes integer,
  started_at timestamptz not null,
  photo_id uuid,
  -- Why its file is no photo.
  refusal text,
  -- The name that S3 gives a file that is sent in parts; null where it comes whole.
  multipart_id text,
  discarded_at timestamptz,
  file_deleted_at timestamptz,
  primary key (org_id, upload_id)
);
create index uploads_started on uploads (started_at) where discarded_at is null;
create index uploads_discarded on uploads (discarded_at) where discarded_at is not null;
create index uploads_owner on uploads (org_id, user_id);
select es.isolate_organisations('uploads');

-- `photos/{org_id}/{photo_id}/{size}.webp`. The pixels are those of the largest size.
create table photos (
  org_id uuid not null,
  photo_id uuid not null,
  user_id uuid not null,
  width integer not null,
  height integer not null,
  thumb_hash text not null,
  alt text,
  created_at timestamptz not null,
  -- Null while its object is on its way.
  registered_at timestamptz,
  -- When the smaller sizes were there, too.
  sized_at timestamptz,
  -- The log that it proves.
  log_id uuid,
  -- When its owner chose it as their picture, and whether it has been that.
  chosen_at timestamptz,
  was_shown boolean not null default false,
  discarded_at timestamptz,
  file_deleted_at timestamptz,
  primary key (org_id, photo_id),
  check (log_id is null or chosen_at is null)
);
create unique index photos_log on photos (org_id, log_id) where log_id is not null;
create index photos_owner on photos (org_id, user_id);
create index photos_unused on photos (created_at) where log_id is null and discarded_at is null;
create index photos_unsized on photos (created_at) where sized_at is null and discarded_at is null;
create index photos_discarded on photos (discarded_at) where discarded_at is not null;
select es.isolate_organisations('photos');

-- The members who log in one transaction, under their locks. Two statements in one function: the sums have to be read
-- by a statement that begins after the members' writers have been waited for.
create function logging_members(p_orgs uuid[], p_keys text[])
returns table (user_id uuid, team_id uuid, time_zone text, centimiles bigint) language plpgsql as $$
begin
  perform es.lock_keys(p_keys);
  -- A statement of its own: it has to see what was committed while the locks were waited for.
  return query
    select m.user_id, m.team_id, m.time_zone, coalesce(s.centimiles, 0)::bigint
    from unnest(p_orgs, p_keys) k (org, key)
    cross join lateral (
      select * from members m where m.org_id = k.org and m.user_id = k.key::uuid offset 0) m
    left join lateral (
      select s.centimiles from member_miles s where s.org_id = k.org and s.user_id = k.key::uuid offset 0) s on true;
end $$;
