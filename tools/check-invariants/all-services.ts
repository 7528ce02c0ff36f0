import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { activityEnvSchema } from '@caravan/activity/env';
import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { createPool } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { startIdentity } from '@caravan/identity/testing/identity';
import { Visitor } from '@caravan/identity/testing/visitor';
import { integrationsEnvSchema } from '@caravan/integrations/env';
import { KafkaBatchServer } from '@caravan/messaging/consumer/kafka-batch-server';
import type { Kafka } from '@caravan/messaging/kafka/kafka-port';
import { KafkaClient } from '@caravan/messaging/kafka/kafka-client';
import { stateOf } from '@caravan/messaging/operator/state-metrics';
import { startTestService, type TestService } from '@caravan/service-kit/testing/service';
import { expect } from 'vitest';
import { modules } from './services.ts';

type Running = Pick<TestService, 'app' | 'env' | 'pool' | 'ownerUrl' | 'url' | 'close'>;
type Pool = ReturnType<typeof createPool>;
type Services = Readonly<Record<ServiceName, Running>>;
export type AllServices = Awaited<ReturnType<typeof startAllServices>>;

type Settings = Readonly<Record<string, string>>;
type SettingsOf = { readonly identity?: Settings; readonly integrations?: Settings };

const migrationsOf = (service: ServiceName): string =>
  resolve(import.meta.dirname, `../../services/${service}/prisma/migrations`);

async function startServices(settingsOf: SettingsOf) {
  const suite = randomBytes(4).toString('hex');
  const shared = { TOPIC_PREFIX: `t-${suite}.`, REDIS_PREFIX: `t:${suite}:` };
  const identity = await startIdentity({ ...shared, ...settingsOf.identity }, true);
  const { env, url } = identity;
  const known = {
    ...shared,
    IDENTITY_URL: url,
    JWKS_URL: `${url}/.well-known/jwks.json`,
    JWT_ISSUER: env.JWT_ISSUER,
    JWT_AUDIENCE: env.JWT_AUDIENCE,
    PUBLIC_URL: env.PUBLIC_URL,
  };
  const start = (service: Exclude<ServiceName, 'identity' | 'integrations'>) =>
    startTestService({
      service,
      // That of the others and more.
      schema: activityEnvSchema,
      module: (settings) => modules[service].forRoot(settings),
      migrations: migrationsOf(service),
      strategy: KafkaBatchServer,
      env: known,
    });
  const activity = await start('activity');
  const scoring = await start('scoring');
  const social = await start('social');
  const integrations = await startTestService({
    service: 'integrations',
    module: (settings) => modules.integrations.forRoot(settings),
    schema: integrationsEnvSchema,
    migrations: migrationsOf('integrations'),
    strategy: KafkaBatchServer,
    env: { ...known, PROVIDER_TOKEN_KEY: randomBytes(32).toString('base64'), ...settingsOf.integrations },
  });
  return { identity, activity, scoring, social, integrations };
}

/** The services as they run beside each other, in one process and without a gateway. */
export async function startAllServices(settingsOf: SettingsOf = {}) {
  const started = await startServices(settingsOf);
  const { identity } = started;
  const services: Services = started;
  const watching = Object.fromEntries(
    serviceNames.map((name) => [name, createPool(withApplicationName(services[name].env.DATABASE_URL), { max: 1 })]),
  ) as Record<ServiceName, Pool>;
  /** Asks another service as the same person. */
  const at = (service: ServiceName, { token }: Visitor): Visitor =>
    Object.assign(new Visitor(services[service].url), { token });
  return {
    services,
    identity,
    at,
    idle: () => idle(services, watching),
    /** Answers the log's id. */
    log: async (who: Visitor, body: object = {}): Promise<string> => {
      const sent = { durationMinutes: 30, activityType: 'Walking', ...body };
      const answer = await at('activity', who).post('/api/log', sent);
      expect(answer).toMatchObject({ status: 200 });
      const { movement, log: made, id } = answer.body as Record<string, { id?: string } & string>;
      return String(id ?? made?.id ?? movement?.id);
    },
    close: async () => {
      for (const pool of Object.values(watching)) await pool.end();
      for (const name of serviceNames.toReversed()) await services[name].close();
    },
  };
}

/** Who looks at a database, so that it is not taken for its service. */
export const watcher = 'watcher';
const withApplicationName = (databaseUrl: string): string => `${databaseUrl}?application_name=${watcher}`;

/** Until nothing waits: no fact for Kafka, and no message for a consumer. */
const idle = (services: Services, pools: Readonly<Record<ServiceName, Pool>>) =>
  eventually(async () => {
    for (const name of serviceNames) {
      const { app } = services[name];
      const pool = pools[name];
      const { groups } = app.get(KafkaBatchServer);
      const state = stateOf(pool, app.get<Kafka>(KafkaClient), () => groups);
      expect((await state.backlog()).rows).toBe(0);
      expect((await state.lag()).filter(({ messages }) => messages > 0)).toEqual([]);
      const parked = 'select consumer_group, type, position, error_code, error_message from msg.parked';
      expect((await pool.query(`${parked} order by parked_id limit 2`)).rows).toEqual([]);
    }
  });
