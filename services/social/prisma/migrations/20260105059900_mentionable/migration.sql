-- Whom one may mention, by name: a page of an organisation of any size costs the same.
create index members_by_name on members (org_id, lower(name), user_id)
  where is_active and profile_visible and activity_visible and not is_erased;
