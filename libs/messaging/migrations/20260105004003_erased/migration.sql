-- Who was erased, by id alone: a message about them that is parked later, because its topic is behind, is scrubbed too.
create table msg.erased (
  user_id uuid primary key,
  erased_at timestamptz not null default now()
);
