drop index teams_one_key;
alter table teams drop column same_name;
create unique index teams_one_key on teams (org_id, name_key) where retired_at is null;
drop function mended_text(text, boolean);
drop function may_need_mending(text);
