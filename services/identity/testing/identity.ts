import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { startTestService, type TestService } from '@caravan/service-kit/testing/service';
import { AppModule } from '../src/app.module.ts';
import { identityEnvSchema } from '../src/env.ts';

/** Identity on a free port against the real servers of this run, with a database of its own. */
export function startIdentity(env: Record<string, string> = {}): Promise<TestService<typeof identityEnvSchema>> {
  return startTestService({
    service: 'identity',
    schema: identityEnvSchema,
    module: (identityEnv) => AppModule.forRoot(identityEnv),
    migrations: resolve(import.meta.dirname, '../prisma/migrations'),
    env: { KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'), PUBLIC_URL: 'http://127.0.0.1:8080', ...env },
  });
}
