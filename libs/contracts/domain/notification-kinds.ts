/** What a member can be told of behind the bell; each can be muted. */
export const notificationKinds = [
  'reaction',
  'comment',
  'mention',
  'follower',
  'badge',
  'checkpoint',
  'challenge-reached',
  'goal-near',
  'challenge-ending',
  'bonus-opened',
  'ballot-opened',
  'ballot-ending',
  'ballot-decided',
  'rank-lost',
  'streak-at-risk',
  'team-changed',
  'invite-used',
  'recap-ready',
  'export-ready',
  'import-ready',
  'sync-failed',
  'imports-gone',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What nobody is told who has not asked for it. */
export const mutedByDefault: readonly NotificationKind[] = ['rank-lost'];
