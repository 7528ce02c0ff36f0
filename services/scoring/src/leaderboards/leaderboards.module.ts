import { Module } from '@nestjs/common';
import { LeaderboardController } from './leaderboard.controller.ts';
import { LeaderboardQuery } from './leaderboard.query.ts';

@Module({ controllers: [LeaderboardController], providers: [LeaderboardQuery] })
export class LeaderboardsModule {}
