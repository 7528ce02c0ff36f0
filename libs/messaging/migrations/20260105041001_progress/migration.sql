-- Nothing here is updated with every batch any more: while somebody holds an old snapshot, each update leaves a version
-- that every later reader of the row walks over. A new row is written instead and the one before it deleted; readers take
-- the highest, which the index gives first, whatever lies below it (ADR 0035).

-- Where each partition goes on. msg.offsets keeps the claim, which a batch only locks.
create table msg.progress (
  consumer_group text not null,
  topic text not null,
  partition_id integer not null,
  -- Counts the batches; a topic that begins anew makes offsets fall.
  nth bigint not null,
  next_offset bigint not null,
  primary key (consumer_group, topic, partition_id, nth)
) with (autovacuum_vacuum_scale_factor = 0.05);
insert into msg.progress (consumer_group, topic, partition_id, nth, next_offset)
select consumer_group, topic, partition_id, 1, next_offset from msg.offsets;
alter table msg.offsets drop column next_offset;

alter table msg.applied drop constraint applied_pkey;
alter table msg.applied add primary key (consumer_group, key, service, epoch, position);

-- Planners take such tables for empty, or full, by what statistics said a while ago, and would join or sort what is to be
-- looked up. So these look up: one descent of an index for each key, and the first row that lives.

-- The highest positions applied, by group, key and service.
create function msg.applied_at(p_groups text[], p_keys text[], p_services text[])
returns table (consumer_group text, key text, service text, epoch bigint, "position" bigint) language sql stable rows 10
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select w.consumer_group, w.key, w.service, a.epoch, a.position
  from unnest(p_groups, p_keys, p_services) as w (consumer_group, key, service), lateral (
    select a.epoch, a.position from msg.applied a
    where a.consumer_group = w.consumer_group and a.key = w.key and a.service = w.service
    order by a.epoch desc, a.position desc limit 1
  ) a
$$;

-- Records positions, which never fall within an epoch. The row before is deleted where it was found: to look for it again
-- by its key would walk over all those before it.
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

-- Moves partitions on from the batch that is named, under the lock of their claims.
create function msg.move_on(p_group text, p_topics text[], p_partitions integer[], p_batches bigint[], p_offsets bigint[])
returns void language sql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with moved as materialized (
    select m.*, p.ctid as old
    from unnest(p_topics, p_partitions, p_batches, p_offsets) as m (topic, partition_id, batches, next_offset)
    left join lateral (
      select p.ctid from msg.progress p where p.consumer_group = p_group and p.topic = m.topic
        and p.partition_id = m.partition_id and p.nth = m.batches offset 0
    ) p on true
  ), gone as (
    delete from msg.progress where ctid = any(array(select old from moved where old is not null))
  )
  insert into msg.progress (consumer_group, topic, partition_id, nth, next_offset)
  select p_group, topic, partition_id, batches + 1, next_offset from moved
$$;
