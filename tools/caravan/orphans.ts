import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { InstanceDir } from './paths.ts';
import { endProcess, stopOrder } from './supervisor.ts';
import type { PidFile } from './supervisor.ts';
import { print } from './progress.ts';

const pidFile = z.object({
  name: z.string(),
  kind: z.enum(stopOrder),
  marker: z.string(),
  stopSignal: z.custom<NodeJS.Signals>((value) => typeof value === 'string' && value.startsWith('SIG')),
  pid: z.number().int().positive(),
});

/** The command line of a process; empty when it is gone or only waits to be collected. */
export function commandLine(pid: number): string {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

const isStillThere = ({ pid, marker }: PidFile): boolean => commandLine(pid).includes(marker);

const readPidFile = (file: string): PidFile | undefined => {
  try {
    return pidFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
};

/** Stops what a killed launcher of this instance left running: found by pid file, told by command line. */
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
