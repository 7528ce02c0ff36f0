-- What colleagues see of a streak stands where it stood; what only its owner sees beside it, where that differs (D21).
alter table member_scores add column has_own_streak boolean not null default false, add column own_run_started_on date,
  add column own_run_ended_on date, add column own_streak_days integer, add column own_streak_freezes smallint;

-- Badges that only their owner sees (D13).
alter table member_badges add column is_owner_only boolean not null default false;
