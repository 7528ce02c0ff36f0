drop index concurrently if exists members_off_boards;
create index concurrently members_off_boards on members (org_id, user_id)
  where not is_active and not (is_erased and was_active);
