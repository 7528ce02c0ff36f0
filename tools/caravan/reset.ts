import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { holdLock } from './lock.ts';
import { stopOrphans } from './orphans.ts';
import type { Home } from './paths.ts';
import { say } from './progress.ts';

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
export async function reset(home: Home, isSure: boolean): Promise<number> {
  const release = holdLock(home);
  try {
    if (!isSure && !(await isAgreed(home.data))) {
      say('Nothing was dropped.');
      return 1;
    }
    await stopOrphans(home);
    for (const gone of [home.data, home.log, home.runFile, home.secretsFile]) {
      rmSync(gone, { recursive: true, force: true });
    }
    say(`Dropped ${home.data}`);
    return 0;
  } finally {
    release();
  }
}
