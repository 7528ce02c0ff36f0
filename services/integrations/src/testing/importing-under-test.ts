import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { startIdentityDouble } from '@caravan/auth/testing/identity-double';
import type { FitnessProvider } from '@caravan/contracts/http/fitness';
import { workoutImported, workoutRetracted } from '@caravan/contracts/events/integrations.events';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres/connections';
import { KafkaBatchServer } from '@caravan/messaging/consumer/kafka-batch-server';
import { listenTo } from '@caravan/messaging/testing/listener';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import { apiClient } from '@caravan/service-kit/testing/api-client';
import { startTestService } from '@caravan/service-kit/testing/service';
import { AppModule } from '../app.module.ts';
import { integrationsEnvSchema, type IntegrationsEnv } from '../env.ts';
import { type AccountName, AccountTokens } from '../ports.ts';
import { ProviderFailure, Providers } from '../providers/index.ts';
import { RecordingPlatform, stravaSecret } from './recording-platform.ts';

export type Member = { readonly orgId: string; readonly userId: string };
export type ImportingUnderTest = Awaited<ReturnType<typeof startImporting>>;

/** Gives the id of an account as its token, and says what was asked of accounts. */
class TokensDouble implements AccountTokens {
  readonly ids = new Map<string, string>();
  readonly refusals: string[] = [];
  end: (account: AccountName) => Promise<void> = () => Promise.resolve();

  static nameOf = ({ userId, provider }: AccountName) => `${provider} ${userId}`;

  accessTokenOf(account: AccountName): Promise<string> {
    const name = TokensDouble.nameOf(account);
    const id = this.ids.get(name);
    if (id === undefined || this.refusals.filter((one) => one === name).length > 1)
      return Promise.reject(new ProviderFailure('reconnect', 'there is no token'));
    return Promise.resolve(id);
  }
  handleRefusal(account: AccountName): Promise<void> {
    this.refusals.push(TokensDouble.nameOf(account));
    return Promise.resolve();
  }
  async handleRevocation(account: AccountName): Promise<void> {
    this.ids.delete(TokensDouble.nameOf(account));
    await this.end(account);
  }
}

/** The service on real servers, with platforms and the tokens of accounts played by the test. */
export async function startImporting() {
  const identity = await startIdentityDouble();
  const platforms = { strava: new RecordingPlatform('strava'), fitbit: new RecordingPlatform('fitbit') };
  const tokens = new TokensDouble();
  const played = [
    {
      provide: Providers,
      useValue: { of: (name: FitnessProvider) => platforms[name], legacyFitbit: platforms.fitbit },
    },
    { provide: AccountTokens, useValue: tokens },
  ];
  const moduleOf = (env: IntegrationsEnv) => {
    const module = AppModule.forRoot(env);
    return { ...module, providers: [...(module.providers ?? []), ...played] };
  };
  const service = await startTestService({
    service: 'integrations',
    schema: integrationsEnvSchema,
    module: moduleOf,
    migrations: resolve(import.meta.dirname, '../../prisma/migrations'),
    strategy: KafkaBatchServer,
    env: {
      ...identity.env,
      PROVIDER_TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'),
      STRAVA_WEBHOOK_SECRET: stravaSecret,
      GOOGLE_HEALTH_WEBHOOK_SECRET: googleSecret,
      FITBIT_VERIFY_CODE: 'as-agreed',
    },
  });
  const [peer, listener] = await Promise.all([
    startPeerService('identity', service.env),
    listenTo('integrations', service.env),
  ]);
  const rows = async <Row extends object>(orgId: string, sql: string, ...values: unknown[]) =>
    (await tenantQuery<Row>(service.pool, orgId, sql, [orgId, ...values])).rows;
  tokens.end = async ({ orgId, userId, provider }) => {
    await withTenant(service.pool, orgId, (tx) =>
      tx.query('delete from provider_accounts where (org_id, user_id, provider) = ($1, $2, $3)', [
        orgId,
        userId,
        provider,
      ]),
    );
  };

  return {
    ...service,
    ...platforms,
    moduleOf,
    tokens,
    rows,
    peer,
    as: async (member: Member) => apiClient(service.url, await identity.tokenFor(member)),
    nobody: apiClient(service.url),
    member: (): Member => ({ orgId: randomUUID(), userId: randomUUID() }),
    /** Answers the id there. */
    connect: async (
      { orgId, userId }: Member,
      provider: FitnessProvider,
      { isScored = true, connectedAt = new Date() }: { isScored?: boolean; connectedAt?: Date } = {},
    ): Promise<string> => {
      const id = randomUUID();
      tokens.ids.set(TokensDouble.nameOf({ orgId, userId, provider }), id);
      await withTenant(service.pool, orgId, (tx) =>
        tx.query(
          `insert into provider_accounts (org_id, user_id, provider, provider_user_id, connected_at, state, is_scored,
             access_token_sealed, refresh_token_sealed, token_key_id, expires_at)
           values ($1, $2, $3, $4, $5, 'connected', $6, '', '', 'none', now() + interval '1 day')`,
          [orgId, userId, provider, id, connectedAt, isScored],
        ),
      );
      return id;
    },
    refuseTokens: ({ orgId }: Member) =>
      withTenant(service.pool, orgId, (tx) =>
        tx.query(`update provider_accounts set state = 'reconnect' where org_id = $1`, [orgId]),
      ),
    /** As when the time has come that notices of an organisation wait for. */
    hurry: ({ orgId }: Member) =>
      withTenant(service.pool, orgId, (tx) =>
        tx.query('update webhook_inbox set due_at = now(), leased_until = null where org_id = $1', [orgId]),
      ),
    /** What others make of all that they were told of an organisation: log by log, and whether any was told twice. */
    publishedOf: (orgId: string) => {
      const logs = new Map<string, ReturnType<typeof workoutImported.data.parse>>();
      // Who was interrupted between sending and noting it sends again: like consumers, this takes a message once.
      const once = new Map(listener.heard.filter((one) => one.orgId === orgId).map((one) => [one.id, one]));
      const all = [...once.values()];
      const isOfWorkout = ({ type }: { type: string }) =>
        type === workoutImported.type || type === workoutRetracted.type;
      const facts = all.filter(isOfWorkout);
      for (const { type, data } of facts) {
        if (type === workoutRetracted.type) logs.delete(workoutRetracted.data.parse(data).logId);
        else {
          const one = workoutImported.data.parse(data);
          logs.set(one.logId, one);
        }
      }
      return { facts, logs: [...logs.values()], others: all.filter((one) => !isOfWorkout(one)) };
    },
    close: async () => {
      await Promise.all([peer.close(), listener.close()]);
      await service.close();
      await identity.close();
    },
  };
}

export const googleSecret = 'what-google-shows-under-test-000000';
