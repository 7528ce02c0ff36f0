import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

// tsx compose-main.ts <Compose and its words>: starts what its file names, says what the containers say, and stops them
// when it is asked to. Not `compose up` in the foreground: it ends with the container of any operator's command, where
// podman serves it, and leaves the others running.
const [, , command = '', ...words] = process.argv;
const startedAt = new Date();
const againMilliseconds = 1_000;

const asked = new AbortController();
let running: ChildProcess | undefined;

async function compose(...more: string[]): Promise<number> {
  running = spawn(command, [...words, ...more], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(running, 'exit')) as [number | null];
  return code ?? 1;
}

process.once('SIGTERM', () => {
  asked.abort();
  running?.kill();
});

const isUp = (await compose('up', '--no-build', '--detach')) === 0;
if (!isUp && !asked.signal.aborted) process.exitCode = 1;
else {
  for (let since = startedAt; !asked.signal.aborted;) {
    await compose('logs', '--follow', '--no-color', '--since', since.toISOString());
    since = new Date();
    await pause(againMilliseconds, undefined, { signal: asked.signal }).catch(() => undefined);
  }
  process.exitCode = await compose('stop');
}
