-- What members are told of behind the bell (docs/adr/0048-notices-are-rows-that-are-read-with-what-they-speak-of.md).
-- Ids, figures and words of the product only: names and texts are read with what a notice speaks of.

create table notices (
  org_id uuid not null,
  notice_id uuid not null,
  user_id uuid not null,
  kind text not null,
  -- What its items have in common: an entry, a ballot, a team, …
  subject text not null,
  -- When something was last added.
  raised_at timestamptz not null,
  expires_at timestamptz,
  read_at timestamptz,
  -- Whether others are still to be told how it stands, as what they were told last, and the most of it.
  is_untold boolean not null default true,
  told_count integer not null default 0,
  most_told integer not null default 0,
  told_text text,
  primary key (org_id, notice_id)
);
-- One takes up what comes until it is read.
create unique index notices_unread on notices (org_id, user_id, kind, subject) where read_at is null;
create index notices_of_member on notices (org_id, user_id, raised_at desc, notice_id desc);
create index notices_by_subject on notices (org_id, subject);
create index notices_untold on notices (raised_at) where is_untold;
create index notices_by_age on notices (raised_at);

create table notice_items (
  org_id uuid not null,
  -- Of receiver, kind, subject and thing: whatever is told twice is one item.
  item_id uuid not null,
  notice_id uuid not null,
  actor_id uuid,
  facts jsonb not null,
  happened_at timestamptz not null,
  is_gone boolean not null default false,
  primary key (org_id, item_id),
  foreign key (org_id, notice_id) references notices on delete cascade
);
create index notice_items_of_notice on notice_items (org_id, notice_id, happened_at desc);
create index notice_items_of_actor on notice_items (org_id, actor_id) where actor_id is not null;

create table notice_mutes (
  org_id uuid not null,
  user_id uuid not null,
  kinds text[] not null,
  primary key (org_id, user_id)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['notices', 'notice_items', 'notice_mutes'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;

-- A UUID (version 8) of a text: the same for the same.
create function uuid_of(p_text text) returns uuid language sql immutable parallel safe
  return overlay(overlay(md5(p_text) placing '8' from 13 for 1) placing 'a' from 17 for 1)::uuid;

-- Admins hear who joined by their invites.
alter table members add column role text not null default 'member';
