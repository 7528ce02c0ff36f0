-- Publishes facts of many keys by one statement, in the order of `p_facts` for each key. Those with `is_kept` are told
-- again when the history is; of the others whoever hears of them keeps them, and forgets them in time, by itself.
create or replace function es.publish_together(p_facts json) returns void language plpgsql as $$
begin
  if not app_is_system() and exists (
    select from json_to_recordset(p_facts) as f (org uuid) where f.org is distinct from app_org())
  then
    raise insufficient_privilege using message = 'a fact of another organisation cannot be published';
  end if;
  perform es.lock_keys(array(select f.key from json_to_recordset(p_facts) as f (key text)));
  with f as materialized (
    select nextval('es.events_pos_seq') as pos, n.* from (
      select * from rows from (json_to_recordset(p_facts) as (
        org uuid, key text, id uuid, type text, version smallint, data json, at timestamptz, is_kept boolean))
        with ordinality as f (org, key, id, type, version, data, at, is_kept, nth)
      order by nth) n
  ), kept as (
    insert into es.published (pos, org_id, partition_key, event_id, type, version, data, meta, actor_id, occurred_at)
    select pos, org, key, id, type, version, data, '{}', null, at from f where is_kept
  )
  insert into es.outbox (pos, shard, partition_key, event_id, org_id, type, version, data, causes, actor_id, occurred_at)
  select pos, es.shard_of(key), key, id, org, type, version, data, '{}', null, at from f;
end $$;
