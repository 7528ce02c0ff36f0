alter table members alter column joined_on set not null, alter column stats_visible set not null;
alter table organisations alter column founded_at set not null;
drop function mended_text(text, boolean);
drop function may_need_mending(text);
