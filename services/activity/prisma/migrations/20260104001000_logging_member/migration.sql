-- The member who logs, under the member's lock. Two statements that cost one: the sum has to be read by a statement that
-- begins after the member's writers have been waited for.
create function logging_member(p_org uuid, p_key text)
returns table (team_id uuid, time_zone text, centimiles bigint) language plpgsql as $$
declare
  v_is_locked boolean := es.lock_key(p_key);
begin
  return query
    select m.team_id, m.time_zone, coalesce(s.centimiles, 0)::bigint
    from members m left join member_miles s on s.org_id = m.org_id and s.user_id = m.user_id
    where m.org_id = p_org and m.user_id = p_key::uuid;
end $$;
