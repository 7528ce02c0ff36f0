-- Whoever takes a position has its transaction's number by then. So a position up to that of a row that a snapshot sees was
-- taken by a transaction that had begun to write before that snapshot, and once all of those have ended none of these
-- positions can appear any more: what relays tell readers as settled (ADR 0075). The functions below give numbers before
-- they wait for a lock; all that append or publish go through one of them.
create or replace function es.lock_key(p_key text) returns boolean language sql as $$
  select pg_current_xact_id() is not null and pg_advisory_xact_lock(hashtextextended(p_key, 0)) is null
$$;

create or replace function es.lock_keys(p_keys text[]) returns void language plpgsql as $$
declare
  lock_id bigint;
begin
  perform pg_current_xact_id();
  for lock_id in select distinct hashtextextended(k, 0) from unnest(p_keys) k order by 1 loop
    perform pg_advisory_xact_lock(lock_id);
  end loop;
end $$;

create or replace function es.append(
  p_org uuid, p_stream text, p_category text, p_key text, p_expected integer,
  p_actor uuid, p_at timestamptz, p_meta jsonb,
  p_ids uuid[], p_types text[], p_schema_versions smallint[], p_data jsonb[],
  p_public_types text[], p_public_versions smallint[], p_public_data json[]
) returns bigint[] language plpgsql as $$
declare
  v_is_locked boolean := es.lock_key(p_key);
  v_version integer;
  v_pos bigint;
  v_positions bigint[];
begin
  select coalesce(max(e.version), 0) into v_version from es.events e where e.org_id = p_org and e.stream_id = p_stream;
  if v_version <> p_expected then
    return null;
  end if;
  for nth in 1 .. cardinality(p_ids) loop
    insert into es.events (org_id, stream_id, version, category, partition_key, event_id, type, schema_version, data, meta, actor_id, recorded_at)
    values (p_org, p_stream, v_version + nth, p_category, p_key, p_ids[nth], p_types[nth], p_schema_versions[nth], p_data[nth], p_meta, p_actor, p_at)
    on conflict (org_id, stream_id, version) do nothing
    returning pos into v_pos;
    if v_pos is null then
      if nth = 1 then
        return null;
      end if;
      raise serialization_failure using message = 'another writer came between the events of one append';
    end if;
    v_positions[nth] := v_pos;
    if p_public_types[nth] is not null then
      insert into es.outbox (pos, shard, partition_key, event_id, org_id, type, version, data, causes, actor_id, occurred_at, traceparent)
      values (v_pos, es.shard_of(p_key), p_key, p_ids[nth], p_org, p_public_types[nth], p_public_versions[nth], p_public_data[nth],
        coalesce(p_meta -> 'causes', '{}')::json, p_actor, p_at, p_meta ->> 'traceparent');
    end if;
  end loop;
  return v_positions;
end $$;

create or replace function es.publish(
  p_org uuid, p_key text, p_actor uuid, p_at timestamptz, p_meta jsonb,
  p_id uuid, p_type text, p_version smallint, p_data json, p_is_kept boolean default true
) returns bigint language plpgsql as $$
declare
  v_is_locked boolean := es.lock_key(p_key);
  v_pos bigint;
begin
  if not app_is_system() and app_org() is distinct from p_org then
    raise insufficient_privilege using message = 'a fact of another organisation cannot be published';
  end if;
  v_pos := nextval('es.events_pos_seq');
  if p_is_kept then
    insert into es.published (pos, org_id, partition_key, event_id, type, version, data, meta, actor_id, occurred_at)
    values (v_pos, p_org, p_key, p_id, p_type, p_version, p_data, p_meta, p_actor, p_at);
  end if;
  insert into es.outbox (pos, shard, partition_key, event_id, org_id, type, version, data, causes, actor_id, occurred_at, traceparent)
  values (v_pos, es.shard_of(p_key), p_key, p_id, p_org, p_type, p_version, p_data,
    coalesce(p_meta -> 'causes', '{}')::json, p_actor, p_at, p_meta ->> 'traceparent');
  return v_pos;
end $$;
