alter table members alter column joined_on set not null, alter column in_team_since set not null;
drop function mended_text(text, boolean);
drop function may_need_mending(text);
