-- Every entry says by how much it changed a date's movements and minutes, and what explains it (D9). Numbers and names
-- from the product's own lists; what a member called an activity stands in credited_movements, where it is forgotten.

alter table ledger_entries
  add column movements smallint not null default 1,
  add column minutes integer not null default 0,
  add column activity text,
  add column duration_minutes integer,
  add column previous_minutes integer,
  add column multiplier numeric(4, 2),
  add column previous_multiplier numeric(4, 2),
  add column challenge_id uuid;

-- Until now every entry was a log of ten hundredths of a mile for each minute.
select set_config('app.org', 'system', true);
update ledger_entries set minutes = round(centimiles / 10.0) where kind = 'log';

-- A correction that comes late changes nothing of a newer one.
alter table credited_movements add column revision integer not null default 1;

-- How a member's latest run of days began: what the streak brought to it and the freezes saved up then (D11). Follows
-- from streak_runs; kept because reading all of a member's runs for every log would cost more with every week.
create table streak_starts (
  org_id uuid not null,
  user_id uuid not null,
  started_on date not null,
  days_before integer not null,
  freezes smallint not null,
  primary key (org_id, user_id)
);
alter table streak_starts enable row level security;
alter table streak_starts force row level security;
create policy tenant on streak_starts using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));
