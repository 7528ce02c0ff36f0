-- Whose a file in the storage is: the row is there before its object, and goes after it.

-- `incoming/{org_id}/{user_id}/{upload_id}`: what a member was given an address for.
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
  discarded_at timestamptz,
  emptied_at timestamptz,
  primary key (org_id, upload_id)
);
create index uploads_started on uploads (started_at) where discarded_at is null;
create index uploads_discarded on uploads (discarded_at) where discarded_at is not null;
create index uploads_owner on uploads (org_id, user_id);

-- `photos/{org_id}/{photo_id}/{size}.webp`. The pixels are those of the largest size.
create table photos (
  org_id uuid not null,
  photo_id uuid not null,
  user_id uuid not null,
  width integer not null,
  height integer not null,
  thumb_hash text not null,
  alt text,
  made_at timestamptz not null,
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
  emptied_at timestamptz,
  primary key (org_id, photo_id),
  check (log_id is null or chosen_at is null)
);
create unique index photos_log on photos (org_id, log_id) where log_id is not null;
create index photos_owner on photos (org_id, user_id);
create index photos_unused on photos (made_at) where log_id is null and discarded_at is null;
create index photos_unsized on photos (made_at) where sized_at is null and discarded_at is null;
create index photos_discarded on photos (discarded_at) where discarded_at is not null;

-- The picture that identity shows of a member.
alter table members add photo_id uuid;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['uploads', 'photos'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
