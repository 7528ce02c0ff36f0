-- es.claim_request for the requests of several commands that share a transaction. `p_requests` is a JSON array; answers only
-- those that were answered before, by `nth`. Locks in one order for all, so that nobody waits in a circle.
create function es.claim_requests(p_requests json)
returns table (nth integer, is_same_body boolean, answer json, pos bigint) language plpgsql as $$
declare
  lock_id bigint;
begin
  for lock_id in
    select distinct hashtextextended(c.owner || ' ' || c.key, 1)
    from json_to_recordset(p_requests) as c (owner text, key text) order by 1
  loop
    perform pg_advisory_xact_lock(lock_id);
  end loop;
  return query
    select c.nth, k.body_hash = c.body_hash, k.answer, k.pos
    from json_to_recordset(p_requests) as c (nth integer, owner text, key text, body_hash text)
    cross join lateral (
      select r.body_hash, r.answer, r.pos from es.requests r
      where r.org_id = app_org() and r.owner = c.owner and r.key = c.key and r.answered_at >= es.answers_end()
      offset 0) k;
end $$;

-- es.keep_answer for several.
create function es.keep_answers(p_answers json) returns void language plpgsql as $$
declare
  v_kept bigint;
begin
  insert into es.requests as r (org_id, owner, key, body_hash, answer, pos)
  select app_org(), a.owner, a.key, a.body_hash, a.answer, a.pos
  from json_to_recordset(p_answers) as a (owner text, key text, body_hash text, answer json, pos bigint)
  on conflict (org_id, owner, key) do update set body_hash = excluded.body_hash, answer = excluded.answer,
    pos = excluded.pos, answered_at = excluded.answered_at
  where r.answered_at < es.answers_end();
  get diagnostics v_kept = row_count;
  if v_kept <> json_array_length(p_answers) then
    raise unique_violation using message = 'an answer is kept under this key';
  end if;
end $$;
