-- What members deleted by hand of what they imported.

alter table imported_workouts
  drop constraint imported_workouts_state_check,
  add constraint imported_workouts_state_check
    check (state in ('counted', 'unscored', 'duplicate', 'removed', 'skipped', 'gone')),
  -- Logs that it was, and that were retracted.
  add column former_log_ids uuid[] not null default '{}',
  -- The log that its member deleted, as it was. It stays when the workout is gone at its platform: its like at another
  -- one does not begin to count then.
  add column removed_at timestamptz,
  add column removed_started_at timestamptz,
  add column removed_minutes integer,
  -- Its member had said that it is another one than its like.
  add column removed_alone boolean,
  add check (num_nulls(removed_at, removed_started_at, removed_minutes, removed_alone) in (0, 4)),
  add check (state <> 'removed' or log_id is null);

create index imported_workouts_removed on imported_workouts (org_id, user_id, removed_started_at)
  where removed_at is not null;
