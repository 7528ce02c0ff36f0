import { AuthModule } from '@caravan/auth/auth.module';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import type { ReadModel } from '@caravan/messaging/consumer/read-model';
import { ServiceKitModule } from '@caravan/service-kit/http/service-kit.module';
import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { AccountEndings } from './accounts/account-endings.service.ts';
import { DirectoryConsumer } from './accounts/directory.consumer.ts';
import { refreshTokens, RefreshTokens } from './accounts/refresh-tokens.job.ts';
import { RenewedTokens } from './accounts/renewed-tokens.service.ts';
import { Revocations, sweepRevocations } from './accounts/revocations.job.ts';
import { TokenKeys } from './accounts/token-keys.service.ts';
import { ConnectedAccounts } from './connecting/connected-accounts.service.ts';
import { ConnectAttempts } from './connecting/connect-attempts.service.ts';
import { ConnectingController, OwnAccountsController } from './connecting/connecting.controller.ts';
import { Connecting } from './connecting/connecting.service.ts';
import { Disconnecting } from './connecting/disconnecting.service.ts';
import type { IntegrationsEnv } from './env.ts';
import { DeleteImportsConsumer } from './importing/delete-imports.consumer.ts';
import { ProjectLogsConsumer, ownLogs } from './importing/project-logs.consumer.ts';
import { ImportsService } from './importing/index.ts';
import { MyDataController } from './my-data/my-data.controller.ts';
import { AccountTokens, Imports } from './ports.ts';
import { Providers } from './providers/index.ts';
import { Rows } from './rows/index.ts';
import { AccountImports } from './syncing/account-imports.service.ts';
import { AskedSyncs } from './syncing/asked-syncs.service.ts';
import { PlatformReads, Runs, Syncing } from './syncing/index.ts';
import { MissedDeliveries } from './outages/missed-deliveries.service.ts';
import { pausedMembers, PauseMembersConsumer } from './syncing/pause-members.consumer.ts';
import { SyncController } from './syncing/sync.controller.ts';
import { SyncFigures } from './syncing/sync-figures.service.ts';
import { purgeImports, sweepSyncs, syncAccount, Syncs } from './syncing/syncs.job.ts';
import { Deliveries } from './webhooks/deliveries.service.ts';
import { EndedAccounts } from './webhooks/ended-accounts.service.ts';
import { InboxFigures } from './webhooks/inbox-figures.service.ts';
import { NoticeJobs, handleWebhookNotices, sweepNotices } from './webhooks/notices.job.ts';
import { Notices } from './webhooks/notices.service.ts';
import { WebhooksController } from './webhooks/webhooks.controller.ts';

/** The tables that consumers write and that can be rebuilt. */
export const readModels: readonly ReadModel[] = [pausedMembers, ownLogs];

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {
  provider_accounts: 'what members have agreed with a platform',
  pending_revocations: 'permissions that members have ended, until their platform has revoked them',
  delivery_watch: 'until when deliveries could be received',
  connect_attempts: 'connections under way, for ten minutes',
  imported_workouts: 'what platforms told, and what was told of it',
  sync_runs: 'when something was fetched, and what came of it',
  webhook_inbox: 'what platforms told and is still to be asked for',
};

/** The read models that an operator can rebuild; this service records no events. */
export const rebuildable = { kinds: [], readModels };

type Room = { readonly controllers: readonly Type[]; readonly providers: readonly Provider[] };

/** In their order (tools/house/rooms.ts). */
const foundations: Room = { controllers: [], providers: [Rows, Providers] };
const accounts: Room = {
  controllers: [DirectoryConsumer],
  providers: [
    TokenKeys,
    AccountEndings,
    RenewedTokens,
    Revocations,
    RefreshTokens,
    { provide: AccountTokens, useExisting: RenewedTokens },
  ],
};
const importing: Room = { controllers: [DeleteImportsConsumer, ProjectLogsConsumer], providers: [ImportsService] };
const syncing: Room = {
  controllers: [SyncController, PauseMembersConsumer],
  providers: [
    PlatformReads,
    Runs,
    Syncing,
    Syncs,
    AskedSyncs,
    AccountImports,
    SyncFigures,
    MissedDeliveries,
    { provide: Imports, useExisting: AccountImports },
  ],
};
const webhooks: Room = {
  controllers: [WebhooksController],
  providers: [Deliveries, EndedAccounts, Notices, NoticeJobs, InboxFigures],
};
const connecting: Room = {
  // The paths of words go before those of any platform.
  controllers: [OwnAccountsController, ConnectingController],
  providers: [ConnectAttempts, ConnectedAccounts, Connecting, Disconnecting],
};
const myData: Room = { controllers: [MyDataController], providers: [] };
const rooms = [foundations, accounts, importing, syncing, webhooks, connecting, myData];
const jobs = [
  refreshTokens,
  sweepRevocations,
  syncAccount,
  sweepSyncs,
  purgeImports,
  handleWebhookNotices,
  sweepNotices,
];

@Module({})
export class AppModule {
  static forRoot(env: IntegrationsEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [ServiceKitModule.forRoot(env, { jobs }), AuthModule.forRoot(env), MessagingModule.forRoot(env)],
      controllers: rooms.flatMap(({ controllers }) => [...controllers]),
      providers: rooms.flatMap(({ providers }) => [...providers]),
    };
  }
}
