import { execFileSync } from 'node:child_process';

/** A process and everything it started. */
export function withDescendants(pid: number): number[] {
  const pairs = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) for (const [child, of] of pairs) if (of === parent && child) found.push(child);
  return found;
}

/** Stops a process and all that it has started, as one that hangs; what comes back lets them go on. */
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
