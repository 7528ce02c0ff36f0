import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@caravan/contracts/events/topics';
import { createPool } from '@caravan/event-store/postgres/connections';
import { buildProduct } from '@caravan/caravan/build/build';
import { withKafka } from '@caravan/caravan/servers/databases';
import { inForeground } from '@caravan/caravan/process/foreground';
import { secretsOf } from '@caravan/caravan/servers/instance-files';
import { instanceDirAt, instanceDirs } from '@caravan/caravan/process/paths';
import { freePort } from '@caravan/caravan/process/ports';
import { freezeTree } from '@caravan/caravan/process/process-tree';
import { byService, startProduct } from '@caravan/caravan/servers/product';
import type { Supervisor } from '@caravan/caravan/process/supervisor';
import { print } from '@caravan/caravan/process/terminal';
import { hangsDrill } from './hangs.ts';

/** Lets Kafka hang so often, on an empty folder of its own. Returns the exit code. */
export async function hangsAt(hangs: number): Promise<number> {
  const instanceDir = instanceDirAt(join(instanceDirs.up, 'hangs'));
  rmSync(instanceDir.data, { recursive: true, force: true });
  instanceDirAt(instanceDir.folder);
  const run = async (supervisor: Supervisor) => {
    const built = buildProduct(supervisor.signal);
    built.catch(() => undefined);
    const {
      url,
      postgres,
      kafka: brokers,
    } = await startProduct(supervisor, {
      instanceDir,
      secrets: secretsOf(instanceDir),
      port: await freePort(),
      isDurable: true,
      run: 'chaos' as const,
      built,
    });
    const pools = await byService((service) => createPool(postgres[service], { max: 2 }));
    const freezeKafka = () => {
      const pid = supervisor.pids['kafka'];
      if (pid === undefined) throw new Error('There is no Kafka.');
      return freezeTree(pid);
    };
    try {
      await withKafka([...brokers], (kafka) =>
        hangsDrill({ url, databases: postgres, pools, kafka, freezeKafka }, hangs, print),
      );
    } finally {
      await Promise.all(serviceNames.map((service) => pools[service].end()));
    }
    return { exitCode: 0 };
  };
  return inForeground(instanceDir, run, { print });
}
