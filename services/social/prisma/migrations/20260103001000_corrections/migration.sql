-- A correction that comes late changes nothing of a newer one; 1 is the log as it was made.
alter table posts add column revision integer not null default 1;
