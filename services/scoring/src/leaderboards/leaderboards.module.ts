import { Module } from '@nestjs/common';
import { LeaderboardController } from './leaderboard.controller.ts';
import { LeaderboardQuery } from './leaderboard.query.ts';
import { LiveLeaderboard } from './live-leaderboard.query.ts';

@Module({ controllers: [LeaderboardController], providers: [LeaderboardQuery, LiveLeaderboard] })
export class LeaderboardsModule {}
