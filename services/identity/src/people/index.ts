export { ownStreakColumns, seenFollowsSql, streakOf } from './profile.query.ts';
export type { StreakRow } from './profile.query.ts';
