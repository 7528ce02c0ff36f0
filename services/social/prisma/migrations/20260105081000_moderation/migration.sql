-- Reports that an admin has read and put aside; what is hidden is listed for admins.
alter table comment_reports add column dismissed_at timestamptz;
create index hidden_comments on comments (org_id, hidden_at desc, comment_id) where hidden_at is not null;
create index open_comment_reports on comment_reports (org_id, comment_id) where dismissed_at is null;
