import type { Home } from './paths.ts';
import { holdLock } from './lock.ts';
import { stopOrphans } from './orphans.ts';
import { CrashError } from './crashes.ts';
import { Family, type Supervision } from './processes.ts';
import { say } from './progress.ts';
import { asTrouble, Trouble } from './trouble.ts';

const askingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

class StopAsked extends Error {}

/** Rejects when somebody asks the launcher to stop: Ctrl-C, SIGTERM, a closed terminal. */
function stopAsked(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of askingSignals) process.on(signal, () => reject(new StopAsked(signal)));
  });
}

function crashOf(family: Family): Promise<never> {
  return new Promise((_, reject) => {
    family.over.addEventListener('abort', () => reject(family.over.reason as Error), { once: true });
  });
}

function explain(error: unknown): Trouble {
  if (!(error instanceof CrashError)) return asTrouble(error);
  const { program, how, lastWords, logFile } = error;
  const words = lastWords.map((line) => `    ${line}`).join('\n');
  const isDiskFull = lastWords.some((line) => line.includes('No space left on device'));
  const advice = isDiskFull
    ? 'The disk is full: free some space, then start again.'
    : `Everything else is being stopped. The whole log is ${logFile}; start again with \`./caravan up\`.`;
  return new Trouble(`${program} ended by itself (${how}). Its last lines:\n${words}`, advice);
}

/** Writes what is wrong and what to do about it. */
export function complain({ message, advice }: Trouble): void {
  process.stderr.write(`\n${message}\n→ ${advice}\n`);
}

/**
 * Runs programs in the foreground: `start` starts them, and when it returns the launcher either stays until somebody
 * asks it to stop (`stay`) or is done. With `supervision` programs that crash are started again. Whatever happens, every program is stopped in order before this returns the exit
 * code.
 */
export async function inForeground(
  home: Home,
  start: (family: Family) => Promise<'stay' | { exitCode: number }>,
  supervision?: Supervision,
): Promise<number> {
  const release = holdLock(home);
  const family = new Family(home, supervision);
  const asked = stopAsked();
  const crashed = crashOf(family);
  for (const end of [asked, crashed]) end.catch(() => undefined);
  let exitCode = 0;
  try {
    await Promise.race([asked, stopOrphans(home)]);
    const outcome = await Promise.race([asked, crashed, start(family)]);
    if (outcome === 'stay') await Promise.race([asked, crashed]);
    else exitCode = outcome.exitCode;
  } catch (error) {
    if (error instanceof StopAsked) {
      say('Stopping everything …');
    } else {
      exitCode = 1;
      complain(explain(family.over.aborted ? family.over.reason : error));
    }
  }
  const hadPrograms = Object.keys(family.pids).length > 0;
  await family.end((names) => say(`Stopped ${names.join(', ')}`));
  release();
  if (hadPrograms) say('Everything is stopped.');
  return exitCode;
}
