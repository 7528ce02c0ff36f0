-- What became of teams and members, and what members let colleagues see (D2, D18).

alter table teams add column is_retired boolean not null default false;
comment on column teams.member_count is 'Active members only.';

alter table members
  add column photo_url text,
  add column is_active boolean not null default true,
  add column is_erased boolean not null default false,
  add column stats_visible boolean not null default true,
  add column activity_visible boolean not null default true,
  -- What others see instead of the member's id while the member hides; made anew whenever the member begins to.
  add column alias_id uuid not null default gen_random_uuid();

-- Looked up for every page and every credit, so they hold exceptions only.
create index members_hiding_activity on members (org_id, user_id) where not activity_visible;
create index members_erased on members (org_id, user_id) where is_erased;
