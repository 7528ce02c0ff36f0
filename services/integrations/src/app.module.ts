import { AuthModule } from '@caravan/auth/auth.module';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import type { ServiceEnv } from '@caravan/service-kit/env';
import { ServiceKitModule } from '@caravan/service-kit/service-kit.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { DirectoryConsumer } from './accounts/directory.consumer.ts';
import { FitnessStatusController } from './accounts/fitness-status.controller.ts';
import { FitnessStatusQuery } from './accounts/fitness-status.query.ts';
import { MyDataController } from './my-data/my-data.controller.ts';

@Module({})
export class AppModule {
  static forRoot(env: ServiceEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [ServiceKitModule.forRoot(env), AuthModule.forRoot(env), MessagingModule.forRoot(env)],
      controllers: [DirectoryConsumer, FitnessStatusController, MyDataController],
      providers: [FitnessStatusQuery],
    };
  }
}
