-- Whom one may mention is found without marks, cases and kinds of apostrophes.
alter table members add column search_key text not null generated always as (search_key(name)) stored;

-- Texts from before the rule of texts take the form that the rule gives them (ADR 0094).
select set_config('app.org', 'system', true);
update organisations set industry = nullif(mended_text(industry, false), '')
  where may_need_mending(industry) and industry <> mended_text(industry, false);
update teams set name = coalesce(nullif(mended_text(name, false), ''), 'Team ' || right(team_id::text, 4))
  where may_need_mending(name) and name <> mended_text(name, false);
update members set name = coalesce(nullif(mended_text(name, false), ''), 'Member ' || right(user_id::text, 4))
  where may_need_mending(name) and name <> mended_text(name, false);
update posts set activity_type = coalesce(nullif(mended_text(activity_type, false), ''), 'Custom activity')
  where may_need_mending(activity_type) and activity_type <> mended_text(activity_type, false);
update posts set caption = nullif(mended_text(caption, true), '')
  where may_need_mending(caption) and caption <> mended_text(caption, true);
update posts set location = nullif(mended_text(location, false), '')
  where may_need_mending(location) and location <> mended_text(location, false);
update ballot_names set name = coalesce(nullif(mended_text(name, false), ''), 'Name ' || right(option_id::text, 4))
  where may_need_mending(name) and name <> mended_text(name, false);
update comments set hidden_reason = coalesce(nullif(mended_text(hidden_reason, true), ''), '…')
  where may_need_mending(hidden_reason) and hidden_reason <> mended_text(hidden_reason, true);
update comment_reports set reason = coalesce(nullif(mended_text(reason, true), ''), '…')
  where may_need_mending(reason) and reason <> mended_text(reason, true);
update recap_engagement set feedback_text = nullif(mended_text(feedback_text, true), '')
  where may_need_mending(feedback_text) and feedback_text <> mended_text(feedback_text, true);
update comments set content = regexp_replace(normalize(content::text, nfc), '[\u0085\u2028\u2029]', '\\n', 'g')::jsonb
  where content::text ~ '[\u0085\u2028\u2029]' or content::text is not nfc normalized;
