-- Deactivated members are off the boards. Once erased they stay on or off them as they were: was_active says which.
-- board_changes counts how often a member has left the boards or returned, so that boards know the newer of two states.
alter table members add column was_active boolean not null default true;
alter table members add column board_changes integer not null default 0;
