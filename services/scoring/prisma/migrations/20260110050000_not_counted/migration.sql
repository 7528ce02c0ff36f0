-- Where the same workout counts from, of an entry that takes miles back for it; 'by-choice' where the member said so.
alter table ledger_entries add column not_counted text;
