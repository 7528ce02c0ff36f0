export { boardReaders, isOnBoardsSql, teamStandingsSql } from './leaderboard-rows.query.ts';
export { LeaderboardUpkeep } from './leaderboard-upkeep.service.ts';
export { PlacesQuery, freshnessColumns, isCurrentReading } from './places.query.ts';
export type { Freshness } from './places.query.ts';
