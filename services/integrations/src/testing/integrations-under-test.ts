import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { startIdentityDouble, type TestPerson } from '@caravan/auth/testing/identity-double';
import type { FitnessAccount, FitnessProvider } from '@caravan/contracts/http/fitness';
import { withSystem, withTenant } from '@caravan/event-store/postgres/connections';
import { KafkaBatchServer } from '@caravan/messaging/consumer/kafka-batch-server';
import { apiClient } from '@caravan/service-kit/testing/api-client';
import { asPeer } from '@caravan/service-kit/testing/peer';
import { startTestService } from '@caravan/service-kit/testing/service';
import type { DynamicModule } from '@nestjs/common';
import { Revocations } from '../accounts/index.ts';
import { AppModule } from '../app.module.ts';
import { type IntegrationsEnv, integrationsEnvSchema } from '../env.ts';
import { Imports } from '../ports.ts';
import { Providers } from '../providers/index.ts';
import { ImportsDouble } from './imports-double.ts';
import { PlatformDouble } from './platform-double.ts';
import { startPlatforms } from './platforms.ts';

export const testTokenKey = Buffer.alloc(32, 7).toString('base64');

export type IntegrationsUnderTest = Awaited<ReturnType<typeof startIntegrations>>;

/** No platform is set up by it. */
const integrationsEnv = { PROVIDER_TOKEN_KEY: testTokenKey };

/** The service on real servers; platforms and the room that imports are played by the test. */
export async function startIntegrations(variables: Readonly<Record<string, string>> = {}) {
  const identity = await startIdentityDouble();
  const platforms = { strava: new PlatformDouble('strava'), fitbit: new PlatformDouble('fitbit') };
  const imports = new ImportsDouble();
  const module = (env: IntegrationsEnv): DynamicModule => {
    const product = AppModule.forRoot(env);
    const doubles = [
      { provide: Providers, useValue: { of: (name: FitnessProvider) => platforms[name] } },
      { provide: Imports, useValue: imports },
    ];
    return { ...product, providers: [...(product.providers ?? []), ...doubles] };
  };
  const service = await startTestService({
    service: 'integrations',
    module,
    schema: integrationsEnvSchema,
    migrations: resolve(import.meta.dirname, '../../prisma/migrations'),
    strategy: KafkaBatchServer,
    env: { ...identity.env, ...integrationsEnv, ...variables },
  });
  const as = async (person: TestPerson, sid?: string) =>
    apiClient(service.url, await identity.tokenFor(person, sid === undefined ? {} : { sid }));

  return {
    ...service,
    platforms,
    imports,
    as,
    nobody: apiClient(service.url),
    endSession: identity.endSession,
    /** What waits for another attempt makes it now. */
    retryRevocations: async () => {
      await withSystem(service.pool, (tx) => tx.query('update pending_revocations set due_at = now()'));
      await service.app.get<Revocations>(Revocations).sweepDue();
    },
    someone: (): TestPerson => ({ userId: randomUUID(), orgId: randomUUID() }),
    rows: async <Row extends object>(orgId: string, sql: string, ...values: unknown[]) =>
      (await withTenant(service.pool, orgId, (tx) => tx.query<Row>(sql, [orgId, ...values]))).rows,
    accountOf: async (person: TestPerson, provider: FitnessProvider) => {
      const { body } = await (await as(person)).get<FitnessAccount[]>('/api/fitness/accounts');
      return body.find((account) => account.provider === provider);
    },
    /** As a browser: what was set as cookie comes back, and redirects are looked at, not followed. */
    begin: async (person: TestPerson, provider: FitnessProvider, query = '', sid?: string) => {
      const { status, body, headers } = await (
        await as(person, sid)
      ).get<{ authUrl: string }>(`/api/fitness/${provider}/auth${query}`);
      const cookie = headers.get('set-cookie') ?? '';
      return { status, body, setCookie: cookie, cookie: cookie.split(';')[0] ?? '', authUrl: body.authUrl };
    },
    comeBack: async (provider: FitnessProvider, query: Readonly<Record<string, string>>, cookie?: string) => {
      const path = `/api/fitness/${provider}/callback?${new URLSearchParams(query).toString()}`;
      const answer = await fetch(`${service.url}${path}`, {
        redirect: 'manual',
        headers: { ...asPeer, ...(cookie !== undefined && { cookie }) },
      });
      return { status: answer.status, location: answer.headers.get('location'), headers: answer.headers };
    },
    /** All of it, as a person does who says yes. */
    async connect(person: TestPerson, provider: FitnessProvider, query = '', providerUserId?: string) {
      const { authUrl, cookie } = await this.begin(person, provider, query);
      const { code } = platforms[provider].allow(authUrl, providerUserId);
      return this.comeBack(provider, { state: stateIn(authUrl), code, scope: 'activity:read' }, cookie);
    },
    close: async () => {
      await service.close();
      await identity.close();
    },
  };
}

/** The service on real servers, which asks both platforms as simulators play them. */
export async function startWithSimulators(options: Parameters<typeof startPlatforms>[0] = {}) {
  const [identity, platforms] = await Promise.all([startIdentityDouble(), startPlatforms(options)]);
  const service = await startTestService({
    service: 'integrations',
    module: (env) => AppModule.forRoot(env),
    schema: integrationsEnvSchema,
    migrations: resolve(import.meta.dirname, '../../prisma/migrations'),
    strategy: KafkaBatchServer,
    env: { ...identity.env, ...integrationsEnv, ...platforms.env },
  });
  return {
    ...service,
    platforms,
    as: async (person: TestPerson) => apiClient(service.url, await identity.tokenFor(person)),
    close: async () => {
      await service.close();
      await platforms.close();
      await identity.close();
    },
  };
}

export const stateIn = (authUrl: string): string => new URL(authUrl).searchParams.get('state') ?? '';
