-- Reactions to posts, one per member, post and emoji, and how many there are of each (D19): both are made from the log.
-- What a post had stays when it is taken down, shown nowhere: a log of its own says that they were given.

create table reactions (
  org_id uuid not null,
  log_id uuid not null,
  user_id uuid not null,
  emoji text not null,
  given_at timestamptz not null,
  primary key (org_id, log_id, user_id, emoji)
);

-- A post that many react to changes the same rows again and again: there is room for the next version beside each.
create table reaction_counts (
  org_id uuid not null,
  log_id uuid not null,
  emoji text not null,
  count integer not null check (count >= 0),
  primary key (org_id, log_id, emoji)
) with (fillfactor = 50);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['reactions', 'reaction_counts'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
