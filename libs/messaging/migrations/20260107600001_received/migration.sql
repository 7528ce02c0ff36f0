-- What a batch has received, in the row that says where its partition goes on, instead of a row for each key (ADR 0075):
-- [[[shard, epoch, position], …], [[key, epoch, position, shard], …]], first what was told to be settled, then messages.
-- Rows stay until the 32nd batch after them, which takes over what is still needed.
alter table msg.progress add column received json;

-- The highest positions that have a row of their own: of messages without a watermark, and of causes that are waited for.
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

-- What partitions have received, in their newest rows.
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

-- For processes of the release before, which ask by key alone, whatever wrote it down.
create or replace function msg.applied_at(p_groups text[], p_keys text[], p_services text[])
returns table (consumer_group text, key text, service text, epoch bigint, "position" bigint) language sql stable rows 10
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select w.consumer_group, w.key, w.service, a.epoch, a.position
  from unnest(p_groups, p_keys, p_services) as w (consumer_group, key, service), lateral (
    select * from (
      (select a.epoch, a.position from msg.applied a
       where a.consumer_group = w.consumer_group and a.key = w.key and a.service = w.service
       order by a.epoch desc, a.position desc limit 1)
      union all
      select (m ->> 1)::bigint, (m ->> 2)::bigint from msg.progress p, json_array_elements(p.received -> 1) as m
      where p.consumer_group = w.consumer_group and split_part(p.topic, '.', 1) = w.service and m ->> 0 = w.key
    ) both_kinds order by 1 desc, 2 desc limit 1
  ) a
$$;

-- The release before leaves the rows that say more than where to go on.
create or replace function msg.move_on(p_group text, p_topics text[], p_partitions integer[], p_batches bigint[], p_offsets bigint[])
returns void language sql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with moved as materialized (
    select m.*, p.ctid as old
    from unnest(p_topics, p_partitions, p_batches, p_offsets) as m (topic, partition_id, batches, next_offset)
    left join lateral (
      select p.ctid from msg.progress p where p.consumer_group = p_group and p.topic = m.topic
        and p.partition_id = m.partition_id and p.nth = m.batches and p.received is null offset 0
    ) p on true
  ), gone as (
    delete from msg.progress where ctid = any(array(select old from moved where old is not null))
  )
  insert into msg.progress (consumer_group, topic, partition_id, nth, next_offset)
  select p_group, topic, partition_id, batches + 1, next_offset from moved
$$;

-- Moves partitions on under the lock of their claims, with what they have received, and deletes rows that are not needed
-- any more, each where it is found.
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
