import type { MigrationRule } from './migrations.ts';

type Exception = { readonly rules: readonly MigrationRule[]; readonly why: string };

const early = (...rules: readonly MigrationRule[]): Exception => ({
  rules,
  why: 'It came before the first release: no process of an earlier one has run on its tables.',
});

const mended: Exception = {
  rules: ['writes old rows'],
  why: 'Only rows that hold what the rule of texts refuses, or that fall together by the new key: none or a handful.',
};

/** Migrations that may do what others may not. None is added but with a reason of its own. */
export const exceptions: Readonly<Record<string, Exception>> = {
  'event-store/20260102000000_requests_by_organisation': early(
    'demands a value',
    'demands of old rows',
    'drops a constraint',
    'shuts out writers',
    'writes old rows',
  ),
  'identity/20260102001000_people': early('shuts out writers'),
  'scoring/20260102001000_recent_by_end': early('renames'),
  'social/20260102002000_people': early('shuts out writers'),
  'scoring/20260102002000_people': early('rewrites a table', 'shuts out writers'),
  'identity/20260102002000_sorted_members': early('shuts out writers'),
  'scoring/20260103002000_weekly_challenges': early('shuts out writers'),
  'scoring/20260103003000_badges': early('shuts out writers'),
  'scoring/20260103004000_explained_entries': early('writes old rows'),
  'scoring/20260103004000_journey': early('demands a value', 'writes old rows'),
  'scoring/20260104003000_profile_links': early('shuts out writers'),
  'scoring/20260104004000_weekly_boards': early(
    'demands a value',
    'demands of old rows',
    'drops a constraint',
    'writes old rows',
  ),
  'scoring/20260104006000_activity_keys': early('shuts out writers'),
  'identity/20260105001000_confirmed_addresses': early('demands a value'),
  'scoring/20260105005000_since_when': early('demands a value', 'shuts out writers'),
  'identity/20260105007001_closing': early('shuts out writers'),
  'event-store/20260105041000_who_wrote_outbox_rows': early('rewrites a table', 'shuts out writers'),
  'messaging/20260105041001_progress': early('demands of old rows', 'drops a constraint', 'drops what is read'),
  'scoring/20260105041002_fresh_credits_since': early('drops a constraint', 'rewrites a table', 'shuts out writers'),
  'event-store/20260105047000_old_answers': early('shuts out writers'),
  'scoring/20260105049000_pending_credits_and_reviews': early('drops what is read', 'renames'),
  'event-store/20260105050000_published': early('drops what is read'),
  'scoring/20260105052000_no_alias': early('drops what is read'),
  'scoring/20260105053000_team_weeks_whole': early('drops what is read', 'renames', 'writes old rows'),
  'social/20260105054000_directory': early('shuts out writers'),
  'social/20260105059900_mentionable': early('shuts out writers'),
  'scoring/20260105075000_notices': early('shuts out writers'),
  'social/20260105080000_changed_entries': early('drops what is read'),
  'social/20260105081000_moderation': early('shuts out writers'),
  'scoring/20260105085000_social_badges_group': early('writes old rows'),
  'social/20260106002000_photos': early('demands of old rows', 'shuts out writers'),
  'integrations/20260107100000_connecting': early('demands of old rows', 'shuts out writers'),
  'scoring/20260107302000_unscored_movements': early('shuts out writers'),
  'social/20260107303000_measured': early('shuts out writers'),
  'scoring/20260107400001_movements_covered': early('shuts out writers'),
  'integrations/20260108100000_revocations_and_pauses': {
    rules: ['drops a constraint'],
    why: 'It is a check, which no `on conflict` names, and a wider one takes its place in the same statement.',
  },
  'identity/20260112100001_text_keys': mended,
  'activity/20260112100001_text_keys': mended,
  'scoring/20260112100001_text_keys': mended,
  'social/20260112100001_text_keys': mended,
  'messaging/20260116000001_drop_positions': early('drops what is read'),
  'activity/20260116000002_drop_doubled': early('drops what is read', 'demands a value'),
  'identity/20260116000002_drop_doubled': early('drops what is read', 'shuts out writers'),
  'integrations/20260116000002_drop_doubled': early('demands a value'),
  'scoring/20260116000002_drop_doubled': early('demands a value', 'drops what is read'),
  'social/20260116000002_drop_doubled': early('demands a value', 'drops what is read'),
  'scoring/20260116000000_drop_doubled': early('drops what is read'),
  'social/20260116000000_drop_doubled': early('drops what is read'),
  'integrations/20260107300000_removed_logs': early('demands of old rows', 'drops a constraint', 'shuts out writers'),
};
