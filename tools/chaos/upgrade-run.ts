import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildProduct } from '@caravan/caravan/build/build';
import { inForeground } from '@caravan/caravan/process/foreground';
import { instanceDirAt, instanceDirs } from '@caravan/caravan/process/paths';
import { print, step } from '@caravan/caravan/process/terminal';
import { downloadJars, requireTools, toolsToRun } from '@caravan/caravan/build/toolchain';
import { Cluster, prepare, processNames } from './cluster.ts';
import { previousRelease, thisRelease } from './release.ts';
import { type Rollout, upgradeDrill } from './upgrade.ts';

/** On an empty folder of its own; `ref`: the release that ran before this one. Returns the exit code. */
export async function upgradeFrom(ref: string | undefined): Promise<number> {
  const instanceDir = instanceDirAt(join(instanceDirs.up, 'upgrade'));
  rmSync(instanceDir.data, { recursive: true, force: true });
  instanceDirAt(instanceDir.folder);
  return inForeground(instanceDir, async (supervisor) => {
    const { signal } = supervisor;
    await requireTools(toolsToRun(), signal);
    await downloadJars(signal);
    const previous = await previousRelease(ref, signal);
    await buildProduct(signal);
    const cluster = new Cluster(supervisor, instanceDir);
    try {
      const variables = await cluster.startServers();
      await step(`${previous.name} is prepared`, () => prepare(previous, variables, signal));
      for (const name of processNames)
        await step(`${name} of ${previous.name} is ready`, () => cluster.replace(name, previous));
      const rollout: Rollout = {
        url: cluster.addresses.url,
        databases: cluster.addresses.postgres,
        prepare: async () => {
          await prepare(thisRelease, variables, signal);
        },
        replace: (name, version) => cluster.replace(name, version === 'this' ? thisRelease : previous),
        parkedKeys: () => cluster.parkedKeys(),
      };
      await upgradeDrill(rollout, print);
      return { exitCode: 0 };
    } finally {
      cluster.close();
    }
  });
}
