import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { leaderboardQuerySchema } from '@caravan/contracts/http/scores';
import type { BoardPeriod, Leaderboard } from '@caravan/contracts/http/scores';
import { ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live/live';
import { Controller, Get, Inject, type OnModuleInit } from '@nestjs/common';
import { leaderboardOf } from './leaderboard.ts';
import { LeaderboardService } from './leaderboard.service.ts';

@Controller('api/leaderboard')
export class LeaderboardController implements OnModuleInit {
  constructor(
    @Inject(LeaderboardService) private readonly leaderboard: LeaderboardService,
    @Inject(Live) private readonly live: Live,
  ) {}

  onModuleInit(): void {
    this.live.compose('board', (asked) => this.board(asked, 'all'));
    this.live.compose('board-week', (asked) => this.board(asked, 'week'));
  }

  @Get()
  async read(
    @CurrentCaller() caller: Caller,
    @ValidQuery(leaderboardQuerySchema) { period }: { period: BoardPeriod },
  ): Promise<Leaderboard> {
    return leaderboardOf(await this.leaderboard.read(caller, period));
  }

  private async board(asked: Asked, period: BoardPeriod): Promise<Composed<'board'>> {
    const { orgId, at, isForAll, wanted } = asked;
    const readers = isForAll ? asked.readers : [...wanted];
    const { shared, standings, ask } = await this.leaderboard.readFor({ orgId, at, readers }, period);
    return {
      all: { users: [...shared.users], teams: [...shared.teams] },
      some: standings.map((own) => {
        const { userPosition, teamPosition, around } = leaderboardOf(own);
        return { to: [own.userId], data: { userPosition, teamPosition, around } };
      }),
      ask,
    };
  }
}
