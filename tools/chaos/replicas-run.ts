import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildProduct } from '@caravan/caravan/build/build';
import { inForeground } from '@caravan/caravan/process/foreground';
import { instanceDirAt, instanceDirs } from '@caravan/caravan/process/paths';
import type { Supervisor } from '@caravan/caravan/process/supervisor';
import { print, step } from '@caravan/caravan/process/terminal';
import { downloadJars, requireTools, toolsToRun } from '@caravan/caravan/build/toolchain';
import { Cluster, prepare, processNames } from './cluster.ts';
import { thisRelease } from './release.ts';
import { replicasDrill } from './replicas.ts';

/** This release with `count` processes of everything, on an empty folder of its own. Returns the exit code. */
export function onCluster(
  folder: string,
  count: number,
  work: (cluster: Cluster, supervisor: Supervisor) => Promise<void>,
): Promise<number> {
  const instanceDir = instanceDirAt(join(instanceDirs.up, folder));
  rmSync(instanceDir.data, { recursive: true, force: true });
  instanceDirAt(instanceDir.folder);
  const run = async (supervisor: Supervisor) => {
    const { signal } = supervisor;
    await requireTools(toolsToRun(), signal);
    await downloadJars(signal);
    await buildProduct(signal);
    const cluster = new Cluster(supervisor, instanceDir);
    try {
      const variables = await cluster.startServers();
      await step('Databases and topics are there', () => prepare(thisRelease, variables, signal));
      for (const name of processNames)
        await step(`${count} of ${name} are ready`, async () => {
          for (let nth = 0; nth < count; nth += 1) await cluster.add(name, thisRelease);
        });
      await work(cluster, supervisor);
      return { exitCode: 0 };
    } finally {
      cluster.close();
    }
  };
  return inForeground(instanceDir, run, { print });
}

export const replicasAt = (count: number): Promise<number> =>
  onCluster('replicas', count, (cluster) =>
    replicasDrill(
      {
        url: cluster.addresses.url,
        databases: cluster.addresses.postgres,
        names: processNames,
        add: (name) => cluster.add(name, thisRelease),
        remove: (name) => cluster.remove(name),
        crash: (name) => cluster.crash(name),
        parkedKeys: () => cluster.parkedKeys(),
      },
      print,
    ),
  );
