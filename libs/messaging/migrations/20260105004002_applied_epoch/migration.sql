-- In which epoch of the source's log the position was applied: one of a newer epoch is another fact.
alter table msg.applied add column epoch bigint not null default 0;
