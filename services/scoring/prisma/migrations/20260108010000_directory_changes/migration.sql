-- What boards show of members and teams is kept until it changes: the transaction that changed it is noted here.
alter table board_generations alter column generation set default 0;
alter table board_generations add column directory_change bigint not null default 0;
