import { AuthModule } from '@caravan/auth/auth.module';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import type { ServiceEnv } from '@caravan/service-kit/env';
import { ServiceKitModule } from '@caravan/service-kit/service-kit.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { DirectoryConsumer } from './directory/directory.consumer.ts';
import { FeedController } from './feed/feed.controller.ts';
import { FeedQuery } from './feed/feed.query.ts';
import { LiveFeed } from './feed/live-feed.query.ts';
import { PostMovementsConsumer } from './feed/post-movements.consumer.ts';
import { MyDataController } from './my-data/my-data.controller.ts';

@Module({})
export class AppModule {
  static forRoot(env: ServiceEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [ServiceKitModule.forRoot(env), AuthModule.forRoot(env), MessagingModule.forRoot(env)],
      controllers: [DirectoryConsumer, PostMovementsConsumer, FeedController, MyDataController],
      providers: [FeedQuery, LiveFeed],
    };
  }
}
