import { AuthModule } from '@caravan/auth/auth.module';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import type { ServiceEnv } from '@caravan/service-kit/env';
import { ServiceKitModule } from '@caravan/service-kit/service-kit.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { BonusWindowConsumer } from './bonus-window/bonus-window.consumer.ts';
import { DirectoryConsumer } from './directory/directory.consumer.ts';
import { FrequentActivitiesController } from './frequent-activities/frequent-activities.controller.ts';
import { FrequentActivities } from './frequent-activities/frequent-activities.store.ts';
import { MovementController } from './logging/movement.controller.ts';
import { movementStream } from './logging/movement.service.ts';
import { OwnLogsController } from './logging/own-logs.controller.ts';
import { OwnLogsQuery } from './logging/own-logs.query.ts';
import { MyDataController } from './my-data/my-data.controller.ts';

/** Everything that this service records: what a rebuild reads. */
export const streamKinds = [movementStream];

@Module({})
export class AppModule {
  static forRoot(env: ServiceEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [ServiceKitModule.forRoot(env), AuthModule.forRoot(env), MessagingModule.forRoot(env)],
      controllers: [
        DirectoryConsumer,
        BonusWindowConsumer,
        ...[MovementController, OwnLogsController],
        FrequentActivitiesController,
        MyDataController,
      ],
      providers: [OwnLogsQuery, FrequentActivities],
    };
  }
}
