-- Read models of consumers that are being made again, each in the schema of its generation (ADR 0039). Offsets and applied
-- positions of a rebuild lie where those of every consumer group do, under a name of its own.
create table msg.rebuilds (
  read_model text primary key,
  rebuild_id text not null,
  -- Of the tables when it began: a migration since makes the generation worthless.
  shape text not null,
  begun_at timestamptz not null default now()
);
