import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { Leaderboard } from '@caravan/contracts/http/scores';
import { Controller, Get, Inject } from '@nestjs/common';
import { leaderboardOf } from './leaderboard.ts';
import { LeaderboardQuery } from './leaderboard.query.ts';

@Controller('api/leaderboard')
export class LeaderboardController {
  constructor(@Inject(LeaderboardQuery) private readonly leaderboard: LeaderboardQuery) {}

  @Get()
  async read(@CurrentCaller() caller: Caller): Promise<Leaderboard> {
    return leaderboardOf(await this.leaderboard.read(caller));
  }
}
