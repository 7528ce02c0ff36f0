-- What people are told by mail.

-- Notices that have not left yet; the row goes when its mail has. Bound to no person: a farewell outlives the account.
create table mails (
  mail_id uuid primary key,
  org_id uuid not null references organisations (org_id),
  recipient text not null,
  notice jsonb not null,
  written_at timestamptz not null
);
create index mails_written_at on mails (written_at);

-- Addresses for which somebody asked to set a new password. Whether anybody has them is found out later, so that the
-- answer does not tell; until then they belong to no organisation.
create table reset_requests (
  request_id uuid primary key,
  email text not null,
  requested_at timestamptz not null
);
create index reset_requests_requested_at on reset_requests (requested_at);

alter table mails enable row level security;
alter table mails force row level security;
create policy tenant on mails using ((select app_is_system()) or org_id = (select app_org()))
  with check ((select app_is_system()) or org_id = (select app_org()));
