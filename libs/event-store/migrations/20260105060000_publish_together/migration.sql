-- Publishes facts of many keys by one statement, in the order of `p_facts` for each key. None is kept: whoever hears of
-- them keeps them, and forgets them in time, by itself.
create function es.publish_together(p_facts json) returns void language plpgsql as $$
begin
  if not app_is_system() and exists (
    select from json_to_recordset(p_facts) as f (org uuid) where f.org is distinct from app_org())
  then
    raise insufficient_privilege using message = 'a fact of another organisation cannot be published';
  end if;
  perform es.lock_keys(array(select f.key from json_to_recordset(p_facts) as f (key text)));
  insert into es.outbox (pos, shard, partition_key, event_id, org_id, type, version, data, causes, actor_id, occurred_at)
  select nextval('es.events_pos_seq'), es.shard_of(f.key), f.key, f.id, f.org, f.type, f.version, f.data, '{}', null, f.at
  from (
    select * from rows from (json_to_recordset(p_facts) as (
      org uuid, key text, id uuid, type text, version smallint, data json, at timestamptz)) with ordinality
      as f (org, key, id, type, version, data, at, nth)
    order by nth) f;
end $$;
