import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

const testServersShape = z.object({
  /** A role that may create databases and roles. */
  postgresAdmin: z.string(),
  kafka: z.array(z.string()).min(1),
  redis: z.string(),
  s3: z.object({
    endpoint: z.string(),
    bucket: z.string(),
    region: z.string(),
    accessKey: z.string(),
    secretKey: z.string(),
  }),
});

/** Real servers for tests; several suites use them at once, each under names of its own. */
export type TestServers = z.infer<typeof testServersShape>;

const kept = resolve(import.meta.dirname, '../../../.caravan/test-servers.json');

/**
 * Where the real PostgreSQL, Kafka, Redis and S3 of this test run are: the ones that `./caravan test` started, else the
 * ones that `./caravan test-servers` keeps running. Throws when there are none.
 */
export function testServers(): TestServers {
  const given = process.env['CARAVAN_TEST_SERVERS'] ?? (existsSync(kept) ? readFileSync(kept, 'utf8') : undefined);
  if (given === undefined) throw new Error('No servers to test against: run `./caravan test-servers` beside this.');
  return testServersShape.parse(JSON.parse(given));
}
