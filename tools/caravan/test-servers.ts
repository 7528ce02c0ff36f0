import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeAt, root } from './paths.ts';
import type { Home } from './paths.ts';
import type { Family } from './processes.ts';
import { secretsOf } from './secrets.ts';
import type { ObjectStore } from './s3.ts';
import { startServers } from './servers.ts';

/** What a suite needs to reach real servers; libs/service-kit/testing/servers.ts reads it. */
export type TestServers = { postgresAdmin: string; kafka: string[]; redis: string; s3: ObjectStore };

/** Where suites find servers that somebody keeps running while developing. */
export const testServersFile = join(root, '.caravan/test-servers.json');

/** Starts servers on an empty folder: what earlier tests left is dropped. */
export async function startTestServers(family: Family, home: Home, isDurable: boolean): Promise<TestServers> {
  for (const folder of [home.data, home.log]) rmSync(folder, { recursive: true, force: true });
  homeAt(home.folder);
  const { postgres, kafka, redis, s3 } = startServers(family, home, secretsOf(home), { isDurable });
  return { postgresAdmin: (await postgres).superuser, kafka: await kafka, redis: await redis, s3: await s3 };
}

/** Tells suites that are run alone where the servers are; readable by their owner alone. */
export function announce(servers: TestServers): void {
  writeFileSync(testServersFile, `${JSON.stringify(servers, null, 2)}\n`, { mode: 0o600 });
}
