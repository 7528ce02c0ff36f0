-- The event store: what every service's database holds to record events and to publish facts. libs/event-store owns it.

create schema es;

-- Tenancy. Each transaction names its organisation in the setting `app.org`, or 'system'.

-- The organisation of the running transaction, null outside one. '' is what an ended `set_config(..., true)` leaves
-- behind.
create function app_org() returns uuid language sql stable parallel safe
  return nullif(nullif(current_setting('app.org', true), ''), 'system')::uuid;

-- True for consumers, relays and rebuilds, which serve every organisation.
create function app_is_system() returns boolean language sql stable parallel safe
  return coalesce(current_setting('app.org', true) = 'system', false);

-- Binds a table to the organisation of the transaction, and its owner as well as the runtime role. Every table with an
-- `org_id` is given it where it is created.
create function es.isolate_organisations(p_table regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', p_table);
  execute format('alter table %s force row level security', p_table);
  execute format('create policy tenant on %s using ((select app_is_system()) or org_id = (select app_org())) '
    'with check ((select app_is_system()) or org_id = (select app_org()))', p_table);
end $$;

-- The log. A stream belongs to an organisation: an equal id in another organisation is another stream.
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
select es.isolate_organisations('es.events');

-- Positions restart when a log is restored to an earlier point, so they are compared within an epoch. An epoch begins
-- with the log and with every restore (`./caravan begin-epoch`). Its number is the instant of its beginning in
-- milliseconds, so that a second restore of one backup begins another epoch. Positions below `from_pos` keep the epoch
-- they were published in.
create table es.epochs (
  epoch bigint primary key,
  from_pos bigint not null
);
insert into es.epochs (epoch, from_pos) values ((extract(epoch from clock_timestamp()) * 1000)::bigint, 1);

-- Public messages on their way to Kafka; the relay deletes what is delivered. They belong to all organisations, so
-- there is no row-level security. Rows are short-lived: vacuum early, leave room on the page.
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
  -- The transaction that wrote the row. Positions are given before the commit, so a row may appear below others that
  -- were sent; but every row that appears between two looks was written by a transaction that the first look did not
  -- see.
  xid xid8 not null default pg_current_xact_id(),
  primary key (shard, pos)
) with (autovacuum_vacuum_scale_factor = 0.01, fillfactor = 70);
-- Finds new rows without walking over sent ones that an old snapshot keeps from going (design/database.md). `shard` is an
-- expression so that no plan takes the primary key instead, which is in order of position.
create index outbox_written_by on es.outbox ((shard::integer), xid);

-- Public messages that Kafka refuses for their size, each with what of its key came after it, in order: a later fact
-- that overtook an earlier one would make every consumer drop the earlier one for good. The relay moves rows here, an
-- operator sends them back (`./caravan redrive`).
create table es.refused (
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
  -- The size of the message as it was to be sent; null when it only waits behind another.
  bytes integer,
  refused_at timestamptz not null default now(),
  primary key (shard, pos)
);
create index refused_by_key on es.refused (partition_key);

-- Public facts about rows that have no stream, as they were published: the log cannot tell them again. From these and
-- the log a service publishes its history anew for a read model elsewhere (ADR 0039).
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
-- Erasing a person looks their facts up by key.
create index published_by_key on es.published (partition_key);
select es.isolate_organisations('es.published');

-- How far the history has been published anew, by the topic that it goes to.
create table es.replays (
  topic text primary key,
  position bigint not null default 0,
  -- Sent and confirmed; what a crash repeats is not counted.
  messages bigint not null default 0,
  -- The highest settled position when the replay began; later facts go the ordinary way.
  until bigint not null,
  begun_at timestamptz not null default now()
);

-- Answers by Idempotency-Key, stored for 48 hours. Written only when the request succeeded.
create table es.requests (
  org_id uuid not null default app_org(),
  owner text not null,
  key text not null,
  body_hash text not null,
  answer json,
  pos bigint,
  answered_at timestamptz not null default now(),
  primary key (org_id, owner, key)
);
-- Only the sweep that forgets old answers looks by time.
create index requests_old on es.requests (answered_at);
select es.isolate_organisations('es.requests');

-- The revision and generation that each inline projection was last rebuilt as.
create table es.projections (
  name text primary key,
  revision integer not null,
  generation integer not null,
  rebuilt_at timestamptz not null default now()
);

-- Locks and order. A transaction has its number before it waits for a lock, and takes positions after it. So a position
-- at or below that of a row which a snapshot sees was taken by a transaction that had begun to write before that
-- snapshot, and once all of those have ended, none of these positions can appear any more: relays publish them as
-- settled (design/delivery.md). Everything that appends or publishes takes its locks through one of the following two functions.

-- Takes the write lock of one ordering key; an expression, so that PL/pgSQL need not run a statement for it.
create function es.lock_key(p_key text) returns boolean language sql as $$
  select pg_current_xact_id() is not null and pg_advisory_xact_lock(hashtextextended(p_key, 0)) is null
$$;

-- Takes the write locks of ordering keys in one order for all, so that no two writers wait for each other in a circle.
create function es.lock_keys(p_keys text[]) returns void language plpgsql as $$
declare
  lock_id bigint;
begin
  perform pg_current_xact_id();
  for lock_id in select distinct hashtextextended(k, 0) from unnest(p_keys) k order by 1 loop
    perform pg_advisory_xact_lock(lock_id);
  end loop;
end $$;

