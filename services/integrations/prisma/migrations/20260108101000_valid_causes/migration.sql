-- Rows of before fit, since the list only grew; readers and writers go on meanwhile.
alter table sync_runs validate constraint sync_runs_cause_check;
