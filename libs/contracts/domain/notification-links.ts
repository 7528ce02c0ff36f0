import type { NotificationKind } from './notification-kinds.ts';

/**
 * Where a notice leads, by its kind: to the very thing it speaks of. Paths of the web app, with a fragment where the
 * thing is a part of a screen. Ids are taken as they are.
 */
export const notificationLinks = {
  /** An entry of the feeds, with its thread: a post or a team's checkpoint. */
  reaction: (entryId: string) => `/feed/${entryId}`,
  /** @param commentId of a bundle the newest one's */
  comment: (entryId: string, commentId: string) => `/feed/${entryId}#${commentId}`,
  mention: (entryId: string, commentId: string) => `/feed/${entryId}#${commentId}`,
  follower: (followerId: string) => `/user/${followerId}`,
  /** Opens the badge in the gallery. */
  badge: (badgeId: string) => `/badges#${badgeId}`,
  /** @param entryId null where the feeds have no entry of it */
  checkpoint: (entryId: string | null) => (entryId === null ? '/journey' : `/feed/${entryId}`),
  'challenge-reached': () => '/dashboard#weekly-challenges',
  'goal-near': () => '/dashboard',
  'challenge-ending': (kind: 'weekly' | 'bonus') =>
    kind === 'weekly' ? '/dashboard#weekly-challenges' : '/dashboard#bonus-challenge',
  'bonus-opened': () => '/dashboard#bonus-challenge',
  'ballot-opened': () => '/team-voting',
  'ballot-ending': () => '/team-voting',
  'ballot-decided': () => '/team-voting',
  'rank-lost': () => '/leaderboard',
  'streak-at-risk': () => '/timer',
  'team-changed': () => '/leaderboard',
  'invite-used': () => '/admin/members',
  /** @param weekStartsOn the Monday's date */
  'recap-ready': (weekStartsOn: string) => `/recaps/${weekStartsOn}`,
  'export-ready': () => '/settings#my-data',
  'import-ready': () => '/settings/workouts',
  'sync-failed': () => '/settings#fitness-devices',
  /** Every mile has its entry there, also those that were taken back. */
  'imports-gone': () => '/miles',
} satisfies { [Kind in NotificationKind]: (...ids: never[]) => string };
