import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export function withDescendants(pid: number): number[] {
  const pairs = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) for (const [child, of] of pairs) if (of === parent && child) found.push(child);
  return found;
}

/** Stops a process and all that it has started, as one that hangs; the answer lets them go on. */
export function freezeTree(root: number): () => void {
  const signalAll = (pids: readonly number[], signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  // The process first, so that it starts nothing more.
  signalAll([root], 'SIGSTOP');
  const tree = withDescendants(root);
  signalAll(tree, 'SIGSTOP');
  return () => signalAll(tree, 'SIGCONT');
}

/** Empty when the process is gone or only waits to be collected. */
export function commandLine(pid: number): string {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
