-- The photo of a log, as activity tells it: its path, which is nobody's to read without a signature, and its facts.
alter table posts
  add column photo_path text,
  add column photo jsonb,
  add constraint posts_photo_has_path check (photo is null or photo_path is not null);

-- A member's photos, the newest first; most posts have none.
create index posts_with_photo on posts (org_id, user_id, created_at desc, log_id desc) where photo_path is not null;
