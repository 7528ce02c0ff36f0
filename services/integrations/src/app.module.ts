import { AuthModule } from '@caravan/auth/auth.module';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import type { ReadModel } from '@caravan/messaging/read-model';
import { ServiceKitModule } from '@caravan/service-kit/service-kit.module';
import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { AccountEndings } from './accounts/account-endings.store.ts';
import { DirectoryConsumer } from './accounts/directory.consumer.ts';
import { keepTokens, KeepTokens } from './accounts/keep-tokens.job.ts';
import { RenewedTokens } from './accounts/renewed-tokens.service.ts';
import { Revocations, revokeTokens } from './accounts/revoke-tokens.job.ts';
import { TokenKeys } from './accounts/token-keys.service.ts';
import { AccountsStore } from './connecting/accounts.store.ts';
import { ConnectAttempts } from './connecting/connect-attempts.store.ts';
import { ConnectingController, OwnAccountsController } from './connecting/connecting.controller.ts';
import { Connecting } from './connecting/connecting.service.ts';
import { Disconnecting } from './connecting/disconnecting.service.ts';
import { OwnAccounts } from './connecting/own-accounts.query.ts';
import type { IntegrationsEnv } from './env.ts';
import { MyDataController } from './my-data/my-data.controller.ts';
import { AccountTokens, Imports } from './ports.ts';
import { Providers } from './providers/index.ts';
import { Rows } from './rows/index.ts';

/** Consumers only delete here. */
export const readModels: readonly ReadModel[] = [];

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {
  provider_accounts: 'what members have agreed with a platform',
  connect_attempts: 'connections under way, for ten minutes',
};

/** What an operator can make again; nothing is recorded here. */
export const rebuildable = { kinds: [], readModels };

/** Until there is a room that imports. */
const nothingImported: Imports = {
  begin: () => Promise.resolve(),
  rescore: () => Promise.resolve(),
  retractAll: () => Promise.resolve(0),
  figuresOf: () => Promise.resolve({ importCount: 0, backfill: null }),
};

type Room = { readonly controllers: readonly Type[]; readonly providers: readonly Provider[] };

/** In their order (tools/house/rooms.ts). */
const foundations: Room = { controllers: [], providers: [Rows, Providers] };
const accounts: Room = {
  controllers: [DirectoryConsumer],
  providers: [
    ...[TokenKeys, AccountEndings, RenewedTokens, Revocations, KeepTokens],
    { provide: AccountTokens, useExisting: RenewedTokens },
    { provide: Imports, useValue: nothingImported },
  ],
};
const connecting: Room = {
  // The paths of words go before those of any platform.
  controllers: [OwnAccountsController, ConnectingController],
  providers: [ConnectAttempts, AccountsStore, Connecting, Disconnecting, OwnAccounts],
};
const myData: Room = { controllers: [MyDataController], providers: [] };
const rooms = [foundations, accounts, connecting, myData];

@Module({})
export class AppModule {
  static forRoot(env: IntegrationsEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ServiceKitModule.forRoot(env, { jobs: [keepTokens, revokeTokens] }),
        AuthModule.forRoot(env),
        MessagingModule.forRoot(env),
      ],
      controllers: rooms.flatMap(({ controllers }) => [...controllers]),
      providers: rooms.flatMap(({ providers }) => [...providers]),
    };
  }
}
