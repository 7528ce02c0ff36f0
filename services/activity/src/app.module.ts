import { AuthModule } from '@caravan/auth/auth.module';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import type { ServiceEnv } from '@caravan/service-kit/env';
import { ServiceKitModule } from '@caravan/service-kit/service-kit.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { BonusWindowModule } from './bonus-window/bonus-window.module.ts';
import { FrequentActivitiesModule } from './frequent-activities/frequent-activities.module.ts';
import { LoggingModule } from './logging/logging.module.ts';
import { MembersModule } from './members/members.module.ts';
import { MyDataModule } from './my-data/my-data.module.ts';
import { OwnLogsModule } from './own-logs/own-logs.module.ts';

@Module({})
export class AppModule {
  static forRoot(env: ServiceEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ServiceKitModule.forRoot(env),
        AuthModule.forRoot(env),
        MessagingModule.forRoot(env),
        BonusWindowModule,
        FrequentActivitiesModule,
        LoggingModule,
        MembersModule,
        MyDataModule,
        OwnLogsModule,
      ],
    };
  }
}
