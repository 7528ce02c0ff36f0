import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { KafkaBatchServer } from '@caravan/messaging/kafka-batch-server';
import { startTestService, type TestService } from '@caravan/service-kit/testing/service';
import { AppModule } from '../src/app.module.ts';
import { identityEnvSchema } from '../src/env.ts';

export type IdentityUnderTest = TestService<typeof identityEnvSchema>;

/**
 * Identity on a free port against the real servers of this run, with a database of its own.
 * @param consumes whether it reads from Kafka; suites that need no other service's facts start sooner without
 */
export function startIdentity(env: Record<string, string> = {}, consumes = false): Promise<IdentityUnderTest> {
  return startTestService({
    service: 'identity',
    schema: identityEnvSchema,
    module: (identityEnv) => AppModule.forRoot(identityEnv),
    ...(consumes && { strategy: KafkaBatchServer }),
    migrations: resolve(import.meta.dirname, '../prisma/migrations'),
    env: {
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      PUBLIC_URL: 'http://127.0.0.1:8080',
      PASSWORD_CHECK: 'off',
      ...env,
    },
  });
}
