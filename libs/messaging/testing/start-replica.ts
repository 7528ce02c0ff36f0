import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { SuiteAddress } from './settings.ts';

export type Replica = {
  readonly process: ChildProcess;
  /** SIGKILL: no chance to finish anything. */
  kill(): Promise<void>;
};

/** Starts a replica in a process of its own; resolves when it runs. */
export async function startReplica(address: SuiteAddress): Promise<Replica> {
  const script = resolve(import.meta.dirname, 'replica.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(address)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    exited.then(() => Promise.reject(new Error('The replica ended at its start.'))),
  ]);
  exited.catch(() => undefined);
  return {
    process: child,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
