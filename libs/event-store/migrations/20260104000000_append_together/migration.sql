-- Appends for a whole batch of commands by one statement. `p_drafts` is a JSON array of events; those of one append share
-- `nth` and follow each other in `version`, and no two appends are to one stream. Answers the positions by event. An
-- append whose stream has another version than expected gets no position, as with es.append, and takes none from others.
create function es.append_together(p_keys text[], p_drafts json)
returns table (event_id uuid, pos bigint) language plpgsql as $$
begin
  -- Whoever holds the keys already, as a consumer's batch does, takes them again for nothing.
  perform es.lock_keys(p_keys);
  -- A statement of its own: it has to see what was committed while the locks were waited for.
  return query
  with draft as materialized (
    select * from json_to_recordset(p_drafts) as d (
      nth integer, org uuid, stream text, category text, key text, expected integer, version integer, actor uuid,
      at timestamptz, meta jsonb, id uuid, type text, schema_version smallint, data jsonb,
      public_type text, public_version smallint, public_data json)
  ), expected as materialized (
    select d.* from draft d
    where d.expected = (
      select coalesce(max(e.version), 0) from es.events e where e.org_id = d.org and e.stream_id = d.stream)
  ), placed as (
    insert into es.events as e (org_id, stream_id, version, category, partition_key, event_id, type, schema_version, data, meta, actor_id, recorded_at)
    select d.org, d.stream, d.version, d.category, d.key, d.id, d.type, d.schema_version, d.data, d.meta, d.actor, d.at
    from expected d order by d.nth, d.version
    on conflict (org_id, stream_id, version) do nothing
    returning e.event_id, e.pos
  ), sent as (
    insert into es.outbox (pos, shard, partition_key, event_id, org_id, type, version, data, causes, actor_id, occurred_at, traceparent)
    select p.pos, es.shard_of(d.key), d.key, d.id, d.org, d.public_type, d.public_version, d.public_data,
      coalesce(d.meta -> 'causes', '{}')::json, d.actor, d.at, d.meta ->> 'traceparent'
    from placed p join expected d on d.id = p.event_id where d.public_type is not null
  )
  select p.event_id, p.pos from placed p;
end $$;

-- Takes the write lock of one ordering key; an expression, so that PL/pgSQL need not run a statement for it.
create function es.lock_key(p_key text) returns boolean language sql as $$
  select pg_advisory_xact_lock(hashtextextended(p_key, 0)) is null
$$;

-- es.append for the usual case of one event. With `p_is_sure` a stream of another version fails the transaction, which
-- then has to run again: for commands whose read models were written on the assumption that the stream is new.
create function es.append_one(
  p_org uuid, p_stream text, p_category text, p_key text, p_expected integer,
  p_actor uuid, p_at timestamptz, p_meta jsonb, p_id uuid, p_type text, p_schema_version smallint, p_data jsonb,
  p_public_type text, p_public_version smallint, p_public_data json, p_is_sure boolean
) returns bigint language plpgsql as $$
declare
  v_is_locked boolean := es.lock_key(p_key);
  v_pos bigint;
begin
  -- Of a stream that is to be new the primary key tells whether it is.
  if p_expected = 0
    or p_expected = (select max(e.version) from es.events e where e.org_id = p_org and e.stream_id = p_stream)
  then
    insert into es.events (org_id, stream_id, version, category, partition_key, event_id, type, schema_version, data, meta, actor_id, recorded_at)
    values (p_org, p_stream, p_expected + 1, p_category, p_key, p_id, p_type, p_schema_version, p_data, p_meta, p_actor, p_at)
    on conflict (org_id, stream_id, version) do nothing
    returning pos into v_pos;
  end if;
  if v_pos is null then
    if p_is_sure then
      raise serialization_failure using message = 'the stream is not new';
    end if;
    return null;
  end if;
  if p_public_type is not null then
    insert into es.outbox (pos, shard, partition_key, event_id, org_id, type, version, data, causes, actor_id, occurred_at, traceparent)
    values (v_pos, es.shard_of(p_key), p_key, p_id, p_org, p_public_type, p_public_version, p_public_data,
      coalesce(p_meta -> 'causes', '{}')::json, p_actor, p_at, p_meta ->> 'traceparent');
  end if;
  return v_pos;
end $$;
