import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { SuiteAddress } from './settings.ts';

/** A process of its own that a test may kill or freeze. */
export type Victim = {
  readonly process: ChildProcess;
  /** SIGKILL: no chance to finish anything. */
  kill(): Promise<void>;
};

/** Starts a relay or the consumers of both groups in a process of their own; resolves when it runs. */
export async function startVictim(role: 'relay' | 'consumers', address: SuiteAddress): Promise<Victim> {
  const script = resolve(import.meta.dirname, 'victim.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, role, JSON.stringify(address)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    exited.then(() => Promise.reject(new Error(`The ${role} process ended at its start.`))),
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
