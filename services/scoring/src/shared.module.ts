import { Global, Module } from '@nestjs/common';
import { RedisLeaderboard } from './boards/redis-leaderboard.client.ts';
import { BoardBuilds } from './boards/board-builds.client.ts';
import { BoardUpkeep } from './boards/board-upkeep.client.ts';
import { BoardQuery } from './boards/board.query.ts';
import { FirstChallenges } from './first-challenges.service.ts';
import { OrganisationWeek } from './organisation-week.query.ts';

/** What the features of this service share: the boards, and which week it is. */
@Global()
@Module({
  providers: [RedisLeaderboard, BoardBuilds, BoardUpkeep, BoardQuery, FirstChallenges, OrganisationWeek],
  exports: [RedisLeaderboard, BoardUpkeep, BoardQuery, FirstChallenges, OrganisationWeek],
})
export class SharedModule {}
