-- The same for those who chose kilometres, where a distance is told (9.22).
alter table due_notices
  add column metric_text text,
  add column metric_lines text[] not null default '{}';
