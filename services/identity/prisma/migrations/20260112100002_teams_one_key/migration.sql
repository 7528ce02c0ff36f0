drop index concurrently if exists teams_one_key;
create unique index concurrently teams_one_key on teams (org_id, name_key, same_name) where retired_at is null;
