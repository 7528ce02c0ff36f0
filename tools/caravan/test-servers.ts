import { rmSync, writeFileSync } from 'node:fs';
import { inForeground } from './foreground.ts';
import { emptied, homeAt, homes, shared } from './paths.ts';
import type { Home } from './paths.ts';
import type { Family } from './processes.ts';
import { say } from './progress.ts';
import { secretsOf } from './secrets.ts';
import type { ObjectStore } from './s3.ts';
import { startServers } from './servers.ts';
import { bringJars, requireTools, toolsToRun } from './toolchain.ts';

/** What a suite needs to reach real servers; libs/service-kit/testing/servers.ts reads it. */
export type TestServers = { postgresAdmin: string; kafka: string[]; redis: string; s3: ObjectStore };

/** Starts servers on an empty folder: what earlier tests left is dropped. */
export async function startTestServers(family: Family, home: Home, isDurable: boolean): Promise<TestServers> {
  emptied(home);
  const { postgres, kafka, redis, s3 } = startServers(family, home, secretsOf(home), { isDurable });
  return { postgresAdmin: (await postgres).superuser, kafka: await kafka, redis: await redis, s3: await s3 };
}

/** Keeps servers for suites that are run alone running in the foreground. Returns the exit code. */
export async function testServers(isDurable: boolean): Promise<number> {
  const home = homeAt(homes.testServers);
  const exitCode = await inForeground(home, async (family) => {
    await requireTools(toolsToRun(), family.over);
    await bringJars(family.over);
    const servers = await startTestServers(family, home, isDurable);
    writeFileSync(shared.testServersFile, `${JSON.stringify(servers, null, 2)}\n`, { mode: 0o600 });
    say('Servers for tests are ready: `npx vitest run --project integration <path>`. Ctrl-C stops them.');
    return 'stay';
  });
  rmSync(shared.testServersFile, { force: true });
  return exitCode;
}
