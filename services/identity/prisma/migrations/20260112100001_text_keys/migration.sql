-- Texts from before the rule of texts take the form that the rule gives them (ADR 0094).
select set_config('app.org', 'system', true);
update organisations set name = coalesce(nullif(mended_text(name, false), ''), 'Organisation ' || right(org_id::text, 4))
  where may_need_mending(name) and name <> mended_text(name, false);
update organisations set company_name = nullif(mended_text(company_name, false), '')
  where may_need_mending(company_name) and company_name <> mended_text(company_name, false);
update organisations set industry = mended_text(industry, false)
  where may_need_mending(industry) and industry <> mended_text(industry, false);
update organisations set welcome_message = nullif(mended_text(welcome_message, false), '')
  where may_need_mending(welcome_message) and welcome_message <> mended_text(welcome_message, false);
update persons set name = coalesce(nullif(mended_text(name, false), ''), 'Member ' || right(user_id::text, 4))
  where may_need_mending(name) and name <> mended_text(name, false);
update persons set bio = mended_text(bio, true)
  where may_need_mending(bio) and bio <> mended_text(bio, true);
update persons set location = mended_text(location, false)
  where may_need_mending(location) and location <> mended_text(location, false);
update persons set favorite_activity = mended_text(favorite_activity, false)
  where may_need_mending(favorite_activity) and favorite_activity <> mended_text(favorite_activity, false);
update persons set phone = mended_text(phone, false)
  where may_need_mending(phone) and phone <> mended_text(phone, false);

-- Names of people are searched and sorted without marks, cases and kinds of apostrophes.
alter table persons alter column name_key set expression as (search_key(name));

-- Teams are called by one key. Open teams whose names fall together since then keep them, told apart by a number;
-- nobody takes a name that one of them has.
drop index teams_one_name;
update teams set name = coalesce(nullif(mended_text(name, false), ''), 'Team ' || right(team_id::text, 4))
  where may_need_mending(name) and name <> mended_text(name, false);
alter table teams
  add column name_key text not null generated always as (text_key(name)) stored,
  add column same_name integer not null default 0;
update teams t set same_name = s.nth from (
  select org_id, team_id, row_number() over (partition by org_id, name_key order by formed_at, team_id) - 1 as nth
  from teams where retired_at is null) s
  where (t.org_id, t.team_id) = (s.org_id, s.team_id) and s.nth > 0;
