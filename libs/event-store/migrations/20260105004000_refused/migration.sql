-- Public messages that Kafka refuses for their size, each with what of its key came after it, in order: a later fact that
-- overtook an earlier one would make every consumer drop the earlier one for good. The relay moves rows here, an operator
-- sends them back (`./caravan redrive`).
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
  -- Of the message as it was to be sent; null for one that only waits behind another.
  bytes integer,
  refused_at timestamptz not null default now(),
  primary key (shard, pos)
);
create index refused_by_key on es.refused (partition_key);
