import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { keysFileOf, writeBackup } from '@caravan/caravan/operate/backup';
import { buildProduct } from '@caravan/caravan/build/build';
import { inForeground } from '@caravan/caravan/process/foreground';
import { instanceDirAt, instanceDirs } from '@caravan/caravan/process/paths';
import { freePort } from '@caravan/caravan/process/ports';
import { freezeTree } from '@caravan/caravan/process/process-tree';
import { restoreInto } from '@caravan/caravan/operate/restore';
import type { Supervisor } from '@caravan/caravan/process/supervisor';
import { startProduct } from '@caravan/caravan/servers/product';
import { print } from '@caravan/caravan/process/terminal';
import { secretsOf } from '@caravan/caravan/servers/instance-files';
import { chaos, restoreDrill, type Target } from './chaos.ts';

export function targetOf(supervisor: Supervisor, { url, postgres }: Awaited<ReturnType<typeof startProduct>>): Target {
  return {
    url,
    databases: postgres,
    crash: (program) => supervisor.crash(program),
    freeze: (program) => {
      const pid = supervisor.pids[program];
      if (pid === undefined) throw new Error('There is no such program.');
      return freezeTree(pid);
    },
  };
}

/** On an empty folder of its own. Returns the exit code. */
export async function chaosAt(logs: number, isFull: boolean): Promise<number> {
  const instanceDir = instanceDirAt(join(instanceDirs.up, 'chaos'));
  rmSync(instanceDir.data, { recursive: true, force: true });
  instanceDirAt(instanceDir.folder);
  const run = async (supervisor: Supervisor) => {
    const built = buildProduct(supervisor.signal);
    built.catch(() => undefined);
    const product = {
      instanceDir,
      secrets: secretsOf(instanceDir),
      port: await freePort(),
      isDurable: true,
      run: 'chaos' as const,
      built,
    };
    const addresses = await startProduct(supervisor, product);
    const people = await chaos(targetOf(supervisor, addresses), { members: 20, logs, isFull }, print);
    print('Every invariant holds.');
    const folder = join(mkdtempSync(join(tmpdir(), 'caravan-')), 'backup');
    const drill = {
      backup: () => writeBackup(instanceDir, folder),
      restore: async () => {
        await supervisor.stopAll();
        await restoreInto(supervisor, instanceDir, { folder, keysFile: keysFileOf(folder) });
        return targetOf(supervisor, await startProduct(supervisor, product));
      },
    };
    await restoreDrill(targetOf(supervisor, addresses), people, drill, print);
    rmSync(dirname(folder), { recursive: true, force: true });
    return { exitCode: 0 };
  };
  return inForeground(instanceDir, run, { print });
}
