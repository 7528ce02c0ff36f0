drop index concurrently if exists members_by_search_key;
create index concurrently members_by_search_key on members (org_id, search_key, user_id)
  where is_active and profile_visible and activity_visible and not is_erased;
drop index concurrently if exists members_by_name;
