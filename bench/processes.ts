import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { withDescendants } from '@caravan/caravan/process/process-tree';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** User and system, of all threads. */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command's name may hold spaces; fields count from behind its closing bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
}

export function cpuMicrosecondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (isAlive(pid) ? cpuMicroseconds(pid) : 0), 0);
}

/** Of everything that a process has started, also of what has ended since. */
export function cpuMicrosecondsOfFamily(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ofEnded = ((Number(fields[13]) + Number(fields[14])) / ticksPerSecond) * 1e6;
  return ofEnded + cpuMicrosecondsOf(withDescendants(pid));
}

export function memoryMiB(pid: number): { rss: number; pss: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
  return { rss: kib('Rss') / 1024, pss: kib('Pss') / 1024 };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
