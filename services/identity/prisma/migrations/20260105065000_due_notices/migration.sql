-- What members are to be told outside the app, and what they were told so already: no mail or push says it again. A row
-- goes when it was read or withdrawn (ADR 0049).
create table due_notices (
  org_id uuid not null,
  user_id uuid not null,
  notice_id uuid not null,
  kind text not null,
  text text not null,
  -- What stands below the text, as a report's teams.
  lines text[] not null default '{}',
  -- Members whose names stand in the text: when one of them is erased it is said no more.
  named_ids uuid[] not null default '{}',
  link text not null,
  raised_at timestamptz not null,
  -- From then on nobody wants to know.
  expires_at timestamptz,
  -- Not by mail, or not any more, when null.
  mail_at timestamptz,
  mailed_at timestamptz,
  push_at timestamptz,
  primary key (org_id, user_id, notice_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);
create index due_notices_mail_at on due_notices (mail_at) where mail_at is not null;
create index due_notices_push_at on due_notices (push_at) where push_at is not null;
create index due_notices_raised_at on due_notices (raised_at);

-- Whose mail a process is writing: of several processes one writes it.
create table mail_turns (
  org_id uuid not null,
  user_id uuid not null,
  until timestamptz not null,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references persons (org_id, user_id) on delete cascade
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['due_notices', 'mail_turns'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using ((select app_is_system()) or org_id = (select app_org())) '
      'with check ((select app_is_system()) or org_id = (select app_org()))', tenant_table);
  end loop;
end $$;
