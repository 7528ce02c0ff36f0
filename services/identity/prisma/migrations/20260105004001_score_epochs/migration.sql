-- A position says which fact is newer within an epoch of scoring's log alone.
alter table member_scores add column epoch bigint not null default 0;
