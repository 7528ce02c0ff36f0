-- Consuming: what every service's database holds of the topics that it reads. libs/messaging owns it. Rows belong to
-- all organisations, so there is no row-level security.
--
-- Nothing here is updated with every batch: while an old snapshot is held, each update leaves a version that every
-- later reader of the row walks over. A new row is written instead and the one before it deleted; readers take the
-- highest, which the index gives first, whatever lies below it (design/database.md).

create schema if not exists msg;

-- Which process a consumer group's partition is claimed by. The row is the fence: a batch locks it, and commits only
-- while its epoch is the current one.
create table msg.offsets (
  consumer_group text not null,
  topic text not null,
  partition_id integer not null,
  epoch bigint not null default 0,
  claimed_by text not null default '',
  claimed_at timestamptz not null default now(),
  primary key (consumer_group, topic, partition_id)
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.05);

-- Where each partition goes on.
create table msg.progress (
  consumer_group text not null,
  topic text not null,
  partition_id integer not null,
  -- Counts the batches; a topic that begins anew makes offsets fall.
  nth bigint not null,
  next_offset bigint not null,
  -- The messages that a batch has received, instead of a row for each key (design/delivery.md): [[[shard, epoch, position], …],
  -- [[key, epoch, position, shard], …]], first what was announced as settled, then messages. The row stays until the
  -- 32nd batch after it, which takes over what is still needed.
  received json,
  primary key (consumer_group, topic, partition_id, nth)
) with (autovacuum_vacuum_scale_factor = 0.05);

-- The highest position of a service that a group has applied for a key, where no watermark covers it: of messages
-- without one, and of causes that are waited for. Drops what comes twice and serves those who wait.
create table msg.applied (
  consumer_group text not null,
  key text not null,
  service text not null,
  position bigint not null,
  -- The epoch of the source's log: a position of a newer epoch is another fact.
  epoch bigint not null default 0,
  primary key (consumer_group, key, service, epoch, position)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Messages of keys that stand still because one of them could not be applied, in the order they came.
create table msg.parked (
  parked_id bigint generated always as identity primary key,
  consumer_group text not null,
  service text not null,
  key text not null,
  topic text not null,
  partition_id integer not null,
  message_offset bigint not null,
  type text,
  position bigint,
  value bytea,
  headers jsonb not null default '{}',
  error_code text not null,
  error_message text not null,
  attempts integer not null default 1,
  parked_at timestamptz not null default now(),
  mirrored_at timestamptz,
  unique (consumer_group, topic, partition_id, message_offset)
);
create index parked_by_key on msg.parked (consumer_group, topic, key, parked_id);
create index parked_not_mirrored on msg.parked (parked_id) where mirrored_at is null;

-- Erased people, by id alone: a message about them that is parked later, because its topic is behind, is scrubbed too.
create table msg.erased (
  user_id uuid primary key,
  erased_at timestamptz not null default now()
);

-- Read models of consumers that are being rebuilt, each in the schema of its generation (ADR 0039). Offsets and applied
-- positions of a rebuild lie with those of every consumer group, under a name of its own.
create table msg.rebuilds (
  read_model text primary key,
  rebuild_id text not null,
  -- The shape of the tables when it began: a migration since makes the generation worthless.
  shape text not null,
  begun_at timestamptz not null default now()
);

-- Planners take these tables for empty, or full, by what statistics said a while ago, and would join or sort what is to
-- be looked up. So the functions below force look-ups: one descent of an index for each key, and the first row that
-- lives.

-- The highest positions that have a row in msg.applied.
create function msg.recorded_at(p_groups text[], p_keys text[], p_services text[])
returns table (consumer_group text, key text, service text, epoch bigint, "position" bigint) language sql stable rows 10
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select w.consumer_group, w.key, w.service, a.epoch, a.position
  from unnest(p_groups, p_keys, p_services) as w (consumer_group, key, service), lateral (
    select a.epoch, a.position from msg.applied a
    where a.consumer_group = w.consumer_group and a.key = w.key and a.service = w.service
    order by a.epoch desc, a.position desc limit 1
  ) a
$$;

-- Records positions, which never fall within an epoch. The row before is deleted where it was found: to look for it
-- again by its key would walk over all those before it.
create function msg.record_applied(p_group text, p_keys text[], p_services text[], p_epochs bigint[], p_positions bigint[])
returns void language sql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with raised as materialized (
    select t.*, a.ctid as old
    from unnest(p_keys, p_services, p_epochs, p_positions) as t (key, service, epoch, position)
    left join lateral (
      select a.ctid, a.epoch, a.position from msg.applied a
      where a.consumer_group = p_group and a.key = t.key and a.service = t.service
      order by a.epoch desc, a.position desc limit 1
    ) a on true
    where a.ctid is null or (a.epoch, a.position) < (t.epoch, t.position)
    order by t.key, t.service
  ), gone as (
    delete from msg.applied where ctid = any(array(select old from raised where old is not null))
  )
  insert into msg.applied (consumer_group, key, service, epoch, position)
  select p_group, key, service, epoch, position from raised on conflict do nothing
$$;

-- Where partitions go on, and how many batches have brought them there.
create function msg.progress_of(p_group text, p_topics text[], p_partitions integer[])
returns table (topic text, partition_id integer, nth bigint, next_offset bigint) language sql stable rows 10
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select w.topic, w.partition_id, p.nth, p.next_offset
  from unnest(p_topics, p_partitions) as w (topic, partition_id), lateral (
    select p.nth, p.next_offset from msg.progress p
    where p.consumer_group = p_group and p.topic = w.topic and p.partition_id = w.partition_id
    order by p.nth desc limit 1
  ) p
$$;

-- The messages that partitions have received, from their newest rows.
create function msg.received_lately(p_groups text[], p_topics text[], p_partitions integer[])
returns table (consumer_group text, topic text, partition_id integer, nth bigint, received json) language sql stable rows 10
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select w.consumer_group, w.topic, w.partition_id, p.nth, p.received
  from unnest(p_groups, p_topics, p_partitions) as w (consumer_group, topic, partition_id), lateral (
    select p.nth from msg.progress p
    where p.consumer_group = w.consumer_group and p.topic = w.topic and p.partition_id = w.partition_id
    order by p.nth desc limit 1
  ) newest, lateral (
    select p.nth, p.received from msg.progress p
    where p.consumer_group = w.consumer_group and p.topic = w.topic and p.partition_id = w.partition_id
      and p.nth > newest.nth - 32 and p.received is not null offset 0
  ) p
$$;

-- Moves partitions on under the lock of their claims, with what they have received, and deletes rows that are no longer
-- needed, each where it is found.
create function msg.move_on(p_group text, p_topics text[], p_partitions integer[], p_nths bigint[], p_offsets bigint[],
  p_received json[], p_gone_topics text[], p_gone_partitions integer[], p_gone_nths bigint[])
returns void language sql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with gone as (
    delete from msg.progress where ctid = any(array(
      select p.ctid from unnest(p_gone_topics, p_gone_partitions, p_gone_nths) as g (topic, partition_id, nth), lateral (
        select p.ctid from msg.progress p where p.consumer_group = p_group and p.topic = g.topic
          and p.partition_id = g.partition_id and p.nth = g.nth offset 0
      ) p))
  )
  insert into msg.progress (consumer_group, topic, partition_id, nth, next_offset, received)
  select p_group, m.* from unnest(p_topics, p_partitions, p_nths, p_offsets, p_received) as m
$$;
