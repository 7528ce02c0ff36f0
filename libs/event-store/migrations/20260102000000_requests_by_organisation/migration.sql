-- Kept answers belong to an organisation like everything else that a request left behind.

-- To see whose request each recorded event answered.
set local app.org = 'system';
alter table es.requests add column org_id uuid default app_org();
update es.requests r set org_id = e.org_id from es.events e where e.pos = r.pos;
-- An answer that recorded nothing is given again by asking again.
delete from es.requests where org_id is null;
alter table es.requests alter column org_id set not null;
alter table es.requests drop constraint requests_pkey;
alter table es.requests add primary key (org_id, owner, key);
drop index es.requests_answered_at;
create index requests_answered_at on es.requests (org_id, answered_at);

alter table es.requests enable row level security;
alter table es.requests force row level security;
create policy tenant on es.requests
  using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));

create or replace function es.claim_request(p_owner text, p_key text, p_body_hash text)
returns table (is_same_body boolean, answer json, pos bigint) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_owner || ' ' || p_key, 1));
  return query select r.body_hash = p_body_hash, r.answer, r.pos from es.requests r
    where r.org_id = app_org() and r.owner = p_owner and r.key = p_key;
end $$;

-- Forgets a few of the organisation's own that are older than two days, so that the table needs no cleaner.
create or replace function es.keep_answer(p_owner text, p_key text, p_body_hash text, p_answer json, p_pos bigint)
returns void language plpgsql as $$
begin
  delete from es.requests d using (
    select r.org_id, r.owner, r.key from es.requests r
    where r.org_id = app_org() and r.answered_at < now() - interval '48 hours'
    order by r.answered_at limit 10 for update skip locked) old
  where d.org_id = old.org_id and d.owner = old.owner and d.key = old.key;
  insert into es.requests (org_id, owner, key, body_hash, answer, pos)
  values (app_org(), p_owner, p_key, p_body_hash, p_answer, p_pos);
end $$;
