-- Admins page through members by name, miles and latest activity, however many there are. Behind row-level security an
-- index serves a condition only if no function of it can leak, so what is sorted by is stored.

-- Without case and accents: É stands beside E, and is found by it.
alter table persons add column name_key text not null generated always as
  (lower(regexp_replace(normalize(name, nfd), '[\u0300-\u036f]', '', 'g') collate "pg_unicode_fast")) stored;
drop index persons_by_name;
create index persons_by_name on persons (org_id, name_key, user_id);

-- Who has not moved yet has a row too: 0 miles, no run.
alter table member_scores
  alter column run_started_on drop not null,
  alter column run_ended_on drop not null,
  add column active_key date not null generated always as (coalesce(run_ended_on, '-infinity'::date)) stored;
create index member_scores_by_activity on member_scores (org_id, active_key, user_id);

select set_config('app.org', 'system', true);
insert into member_scores (org_id, user_id, total_centimiles, position)
  select org_id, user_id, 0, 0 from memberships on conflict (org_id, user_id) do nothing;

-- The case of any script.
drop index teams_one_name;
create unique index teams_one_name on teams (org_id, lower(name collate "pg_unicode_fast")) where retired_at is null;
