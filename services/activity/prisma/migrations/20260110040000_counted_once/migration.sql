-- The same workout of two sources counts once (D25): what the rule needs to know of each log, and what it decided.
alter table movement_logs
  add column is_counted boolean not null default true,
  -- The log that counts in its place.
  add column same_as uuid,
  -- Its member's word on whether it counts.
  add column override boolean,
  -- Null in rows from before: those with miles were scored.
  add column is_scored boolean,
  -- Since when an import could be credited. Null: since it was logged.
  add column creditable_at timestamptz;
