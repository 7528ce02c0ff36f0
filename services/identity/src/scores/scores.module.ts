import { Module } from '@nestjs/common';
import { KeepBadgesWhenBadgeEarned } from './keep-badges-when-badge-earned.consumer.ts';
import { KeepScoresWhenMilesCredited } from './keep-scores-when-miles-credited.consumer.ts';

@Module({ controllers: [KeepBadgesWhenBadgeEarned, KeepScoresWhenMilesCredited] })
export class ScoresModule {}
