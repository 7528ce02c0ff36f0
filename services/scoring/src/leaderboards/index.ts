export { listedTeams } from './leaderboard.ts';
export {
  boardReaders,
  type Freshness,
  freshnessColumns,
  isOnBoardsSql,
  teamStandingsSql,
} from './leaderboard-rows.query.ts';
export { LeaderboardUpkeep } from './leaderboard-upkeep.service.ts';
export { PlacesService, isCurrentReading } from './places.service.ts';
