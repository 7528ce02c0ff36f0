-- What members say below posts and checkpoints (D50). Rows of their own, no log: words of people must be forgettable
-- (docs/adr/0046-comments-are-rows.md).

create table comments (
  org_id uuid not null,
  comment_id uuid not null,
  -- A post (its log's id) or a checkpoint.
  entry_id uuid not null,
  author_id uuid not null,
  -- Pieces of text, and members by their id where they are mentioned: ["Well done ", {"member": "…"}].
  content jsonb not null,
  created_at timestamptz not null,
  edited_at timestamptz,
  hidden_at timestamptz,
  hidden_by uuid,
  hidden_reason text,
  primary key (org_id, comment_id)
);
-- Threads are read, and counted for every page of a feed, from it alone.
create index comments_of_entry on comments (org_id, entry_id, created_at, comment_id) include (author_id, hidden_at);
create index comments_of_author on comments (org_id, author_id);

create table comment_reports (
  org_id uuid not null,
  comment_id uuid not null,
  reporter_id uuid not null,
  reason text not null,
  reported_at timestamptz not null,
  primary key (org_id, comment_id, reporter_id),
  foreign key (org_id, comment_id) references comments on delete cascade
);
create index comment_reports_of_reporter on comment_reports (org_id, reporter_id);

-- When something changed below an entry: open pages are told of what is new.
create table comment_threads (
  org_id uuid not null,
  entry_id uuid not null,
  changed_at timestamptz not null,
  primary key (org_id, entry_id)
);
create index comment_threads_by_change on comment_threads (org_id, changed_at desc);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['comments', 'comment_reports', 'comment_threads'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
