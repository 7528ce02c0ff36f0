create schema es;

-- The organisation of the running transaction, null outside one. '' is what an ended `set_config(..., true)` leaves behind.
create function app_org() returns uuid language sql stable parallel safe
  return nullif(nullif(current_setting('app.org', true), ''), 'system')::uuid;

-- True for consumers, relays and rebuilds, which serve every organisation.
create function app_is_system() returns boolean language sql stable parallel safe
  return coalesce(current_setting('app.org', true) = 'system', false);

-- The log. Streams belong to an organisation: another one's equal id is another stream.
create table es.events (
  pos bigint generated always as identity (cache 1),
  org_id uuid not null,
  stream_id text not null,
  version integer not null,
  category text not null,
  partition_key text not null,
  event_id uuid not null,
  type text not null,
  schema_version smallint not null,
  data jsonb not null,
  meta jsonb not null,
  actor_id uuid,
  recorded_at timestamptz not null,
  primary key (org_id, stream_id, version)
);
create unique index events_pos on es.events (pos);
alter table es.events enable row level security;
alter table es.events force row level security;
create policy tenant on es.events
  using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));

-- Public messages on their way to Kafka; the relay deletes what is delivered. Transport of all organisations, so no
-- row-level security. Short-lived rows: vacuum early, leave room on the page.
create table es.outbox (
  pos bigint not null,
  shard smallint not null,
  partition_key text not null,
  event_id uuid not null,
  org_id uuid not null,
  type text not null,
  version smallint not null,
  data json not null,
  causes json not null,
  actor_id uuid,
  occurred_at timestamptz not null,
  traceparent text,
  primary key (shard, pos)
) with (autovacuum_vacuum_scale_factor = 0.01, fillfactor = 70);

-- Answers by Idempotency-Key, kept for at least 24 hours. Written only when the request succeeded.
create table es.requests (
  owner text not null,
  key text not null,
  body_hash text not null,
  answer json,
  pos bigint,
  answered_at timestamptz not null default now(),
  primary key (owner, key)
);
create index requests_answered_at on es.requests (answered_at);

-- What each inline projection was last rebuilt as.
create table es.projections (
  name text primary key,
  revision integer not null,
  generation integer not null,
  rebuilt_at timestamptz not null default now()
);

create function es.shard_of(p_key text) returns smallint language sql immutable parallel safe
  return (hashtext(p_key) & 15)::smallint;

-- Takes the write locks of ordering keys in one order for all, so that nobody waits in a circle.
create function es.lock_keys(p_keys text[]) returns void language plpgsql as $$
declare
  lock_id bigint;
begin
  for lock_id in select distinct hashtextextended(k, 0) from unnest(p_keys) k order by 1 loop
    perform pg_advisory_xact_lock(lock_id);
  end loop;
end $$;

-- Appends to a stream if it still has the expected version. The lock on the key makes position order commit order for
-- that key. A conflict is an answer, not an error, because an error would cost the transaction: no position means that
-- another writer was first. Writers of other keys do not wait for this one's lock; they meet in the primary key.
create function es.append(
  p_org uuid, p_stream text, p_category text, p_key text, p_expected integer,
  p_actor uuid, p_at timestamptz, p_meta jsonb,
  p_ids uuid[], p_types text[], p_schema_versions smallint[], p_data jsonb[],
  p_public_types text[], p_public_versions smallint[], p_public_data json[]
) returns bigint[] language plpgsql as $$
declare
  v_version integer;
  v_pos bigint;
  v_positions bigint[];
begin
  perform pg_advisory_xact_lock(hashtextextended(p_key, 0));
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

-- Lines up the writers of a stream after a conflict, whatever their keys.
create function es.lock_stream(p_org uuid, p_stream text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(p_org || p_stream, 2))
$$;

-- Publishes a fact about rows that have no stream, at a position of its own under the same lock as appends.
create function es.publish(
  p_org uuid, p_key text, p_actor uuid, p_at timestamptz, p_meta jsonb,
  p_id uuid, p_type text, p_version smallint, p_data json
) returns bigint language plpgsql as $$
declare
  v_pos bigint;
begin
  if not app_is_system() and app_org() is distinct from p_org then
    raise insufficient_privilege using message = 'a fact of another organisation cannot be published';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_key, 0));
  v_pos := nextval('es.events_pos_seq');
  insert into es.outbox (pos, shard, partition_key, event_id, org_id, type, version, data, causes, actor_id, occurred_at, traceparent)
  values (v_pos, es.shard_of(p_key), p_key, p_id, p_org, p_type, p_version, p_data,
    coalesce(p_meta -> 'causes', '{}')::json, p_actor, p_at, p_meta ->> 'traceparent');
  return v_pos;
end $$;

-- The answer given before under this key, if any. Equal requests wait here for each other.
create function es.claim_request(p_owner text, p_key text, p_body_hash text)
returns table (is_same_body boolean, answer json, pos bigint) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_owner || ' ' || p_key, 1));
  return query select r.body_hash = p_body_hash, r.answer, r.pos from es.requests r where r.owner = p_owner and r.key = p_key;
end $$;

-- Keeps an answer, and forgets a few that are older than two days, so that the table needs no cleaner.
create function es.keep_answer(p_owner text, p_key text, p_body_hash text, p_answer json, p_pos bigint)
returns void language plpgsql as $$
begin
  delete from es.requests where (owner, key) in (
    select r.owner, r.key from es.requests r where r.answered_at < now() - interval '48 hours'
    order by r.answered_at limit 10 for update skip locked);
  insert into es.requests (owner, key, body_hash, answer, pos) values (p_owner, p_key, p_body_hash, p_answer, p_pos);
end $$;
