drop function logging_member(uuid, text);
alter table movement_logs alter column is_scored set not null;
drop function mended_text(text, boolean);
drop function may_need_mending(text);
