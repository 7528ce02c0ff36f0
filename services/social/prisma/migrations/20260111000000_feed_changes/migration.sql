-- Which transactions have changed what feeds show, so that a page that was composed for all is shown only while nothing of
-- it has changed (ADR 0083). Written by triggers: nobody forgets it, neither do processes of the release before.

create table feed_changes (
  org_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  noted_at timestamptz not null default now(),
  primary key (org_id, xid)
) with (autovacuum_vacuum_scale_factor = 0.05);

alter table feed_changes enable row level security;
alter table feed_changes force row level security;
create policy tenant on feed_changes using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));

create function note_feed_change() returns trigger language plpgsql as $$
begin
  insert into feed_changes (org_id) select distinct org_id from changed on conflict do nothing;
  return null;
end $$;

do $$
declare
  shown_table text;
begin
  foreach shown_table in array array['posts', 'checkpoint_entries', 'members', 'teams', 'reaction_counts', 'comments'] loop
    execute format('create trigger note_feed_change_by_insert after insert on %I referencing new table as changed '
      'for each statement execute function note_feed_change()', shown_table);
    execute format('create trigger note_feed_change_by_update after update on %I referencing new table as changed '
      'for each statement execute function note_feed_change()', shown_table);
    execute format('create trigger note_feed_change_by_delete after delete on %I referencing old table as changed '
      'for each statement execute function note_feed_change()', shown_table);
  end loop;
end $$;
