-- Addresses count once a link that was mailed to them was opened.

-- Who was here before has used the address as their own all along, and counts (docs/adr/0026-confirmed-addresses.md).
alter table persons add column email_confirmed_at timestamptz default now();
alter table persons alter column email_confirmed_at drop default;
-- The domains of an invite whose guest has to confirm the address before they are let in; otherwise empty.
alter table persons add column held_for text[] not null default '{}';

-- Addresses that a mailed link is to confirm: the one signed up with, or one that somebody wants instead.
create table email_confirmations (
  org_id uuid not null,
  user_id uuid not null,
  ask_id uuid not null,
  email text not null,
  email_key text not null,
  asked_at timestamptz not null,
  mailed_at timestamptz,
  -- SHA-256 of the newest link's token; null before its mail.
  token bytea unique,
  expires_at timestamptz,
  -- How many mails since when: nobody gets them without end.
  mails integer not null,
  mails_since timestamptz not null,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
create index email_confirmations_unmailed on email_confirmations (asked_at) where mailed_at is null;

-- The way back to an address that somebody wanted to leave, or has left. Until then nobody else gets it.
create table email_undos (
  org_id uuid not null,
  user_id uuid not null,
  undo_id uuid not null,
  email text not null,
  email_key text not null,
  -- The address that took its place or was wanted.
  new_email text not null,
  has_changed boolean not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  mailed_at timestamptz,
  token bytea unique,
  primary key (org_id, undo_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
create index email_undos_of_person on email_undos (org_id, user_id);
create index email_undos_key on email_undos (email_key);
create index email_undos_expires_at on email_undos (expires_at);

alter table email_confirmations enable row level security;
alter table email_confirmations force row level security;
create policy tenant on email_confirmations using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));
alter table email_undos enable row level security;
alter table email_undos force row level security;
create policy tenant on email_undos using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));

-- When the person asked for their data lately.
alter table exports add column asked_at timestamptz[] not null default '{}';
