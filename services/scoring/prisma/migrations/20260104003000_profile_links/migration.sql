-- Whether a member's profile may be opened by colleagues (D18): where it may not, their name is nobody's link.
alter table members add column profile_visible boolean not null default true;

-- The own ledger is read by the days that miles count for, the newest first; entries of a day by when they were made.
drop index ledger_entries_newest;
create index ledger_entries_by_day on ledger_entries (org_id, user_id, credited_on desc, credited_at desc, entry_id desc);
