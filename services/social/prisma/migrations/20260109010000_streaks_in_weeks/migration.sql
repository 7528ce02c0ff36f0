-- A member's latest run of active days, as of the newest entry that the row's week holds (ADR 0076); null where no
-- entry has come since. The newest row of a member counts, by epoch and position. recap_streaks, which the release
-- before writes, is read beside them as one more such row; the release after this one copies the newest and drops it.
alter table recap_member_weeks add column run_started_on date, add column run_ended_on date, add column run_days int,
  add column epoch bigint, add column position bigint;
-- Rows change with each log, and not what their index is of.
alter table recap_member_weeks set (fillfactor = 70);
