import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, shared } from '../process/paths.ts';
import { until } from '../process/ports.ts';

// Vitest calls these before the first and after the last integration suite of a run. A run by `./caravan test` brings its
// servers, and `./caravan test-servers` keeps them for many runs; any other, such as one from an editor, gets its own.

const startMilliseconds = 300_000;
let launcher: ChildProcess | undefined;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

export async function setup(): Promise<void> {
  if (process.env['CARAVAN_TEST_SERVERS'] !== undefined || existsSync(shared.testServersFile)) return;
  process.stdout.write('Starting servers for this run; `./caravan test-servers` keeps them for the next ones …\n');
  const started = spawn(join(root, 'caravan'), ['test-servers'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  launcher = started;
  const isThere = (): boolean => {
    if (hasEnded(started)) throw new Error('The servers did not start; `./caravan test-servers` says why.');
    return existsSync(shared.testServersFile);
  };
  await until(isThere, 'Servers for tests do not become ready', { timeoutMs: startMilliseconds });
}

export async function teardown(): Promise<void> {
  if (launcher === undefined || hasEnded(launcher)) return;
  launcher.kill('SIGINT');
  await once(launcher, 'exit');
}
