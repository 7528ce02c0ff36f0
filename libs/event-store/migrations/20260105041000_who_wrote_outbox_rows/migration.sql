-- Which transaction put a row into the outbox. Positions are given before the commit, so rows may appear below others that
-- have been sent; but whatever appears between two looks was written by a transaction that the first look did not see. By
-- this index such rows are found without walking over those that were sent and cannot go yet, because somebody's snapshot
-- is older (ADR 0035).
alter table es.outbox add column xid xid8 not null default pg_current_xact_id();
-- An expression, so that no plan takes the primary key instead, which is in order of position.
create index outbox_written_by on es.outbox ((shard::integer), xid);
