-- Which of two recordings of a workout counts is decided among imports and the logs of the timer and by hand.

-- Since when an import could be credited: since it was seen first, or since its owner consented to be scored by it.
alter table imported_workouts add column creditable_at timestamptz not null default now();

create table own_logs (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  source text not null,
  activity_type text not null,
  started_at timestamptz not null,
  duration_minutes integer not null,
  logged_at timestamptz not null,
  -- Its member's word on whether it counts.
  override boolean,
  revision integer not null,
  primary key (org_id, log_id)
);

create index own_logs_newest on own_logs (org_id, user_id, started_at desc);

alter table own_logs enable row level security;
alter table own_logs force row level security;
create policy tenant on own_logs using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));
