-- A notice may be raised about somebody who joins at this moment: then its transaction and the one that adds them wait
-- for each other, so that one of both tells it.

create function lock_joining(p_users uuid[]) returns void language plpgsql as $$
declare
  lock_id bigint;
begin
  for lock_id in select distinct hashtextextended(u::text, 5) from unnest(p_users) u order by 1 loop
    perform pg_advisory_xact_lock(lock_id);
  end loop;
end $$;
