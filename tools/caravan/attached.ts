import { spawn } from 'node:child_process';
import { childEnvironment } from './env.ts';

type Options = { cwd: string; signal: AbortSignal; variables?: Record<string, string> };

/** Runs a program whose output the person sees as it comes, and returns its exit code; `signal` stops it. */
export function runAttached(command: string, args: string[], { variables, ...options }: Options): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, env: childEnvironment(variables ?? {}), stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
