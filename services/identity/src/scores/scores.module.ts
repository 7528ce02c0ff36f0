import { Module } from '@nestjs/common';
import { KeepScoresWhenMilesCredited } from './keep-scores-when-miles-credited.consumer.ts';

@Module({ controllers: [KeepScoresWhenMilesCredited] })
export class ScoresModule {}
