-- Nobody has shown it since profiles say whether they may be opened, and a random value could not be made again.
alter table members drop column alias_id;
