import { Module } from '@nestjs/common';
import { CorrectPostWhenMovementCorrected } from './correct-post-when-movement-corrected.consumer.ts';
import { FeedController } from './feed.controller.ts';
import { FeedQuery } from './feed.query.ts';
import { LiveFeed } from './live-feed.query.ts';
import { PostMovementWhenMovementLogged } from './post-movement-when-movement-logged.consumer.ts';
import { TakePostDownWhenMovementRemoved } from './take-post-down-when-movement-removed.consumer.ts';

@Module({
  controllers: [
    FeedController,
    CorrectPostWhenMovementCorrected,
    PostMovementWhenMovementLogged,
    TakePostDownWhenMovementRemoved,
  ],
  providers: [FeedQuery, LiveFeed],
})
export class FeedModule {}
