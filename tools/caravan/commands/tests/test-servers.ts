import { rmSync, writeFileSync } from 'node:fs';
import { inForeground } from '../../process/foreground.ts';
import { emptyInstanceDir, type InstanceDir, instanceDirAt, instanceDirs, shared } from '../../process/paths.ts';
import type { Supervisor } from '../../process/supervisor.ts';
import { print } from '../../process/terminal.ts';
import { secretsOf } from '../../servers/instance-files.ts';
import { startServers, type TestServers } from '../../servers/servers.ts';
import { downloadJars, requireTools, toolsToRun } from '../../build/toolchain.ts';

export async function startTestServers(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  isDurable: boolean,
): Promise<TestServers> {
  emptyInstanceDir(instanceDir);
  const { postgres, kafka, redis, s3 } = startServers(supervisor, instanceDir, secretsOf(instanceDir), { isDurable });
  return { postgresAdmin: (await postgres).superuser, kafka: await kafka, redis: await redis, s3: await s3 };
}

type Wanted = { isDurable: boolean; inContainers: boolean };

/** The processes of this machine, or with `inContainers` containers of an engine. */
export async function startWantedServers(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  { isDurable, inContainers }: Wanted,
): Promise<TestServers> {
  if (!inContainers) return startTestServers(supervisor, instanceDir, isDurable);
  const { startServersInContainers } = await import('../../containers/servers.ts');
  return startServersInContainers(supervisor, emptyInstanceDir(instanceDir), isDurable);
}

export async function testServers(wanted: Wanted): Promise<number> {
  const instanceDir = instanceDirAt(instanceDirs.testServers);
  const exitCode = await inForeground(instanceDir, async (supervisor) => {
    await requireTools(toolsToRun(), supervisor.signal);
    await downloadJars(supervisor.signal);
    const servers = await startWantedServers(supervisor, instanceDir, wanted);
    writeFileSync(shared.testServersFile, `${JSON.stringify(servers, null, 2)}\n`, { mode: 0o600 });
    print('Servers for tests are ready: `npx vitest run --project integration <path>`. Ctrl-C stops them.');
    return 'stay';
  });
  rmSync(shared.testServersFile, { force: true });
  return exitCode;
}
