import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { InstanceDir } from './paths.ts';
import { commandLine } from './process-tree.ts';
import { endProcess, type PidFile, stopOrder } from './supervisor.ts';
import { print, UserError } from './terminal.ts';

/** One launcher per instance. Answers what releases the lock. */
export function holdLock(instanceDir: InstanceDir): () => void {
  const file = join(instanceDir.run, 'launcher.lock');
  if (existsSync(file)) {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid !== process.pid && commandLine(pid).includes('tools/caravan/')) {
      throw new UserError(`Caravan is already running here (process ${pid}).`, `Stop it first: kill ${pid}`);
    }
  }
  writeFileSync(file, String(process.pid), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

const pidFile = z.object({
  name: z.string(),
  kind: z.enum(stopOrder),
  marker: z.string(),
  stopSignal: z.custom<NodeJS.Signals>((value) => typeof value === 'string' && value.startsWith('SIG')),
  pid: z.number().int().positive(),
});

const isStillThere = ({ pid, marker }: PidFile): boolean => commandLine(pid).includes(marker);

const readPidFile = (file: string): PidFile | undefined => {
  try {
    return pidFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
};

/** Stops what a killed launcher of this instance left running. */
export async function stopOrphans(instanceDir: InstanceDir): Promise<void> {
  const files = readdirSync(instanceDir.run).filter((file) => file.endsWith('.pid'));
  const orphans = files
    .map((file) => readPidFile(join(instanceDir.run, file)))
    .filter((orphan) => orphan !== undefined)
    .filter(isStillThere);
  for (const kind of stopOrder) {
    const ofKind = orphans.filter((orphan) => orphan.kind === kind);
    await Promise.all(ofKind.map((orphan) => endProcess(orphan.pid, orphan.stopSignal, () => !isStillThere(orphan))));
  }
  for (const file of files) rmSync(join(instanceDir.run, file), { force: true });
  if (orphans.length > 0) print(`Stopped what a killed run had left: ${orphans.map(({ name }) => name).join(', ')}`);
}
