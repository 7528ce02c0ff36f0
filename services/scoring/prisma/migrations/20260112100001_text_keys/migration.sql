-- Different activities are counted by the key of texts, as they are compared everywhere.
alter table credited_movements alter column activity_key set expression as (text_key(activity_type));

-- Texts from before the rule of texts take the form that the rule gives them (ADR 0094).
select set_config('app.org', 'system', true);
update teams set name = coalesce(nullif(mended_text(name, false), ''), 'Team ' || right(team_id::text, 4))
  where may_need_mending(name) and name <> mended_text(name, false);
update members set name = coalesce(nullif(mended_text(name, false), ''), 'Member ' || right(user_id::text, 4))
  where may_need_mending(name) and name <> mended_text(name, false);
update credited_movements set activity_type = coalesce(nullif(mended_text(activity_type, false), ''), 'Custom activity')
  where may_need_mending(activity_type) and activity_type <> mended_text(activity_type, false);
update ledger_entries set activity = coalesce(nullif(mended_text(activity, false), ''), 'Custom activity')
  where may_need_mending(activity) and activity <> mended_text(activity, false);
update challenge_templates set name = coalesce(nullif(mended_text(name, false), ''), 'Challenge ' || right(template_id::text, 4))
  where may_need_mending(name) and name <> mended_text(name, false);
update challenge_templates set description = mended_text(description, false)
  where may_need_mending(description) and description <> mended_text(description, false);
update weekly_challenges set name = coalesce(nullif(mended_text(name, false), ''), 'Challenge ' || right(challenge_id::text, 4))
  where may_need_mending(name) and name <> mended_text(name, false);
update weekly_challenges set description = mended_text(description, false)
  where may_need_mending(description) and description <> mended_text(description, false);
