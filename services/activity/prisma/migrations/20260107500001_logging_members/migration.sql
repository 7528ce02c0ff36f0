-- logging_member for all who log in one transaction.
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
