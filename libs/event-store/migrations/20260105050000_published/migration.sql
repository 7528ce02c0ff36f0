-- Public facts about rows that have no stream, as they left: what the log cannot tell again. With them and the log a service
-- publishes its history anew for a read model elsewhere (ADR 0039). Begins with this migration.
create table es.published (
  pos bigint primary key,
  org_id uuid not null,
  partition_key text not null,
  event_id uuid not null,
  type text not null,
  version smallint not null,
  data json not null,
  meta jsonb not null,
  actor_id uuid,
  occurred_at timestamptz not null
);
-- Whoever is erased is looked up by their key.
create index published_by_key on es.published (partition_key);
alter table es.published enable row level security;
alter table es.published force row level security;
create policy tenant on es.published
  using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));

drop function es.publish(uuid, text, uuid, timestamptz, jsonb, uuid, text, smallint, json);
-- p_is_kept: false for what whoever hears of it keeps, and forgets in time, by itself.
create function es.publish(
  p_org uuid, p_key text, p_actor uuid, p_at timestamptz, p_meta jsonb,
  p_id uuid, p_type text, p_version smallint, p_data json, p_is_kept boolean default true
) returns bigint language plpgsql as $$
declare
  v_pos bigint;
begin
  if not app_is_system() and app_org() is distinct from p_org then
    raise insufficient_privilege using message = 'a fact of another organisation cannot be published';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_key, 0));
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

-- How far the history has been published anew, by the topic that it goes to.
create table es.replays (
  topic text primary key,
  position bigint not null default 0,
  -- Sent and confirmed; what a crash repeats is not counted.
  messages bigint not null default 0,
  -- Settled when it began; what came later goes the ordinary way.
  until bigint not null,
  begun_at timestamptz not null default now()
);
