import { Module } from '@nestjs/common';
import { FeedController } from './feed.controller.ts';
import { FeedQuery } from './feed.query.ts';
import { PostMovementWhenMovementLogged } from './post-movement-when-movement-logged.consumer.ts';

@Module({ controllers: [FeedController, PostMovementWhenMovementLogged], providers: [FeedQuery] })
export class FeedModule {}
