-- Texts from before the rule of texts take the form that the rule gives them (ADR 0094).
select set_config('app.org', 'system', true);
update movement_texts set activity_type = coalesce(nullif(mended_text(activity_type, false), ''), 'Custom activity')
  where may_need_mending(activity_type) and activity_type <> mended_text(activity_type, false);
update movement_texts set caption = nullif(mended_text(caption, true), '')
  where may_need_mending(caption) and caption <> mended_text(caption, true);
update movement_texts set location = nullif(mended_text(location, false), '')
  where may_need_mending(location) and location <> mended_text(location, false);
update photos set alt = nullif(mended_text(alt, false), '')
  where may_need_mending(alt) and alt <> mended_text(alt, false);

-- The same activity in other letters or with another apostrophe is one: uses of names that fall together are added up,
-- under the name that was typed last.
lock table frequent_activities in share row exclusive mode;
with together as (
  select org_id, user_id, name_key, sum(usage_count) over w as uses,
    row_number() over (w order by used_at desc, activity_id desc) as nth, count(*) over w as names
  from frequent_activities window w as (partition by org_id, user_id, text_key(activity_name)))
update frequent_activities f set usage_count = t.uses from together t
  where (f.org_id, f.user_id, f.name_key) = (t.org_id, t.user_id, t.name_key) and t.nth = 1 and t.names > 1;
with together as (
  select org_id, user_id, name_key,
    row_number() over (partition by org_id, user_id, text_key(activity_name) order by used_at desc, activity_id desc) as nth
  from frequent_activities)
delete from frequent_activities f using together t
  where (f.org_id, f.user_id, f.name_key) = (t.org_id, t.user_id, t.name_key) and t.nth > 1;
alter table frequent_activities alter column name_key set expression as (text_key(activity_name));
update frequent_activities set activity_name = coalesce(nullif(mended_text(activity_name, false), ''), 'Custom activity ' || right(activity_id::text, 4))
  where may_need_mending(activity_name) and activity_name <> mended_text(activity_name, false);