-- Lines up the writers of a stream after a conflict, whatever their keys.
create function es.lock_stream(p_org uuid, p_stream text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(p_org || p_stream, 2))
$$;

create function es.shard_of(p_key text) returns smallint language sql immutable parallel safe
  return (hashtext(p_key) & 15)::smallint;

create function es.epoch_at(p_pos bigint) returns bigint language sql stable as $$
  select epoch from es.epochs where from_pos <= p_pos order by epoch desc limit 1
$$;

-- Begins an epoch after a restore; run it as the owner, before the service starts.
create function es.begin_epoch() returns bigint language sql as $$
  insert into es.epochs (epoch, from_pos)
  select greatest((extract(epoch from clock_timestamp()) * 1000)::bigint, max(e.epoch) + 1),
    (select case when s.is_called then s.last_value + 1 else s.last_value end from es.events_pos_seq s)
  from es.epochs e
  returning epoch
$$;

-- Appending.

-- Appends to a stream if it still has the expected version. The lock on the key makes position order commit order for
-- that key. A conflict is an answer, not an error, because an error would cost the transaction: null means that another
-- writer was first. Writers of other keys do not wait for this one's lock; they meet in the primary key.
create function es.append(
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
  -- The primary key tells whether a stream is new.
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

-- Appends for a whole batch of commands by one statement. `p_drafts` is a JSON array of events; those of one append
-- share `nth` and follow each other in `version`, and no two appends are to one stream. Returns the positions by event.
-- An append whose stream has another version than expected gets no position, as with es.append, and takes none from
-- others.
create function es.append_together(p_keys text[], p_drafts json)
returns table (event_id uuid, pos bigint) language plpgsql as $$
begin
  -- A transaction that holds the keys already, such as a consumer's batch, takes them again for nothing.
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

-- Publishing facts about rows that have no stream.

-- Publishes at a position of its own, under the same lock as appends. `p_is_kept` is false for facts whose readers
-- store them, and forget them in time, by themselves.
create function es.publish(
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

-- Publishes facts of many keys by one statement, in the order of `p_facts` for each key. Those with `is_kept` are
-- published again with the history; the others their readers store, and forget in time, by themselves.
create function es.publish_together(p_facts json) returns void language plpgsql as $$
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

-- Answers to repeated requests.

-- Older answers count no more, whether the sweep has forgotten them or not.
create function es.answers_end() returns timestamptz language sql stable return now() - interval '48 hours';

-- The answer given before under this key, if any. Equal requests wait here for each other.
create function es.claim_request(p_owner text, p_key text, p_body_hash text)
returns table (is_same_body boolean, answer json, pos bigint) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_owner || ' ' || p_key, 1));
  return query select r.body_hash = p_body_hash, r.answer, r.pos from es.requests r
    where r.org_id = app_org() and r.owner = p_owner and r.key = p_key and r.answered_at >= es.answers_end();
end $$;

-- es.claim_request for the requests of several commands that share a transaction. `p_requests` is a JSON array; returns
-- only those that were answered before, by `nth`. Locks in one order for all, so that no two wait in a circle.
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

create function es.keep_answer(p_owner text, p_key text, p_body_hash text, p_answer json, p_pos bigint)
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

-- Forgets a portion of the old answers from this time on, and returns how far it came. It is a sweep and not part of a
-- request: while an old snapshot is held, deleted rows stay, and each request would walk over all of them (design/database.md).
-- Rows that another transaction has locked are left to it. Statistics take the table for small, so what does not look
-- up is switched off.
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

-- The session that holds the oldest snapshot of this database, for metrics: rows that were deleted since then cannot
-- go. A transaction that has written holds deleted rows back as a snapshot does, also while it is idle and has none.
-- Runs as the owner, who sees other roles' sessions if `pg_read_all_stats` was granted to it; the queries of those
-- sessions are not shown.
create function es.oldest_snapshot()
returns table (pid integer, application text, role text, state text, age_seconds double precision) language sql stable
security definer set search_path = pg_catalog as $$
  select pid, coalesce(application_name, ''), coalesce(usename, ''), state,
    extract(epoch from clock_timestamp() - xact_start)::float8
  from pg_stat_activity
  where datname = current_database() and (backend_xmin is not null or backend_xid is not null) and pid <> pg_backend_pid()
    and backend_type <> 'autovacuum worker'
  order by greatest(age(backend_xmin), age(backend_xid)) desc, xact_start limit 1
$$;

-- Texts.

-- Two texts that people call the same have the same key: case, kinds of apostrophes and spaces, and invisible
-- characters do not count. `textKey` in libs/contracts/domain/text/text-key.ts computes the same. At most 400 characters, so that
-- an index takes it.
create function text_key(p_text text) returns text language sql immutable parallel safe strict
  return left(btrim(regexp_replace(translate(normalize(
    lower(upper(lower(regexp_replace(p_text,
      '[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]',
      '', 'g') collate "pg_unicode_fast"))), nfc),
    U&'\0060\00b4\02b9\02bb\02bc\2018\2019\201b\2032\ff07\03c2', U&'''''''''''''''''''''\03c3'),
    '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g')), 400);

-- A name is searched and sorted by its key without marks, so that Zoe finds Zoë, and Lukasz finds Łukasz.
create function search_key(p_text text) returns text language sql immutable parallel safe strict
  return left(normalize(translate(regexp_replace(normalize(text_key(p_text), nfd),
    '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]',
    '', 'g'), U&'\00f8\0142\0111\0127\0131', 'oldhi'), nfc), 200);
