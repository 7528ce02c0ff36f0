import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { holdLock } from './lock.ts';
import { stopOrphans } from './orphans.ts';
import type { InstanceDir } from './paths.ts';
import { print } from './progress.ts';

async function isAgreed(folder: string): Promise<boolean> {
  const dialogue = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await dialogue.question(`Drop all data in ${folder}? [y/N] `);
    return ['y', 'yes'].includes(answer.trim().toLowerCase());
  } finally {
    dialogue.close();
  }
}

/** Drops the data and the secrets of an instance that does not run. Returns the exit code. */
export async function reset(instanceDir: InstanceDir, isSure: boolean): Promise<number> {
  const release = holdLock(instanceDir);
  try {
    if (!isSure && !(await isAgreed(instanceDir.data))) {
      print('Nothing was dropped.');
      return 1;
    }
    await stopOrphans(instanceDir);
    for (const gone of [instanceDir.data, instanceDir.log, instanceDir.runFile, instanceDir.secretsFile]) {
      rmSync(gone, { recursive: true, force: true });
    }
    print(`Dropped ${instanceDir.data}`);
    return 0;
  } finally {
    release();
  }
}
