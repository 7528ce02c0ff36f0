import type { InstanceDir } from './paths.ts';
import { holdLock, stopOrphans } from './orphans.ts';
import { CrashError } from './crashes.ts';
import { Supervisor, type RestartPolicy } from './supervisor.ts';
import { asUserError, print, UserError } from './terminal.ts';

const askingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

class StopAsked extends Error {}

function stopAsked(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of askingSignals) process.on(signal, () => reject(new StopAsked(signal)));
  });
}

function crashOf(supervisor: Supervisor): Promise<never> {
  return new Promise((_, reject) => {
    supervisor.signal.addEventListener('abort', () => reject(supervisor.signal.reason as Error), { once: true });
  });
}

function explain(error: unknown): UserError {
  if (!(error instanceof CrashError)) return asUserError(error);
  const { program, how, lastWords, logFile } = error;
  const words = lastWords.map((line) => `    ${line}`).join('\n');
  const isDiskFull = lastWords.some((line) => line.includes('No space left on device'));
  const advice = isDiskFull
    ? 'The disk is full: free some space, then start again.'
    : `Everything else is being stopped. The whole log is ${logFile}; start again with \`./caravan up\`.`;
  return new UserError(`${program} ended by itself (${how}). Its last lines:\n${words}`, advice);
}

export function printError({ message, advice }: UserError): void {
  process.stderr.write(`\n${message}\n→ ${advice}\n`);
}

/** Runs programs until `start` is done or, after `stay`, somebody asks to stop; then ends them in order. */
export async function inForeground(
  instanceDir: InstanceDir,
  start: (supervisor: Supervisor) => Promise<'stay' | { exitCode: number }>,
  restartPolicy?: RestartPolicy,
): Promise<number> {
  const release = holdLock(instanceDir);
  const supervisor = new Supervisor(instanceDir, restartPolicy);
  const asked = stopAsked();
  const crashed = crashOf(supervisor);
  for (const end of [asked, crashed]) end.catch(() => undefined);
  let exitCode = 0;
  try {
    await Promise.race([asked, stopOrphans(instanceDir)]);
    const outcome = await Promise.race([asked, crashed, start(supervisor)]);
    if (outcome === 'stay') await Promise.race([asked, crashed]);
    else exitCode = outcome.exitCode;
  } catch (error) {
    if (error instanceof StopAsked) {
      print('Stopping everything …');
    } else {
      exitCode = 1;
      printError(explain(supervisor.signal.aborted ? supervisor.signal.reason : error));
    }
  }
  const hadPrograms = Object.keys(supervisor.pids).length > 0;
  await supervisor.end((names) => print(`Stopped ${names.join(', ')}`));
  release();
  if (hadPrograms) print('Everything is stopped.');
  return exitCode;
}
