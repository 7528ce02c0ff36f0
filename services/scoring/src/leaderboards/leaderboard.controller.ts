import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { leaderboardQuerySchema } from '@caravan/contracts/http/scores';
import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { ValidQuery } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, Inject } from '@nestjs/common';
import { leaderboardOf } from './leaderboard.ts';
import { LeaderboardQuery } from './leaderboard.query.ts';

@Controller('api/leaderboard')
export class LeaderboardController {
  constructor(@Inject(LeaderboardQuery) private readonly leaderboard: LeaderboardQuery) {}

  @Get()
  async read(
    @CurrentCaller() caller: Caller,
    @ValidQuery(leaderboardQuerySchema) { period }: { period: BoardPeriod },
  ): Promise<Leaderboard> {
    return leaderboardOf(await this.leaderboard.read(caller, period));
  }
}
