import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from './orphans.ts';
import type { InstanceDir } from './paths.ts';
import { UserError } from './user-error.ts';

/** Makes sure that one launcher runs per instance. Returns what gives the place free again. */
export function holdLock(instanceDir: InstanceDir): () => void {
  const file = join(instanceDir.run, 'launcher.lock');
  if (existsSync(file)) {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid !== process.pid && commandLine(pid).includes('tools/caravan/')) {
      throw new UserError(`Caravan is already running here (process ${pid}).`, `Stop it first: kill ${pid}`);
    }
  }
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}
