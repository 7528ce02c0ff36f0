import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildProduct } from '@caravan/caravan/build';
import { inForeground } from '@caravan/caravan/foreground';
import { homeAt, homes } from '@caravan/caravan/paths';
import { freePort } from '@caravan/caravan/ports';
import { freezeTree } from '@caravan/caravan/process-tree';
import type { Family } from '@caravan/caravan/processes';
import { startProduct } from '@caravan/caravan/product';
import { say } from '@caravan/caravan/progress';
import { secretsOf } from '@caravan/caravan/secrets';
import { chaos, type Victim } from './chaos.ts';

/** The programs of one instance as something that can be tormented. */
export function victimOf(family: Family, { url, postgres }: Awaited<ReturnType<typeof startProduct>>): Victim {
  return {
    url,
    databases: postgres,
    crash: (program) => family.crash(program),
    freeze: (program) => {
      const pid = family.pids[program];
      if (pid === undefined) throw new Error('There is no such program.');
      return freezeTree(pid);
    },
  };
}

/** Starts a product on an empty folder of its own, runs the chaos and stops everything. Returns the exit code. */
export async function chaosAt(logs: number): Promise<number> {
  const home = homeAt(join(homes.up, 'chaos'));
  rmSync(home.data, { recursive: true, force: true });
  homeAt(home.folder);
  const torment = async (family: Family) => {
    const built = buildProduct(family.over);
    built.catch(() => undefined);
    const product = {
      home,
      secrets: secretsOf(home),
      port: await freePort(),
      isDurable: true,
      run: 'chaos' as const,
      built,
    };
    const addresses = await startProduct(family, product);
    await chaos(victimOf(family, addresses), { members: 20, logs }, say);
    say('Every invariant holds.');
    return { exitCode: 0 };
  };
  // As `./caravan up` runs it: what crashes is started again by the launcher.
  return inForeground(home, torment, { tell: say });
}
