-- Kept answers are forgotten by a sweep, not by requests: while somebody holds an old snapshot, deleted rows stay, and each
-- request walked over all of them (ADR 0035).

create function es.answers_end() returns timestamptz language sql stable return now() - interval '48 hours';

-- Only the sweep looks by time.
drop index es.requests_answered_at;
create index requests_old on es.requests (answered_at);

-- What is older than two days counts no more, whether it was forgotten yet or not.
create or replace function es.claim_request(p_owner text, p_key text, p_body_hash text)
returns table (is_same_body boolean, answer json, pos bigint) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_owner || ' ' || p_key, 1));
  return query select r.body_hash = p_body_hash, r.answer, r.pos from es.requests r
    where r.org_id = app_org() and r.owner = p_owner and r.key = p_key and r.answered_at >= es.answers_end();
end $$;

create or replace function es.keep_answer(p_owner text, p_key text, p_body_hash text, p_answer json, p_pos bigint)
returns void language plpgsql as $$
begin
  insert into es.requests as r (org_id, owner, key, body_hash, answer, pos)
  values (app_org(), p_owner, p_key, p_body_hash, p_answer, p_pos)
  on conflict (org_id, owner, key) do update set body_hash = excluded.body_hash, answer = excluded.answer,
    pos = excluded.pos, answered_at = excluded.answered_at
  where r.answered_at < es.answers_end();
  if not found then
    raise unique_violation using message = 'an answer is kept under this key';
  end if;
end $$;

-- Forgets a portion of the old answers from this time on, and tells how far it came. Those that somebody else has in hand
-- are left to them. Statistics take the table for small, so what does not look up is switched off.
create function es.forget_answers(p_from timestamptz, p_most integer)
returns table (forgotten integer, came_to timestamptz) language sql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off
as $$
  with gone as (
    delete from es.requests d using (
      select r.org_id, r.owner, r.key from es.requests r
      where r.answered_at >= p_from and r.answered_at < es.answers_end()
      order by r.answered_at limit p_most for update skip locked) old
    where d.org_id = old.org_id and d.owner = old.owner and d.key = old.key
    returning d.answered_at)
  select count(*)::integer, max(answered_at) from gone
$$;
