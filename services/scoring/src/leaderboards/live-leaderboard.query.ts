import type { BoardPeriod } from '@caravan/contracts/http/scores';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { leaderboardOf } from './leaderboard.ts';
import { LeaderboardQuery } from './leaderboard.query.ts';

/** Composes for open boards what `GET /api/leaderboard` would answer each of them now (ADR 0036). */
@Injectable()
export class LiveLeaderboard implements OnModuleInit {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(LeaderboardQuery) private readonly leaderboard: LeaderboardQuery,
  ) {}

  onModuleInit(): void {
    this.live.compose('board', (asked) => this.board(asked, 'all'));
    this.live.compose('board-week', (asked) => this.board(asked, 'week'));
  }

  private async board(asked: Asked, period: BoardPeriod): Promise<Composed<'board'>> {
    const { orgId, at, isForAll, wanted } = asked;
    const readers = isForAll ? asked.readers : [...wanted];
    const { stranger, standings, ask } = await this.leaderboard.readFor({ orgId, at, readers }, period);
    const { users, teams } = leaderboardOf(stranger);
    return {
      all: { users, teams },
      some: standings.map((own) => {
        const { userPosition, teamPosition, around } = leaderboardOf(own);
        return { to: [own.userId], data: { userPosition, teamPosition, around } };
      }),
      ask,
    };
  }
}
