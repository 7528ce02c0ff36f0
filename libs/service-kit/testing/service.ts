import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { ServiceName } from '@caravan/contracts/events/topics';
import type { DynamicModule, Type } from '@nestjs/common';
import type { z } from 'zod';
import { type Env, parseEnv, serviceEnvSchema } from '../process/env.ts';
import { createObjectStorage, objectSettingsOf } from '../storage/objects.ts';
import { Pool } from '../storage/pool.ts';
import { boot, type RunningService, type StartOptions } from '../http/start.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { testCredential } from './peer.ts';
import { testServers } from './servers.ts';

/** The key by which services under test sign photos' addresses. */
export const testPhotoKey = 'key-of-photos-of-services-under-test';

const libraries = resolve(import.meta.dirname, '../..');

export type TestServiceOptions<Schema extends z.ZodType<Env>> = {
  readonly service: ServiceName;
  readonly module: (env: z.infer<Schema>) => DynamicModule | Type;
  /** The service's own schema; the common one unless said otherwise. */
  readonly schema?: Schema;
  /** The service's Prisma migrations, applied after those of the libraries. */
  readonly migrations?: string;
  readonly strategy?: StartOptions['strategy'];
  /** Variables that differ from the usual ones of a test. */
  readonly env?: Readonly<Record<string, string>> | ((usual: Record<string, string>) => Record<string, string>);
};

/** A running service with a database, topics and Redis keys of its own. */
export type TestService<Schema extends z.ZodType<Env> = z.ZodType<Env>> = RunningService & {
  readonly env: z.infer<Schema>;
  readonly pool: Pool;
  /** For arranging and checking what the runtime role may not touch. */
  readonly ownerUrl: string;
};

/** Boots a service on a free port against the real servers of this run; `close` ends it and drops its database. */
export async function startTestService<Schema extends z.ZodType<Env> = typeof serviceEnvSchema>(
  options: TestServiceOptions<Schema>,
): Promise<TestService<Schema>> {
  const database = await createTestDatabase({
    folders: [
      `${libraries}/event-store/migrations`,
      `${libraries}/messaging/migrations`,
      ...(options.migrations === undefined ? [] : [options.migrations]),
    ],
  });
  try {
    const schema = (options.schema ?? serviceEnvSchema) as Schema;
    const usual = testEnv(options.service, database.url);
    const differing = typeof options.env === 'function' ? options.env(usual) : options.env;
    const env = parseEnv(schema, { ...usual, ...differing });
    await createObjectStorage(objectSettingsOf(env)).ensureBucket();
    const service = await boot({
      name: options.service,
      env,
      module: options.module(env),
      ...(options.strategy !== undefined && { strategy: options.strategy }),
    });
    let closing: Promise<void> | undefined;
    return {
      ...service,
      env,
      pool: service.app.get<Pool>(Pool),
      ownerUrl: database.ownerUrl,
      close: () => (closing ??= closeAndDrop(service, database)),
    };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

async function closeAndDrop(service: RunningService, database: TestDatabase): Promise<void> {
  try {
    await service.close();
  } finally {
    await database.drop();
  }
}

/** The variables of a service under test; nobody answers at identity's address unless the test says where it is. */
export function testEnv(service: ServiceName, databaseUrl: string): Record<string, string> {
  const { kafka, redis, s3 } = testServers();
  const suite = randomBytes(5).toString('hex');
  return {
    PORT: '0',
    SERVICE_NAME: service,
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    KAFKA_BROKERS: kafka.join(','),
    TOPIC_PREFIX: `t-${suite}.`,
    // Enough to go side by side; those of all suites live in one broker.
    TOPIC_PARTITIONS_MAX: '3',
    // A busy machine may take longer than anybody should wait.
    DATABASE_WAIT_MILLISECONDS: '20000',
    READ_WAIT_MILLISECONDS: '20000',
    REDIS_URL: redis,
    REDIS_PREFIX: `t:${suite}:`,
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: s3.bucket,
    S3_REGION: s3.region,
    S3_ACCESS_KEY: s3.accessKey,
    S3_SECRET_KEY: s3.secretKey,
    JWT_ISSUER: 'https://caravan.test',
    JWT_AUDIENCE: 'caravan',
    JWKS_URL: 'http://127.0.0.1:9/.well-known/jwks.json',
    IDENTITY_URL: 'http://127.0.0.1:9',
    SERVICE_CREDENTIAL: testCredential,
    PHOTO_ADDRESS_KEY: testPhotoKey,
    CURSOR_KEY: 'key-of-cursors-of-services-under-test',
    PUBLIC_URL: 'https://caravan.test',
  };
}
