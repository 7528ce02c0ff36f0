-- What members let colleagues see of them (D18), their picture, and who was erased.

alter table members
  add column photo_url text,
  add column activity_visible boolean not null default true,
  add column is_erased boolean not null default false;

-- Looked up for every page and every batch of posts, so they hold exceptions only.
create index members_hiding_activity on members (org_id, user_id) where not activity_visible;
create index members_erased on members (org_id, user_id) where is_erased;

-- Whoever posts and whoever erases members of an organisation wait for each other, so that no caption is written by
-- somebody who does not know yet. Posting is shared: batches do not wait for batches.
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
