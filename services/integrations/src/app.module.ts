import { AuthModule } from '@caravan/auth/auth.module';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import type { ReadModel } from '@caravan/messaging/read-model';
import type { ServiceEnv } from '@caravan/service-kit/env';
import { ServiceKitModule } from '@caravan/service-kit/service-kit.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { DirectoryConsumer } from './accounts/directory.consumer.ts';
import { FitnessStatusController } from './accounts/fitness-status.controller.ts';
import { FitnessStatusQuery } from './accounts/fitness-status.query.ts';
import { MyDataController } from './my-data/my-data.controller.ts';

/** Consumers only delete here. */
export const readModels: readonly ReadModel[] = [];

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {
  provider_accounts: 'what members have agreed with a platform',
};

/** What an operator can make again; nothing is recorded here. */
export const rebuildable = { kinds: [], readModels };

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
