import { resolve } from 'node:path';
import { randomBytes } from '@caravan/contracts/testing/seeded';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { KafkaBatchServer } from '@caravan/messaging/consumer/kafka-batch-server';
import { startTestService } from '@caravan/service-kit/testing/service';
import { AppModule } from '../src/app.module.ts';
import { identityEnvSchema } from '../src/env.ts';
import { Visitor } from './visitor.ts';

export type IdentityUnderTest = Awaited<ReturnType<typeof startIdentity>>;

/**
 * Identity on a free port against the real servers of this run, with a database of its own.
 * @param consumes whether it reads from Kafka; suites that need no other service's facts start sooner without
 */
export async function startIdentity(env: Readonly<Record<string, string>> = {}, consumes = false) {
  const service = await startTestService({
    service: 'identity',
    schema: identityEnvSchema,
    module: (identityEnv) => AppModule.forRoot(identityEnv),
    ...(consumes && { strategy: KafkaBatchServer }),
    migrations: resolve(import.meta.dirname, '../prisma/migrations'),
    env: {
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      PUBLIC_URL: 'http://127.0.0.1:8080',
      PASSWORD_CHECK: 'off',
      // Suites act for many people from one address; those about guessing say how often they may.
      FAILURES_PER_ADDRESS: '100000',
      ADDRESS_PROBES_PER_HOUR: '100000',
      // Nobody answers there; suites about mail and exports say who does.
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'Caravan <caravan@caravan.test>',
      ...Object.fromEntries(
        ['ACTIVITY_URL', 'SCORING_URL', 'SOCIAL_URL', 'INTEGRATIONS_URL'].map((name) => [name, 'http://127.0.0.1:9']),
      ),
      ...env,
    },
  });
  return {
    ...service,
    /** Somebody at a browser that has never been here. */
    visitor: () => new Visitor(service.url),
    /** Rows of any organisation, and changes that no request could make. */
    rows: async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      (await withSystem(service.pool, (tx) => tx.query<Row>(sql, values))).rows,
    /** Opens every connection of the pool: a race on one connection is none. */
    warm: async () => {
      await Promise.all(Array.from({ length: 10 }, () => service.pool.query('select pg_sleep(0.1)')));
    },
    async signedIn(fields: object = {}): Promise<Visitor> {
      const visitor = new Visitor(service.url);
      const { status, body } = await visitor.signUp(fields);
      if (status !== 200) throw new Error(`Signing up answered ${status} ${JSON.stringify(body)}`);
      return visitor;
    },
  };
}
