import { spawn } from 'node:child_process';
import { childEnvironment } from './env.ts';
import { UserError } from './terminal.ts';

type ToolOptions = {
  signal: AbortSignal;
  cwd?: string;
  uid?: number;
  gid?: number;
  variables?: Record<string, string>;
  lastLines?: number;
};

/** Runs a tool to its end. Fails with its last lines, or with the advice to bring it. */
export function runTool(
  command: string,
  args: string[],
  { variables, lastLines = 15, ...options }: ToolOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = childEnvironment(variables ?? {});
    const child = spawn(command, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => void (output += chunk.toString('utf8'));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT';
      reject(
        isMissing ? new UserError(`${command} is missing.`, 'Run `./caravan doctor` to see what brings it.') : error,
      );
    });
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(output);
      const words = output.trim().split('\n').slice(-lastLines).join('\n');
      reject(new Error(`${command} failed (${signal ?? `exit code ${code}`}):\n${words}`));
    });
  });
}

type ProgramOptions = { cwd: string; signal: AbortSignal; variables?: Record<string, string> };

/** Shows a program's output as it comes, and answers its exit code; `signal` stops it. */
export function runAttached(
  command: string,
  args: string[],
  { variables, ...options }: ProgramOptions,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, env: childEnvironment(variables ?? {}), stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Gives the terminal to another program; Ctrl-C is that program's business. */
export function runInteractive(command: string, args: string[], variables: NodeJS.ProcessEnv = {}): Promise<number> {
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal === 'SIGINT' ? 0 : (code ?? 1)));
  });
}
