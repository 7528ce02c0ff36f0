import { withDescendants } from './processes.ts';

/** Stops a process and all that it has started, as one that hangs; what comes back lets them go on. */
export function stopped(pid: number): () => void {
  const tell = (pids: readonly number[], signal: NodeJS.Signals) => {
    for (const each of pids) {
      try {
        process.kill(each, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  tell([pid], 'SIGSTOP');
  const all = withDescendants(pid);
  tell(all, 'SIGSTOP');
  return () => tell(all, 'SIGCONT');
}
