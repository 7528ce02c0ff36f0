import type { ServiceName } from '@caravan/contracts/events/topics';
import * as activityApp from '@caravan/activity/app.module';
import * as identityApp from '@caravan/identity/app.module';
import * as integrationsApp from '@caravan/integrations/app.module';
import * as scoringApp from '@caravan/scoring/app.module';
import * as socialApp from '@caravan/social/app.module';
import { type AdminCommandContext, runAdminCommand } from '@caravan/messaging/operator/admin-command';
import type { ReadModel } from '@caravan/messaging/consumer/read-model';

export const modules = {
  activity: activityApp.AppModule,
  identity: identityApp.AppModule,
  scoring: scoringApp.AppModule,
  social: socialApp.AppModule,
  integrations: integrationsApp.AppModule,
};

type Declared = {
  readonly rebuildable: Pick<AdminCommandContext, 'kinds' | 'readModels' | 'history'>;
  readonly readModels: readonly ReadModel[];
  readonly ownTables: Readonly<Record<string, string>>;
};
export const declared: Readonly<Record<ServiceName, Declared>> = {
  activity: activityApp,
  identity: identityApp,
  scoring: scoringApp,
  social: socialApp,
  integrations: integrationsApp,
};

/** An operator's command on a service: what its process would be told, with the environment that it would have. */
export type Command = { readonly service: ServiceName; readonly env: object; readonly args: readonly string[] };

export function run({ service, env, args }: Command, print: (line: string) => void): Promise<number | undefined> {
  const module = modules[service].forRoot(env as never);
  return runAdminCommand(
    args,
    { env: env as AdminCommandContext['env'], module, ...declared[service].rebuildable },
    print,
  );
}
