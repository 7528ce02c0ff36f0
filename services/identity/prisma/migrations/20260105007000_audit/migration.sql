-- Who did what in an organisation, when and from where. Only ids: names are looked up when the log is read, so that they
-- vanish with whoever is erased.
create schema audit;

create table audit.entries (
  org_id uuid not null,
  -- Of the fact that told it, so that a fact that comes twice is one entry.
  entry_id uuid not null,
  happened_at timestamptz not null,
  act text not null,
  kind text not null generated always as (split_part(act, '.', 1)) stored,
  -- Null: whoever runs the instance.
  actor_id uuid,
  device text,
  -- The member or team that it was done to.
  subject_id uuid,
  details jsonb not null default '{}',
  primary key (org_id, entry_id)
);
create index entries_newest on audit.entries (org_id, happened_at desc, entry_id desc);
create index entries_newest_of_kind on audit.entries (org_id, kind, happened_at desc, entry_id desc);
create index entries_happened_at on audit.entries (happened_at);

alter table audit.entries enable row level security;
alter table audit.entries force row level security;
create policy tenant on audit.entries using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));

-- The runtime role may add and read, nothing else: what is a year old goes through this function, and nothing younger
-- does. It runs as the owner, whom row-level security binds as well.
create function audit.forget_before(p_before timestamptz) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_forgotten bigint;
begin
  if p_before > now() - interval '365 days' then
    raise insufficient_privilege using message = 'the audit log is kept for a year';
  end if;
  delete from audit.entries where happened_at < p_before;
  get diagnostics v_forgotten = row_count;
  return v_forgotten;
end $$;
