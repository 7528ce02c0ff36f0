create schema if not exists msg;

-- Where each consumer group stands. The row is the fence: a batch commits only while its epoch is the current one.
create table msg.offsets (
  consumer_group text not null,
  topic text not null,
  partition_id integer not null,
  next_offset bigint not null default 0,
  epoch bigint not null default 0,
  claimed_by text not null default '',
  claimed_at timestamptz not null default now(),
  primary key (consumer_group, topic, partition_id)
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.05);

-- Highest position of a service that a group has applied for a key: drops what comes twice and serves those who wait.
create table msg.applied (
  consumer_group text not null,
  key text not null,
  service text not null,
  position bigint not null,
  primary key (consumer_group, key, service)
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
