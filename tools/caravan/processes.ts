import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from './env.ts';
import { lastLines } from './log-file.ts';
import type { Home } from './paths.ts';
import { until } from './waiting.ts';

/** Programs stop in this order: what serves people first, what keeps their data last. */
export const stopOrder = ['gateway', 'service', 'server', 'database'] as const;

/** A program that the launcher keeps running. */
export type Program = {
  name: string;
  kind: (typeof stopOrder)[number];
  command: string;
  args: string[];
  /** An argument naming a path of this instance: by it an orphan is told from a stranger that got its pid. */
  marker: string;
  stopSignal: NodeJS.Signals;
  variables?: Record<string, string>;
  /** Who runs it, when not the launcher's own user. */
  as?: { uid: number; gid: number };
};

/** What is remembered on disk of a running program, so that the next launcher finds it should this one be killed. */
export type PidFile = Pick<Program, 'name' | 'kind' | 'marker' | 'stopSignal'> & { pid: number };

/** A program that ended although nobody asked it to. */
export type Crash = { name: string; how: string; lastWords: string[]; logFile: string };

/** A running program. */
export type Running = {
  name: string;
  pid: number;
  logFile: string;
  /** Where the lines of this run begin in the log file, in bytes. */
  logFrom: number;
  /** Resolves when the program has ended, whatever the reason. */
  ended: Promise<void>;
};

const patienceMs = 20_000;
const largestLogBytes = 10_000_000;

/** The programs of one instance: starts them, notices when one ends by itself, and stops all of them in order. */
export class Family {
  readonly #running = new Map<string, { program: Program; running: Running; isStopping: boolean }>();
  readonly #over = new AbortController();

  constructor(private readonly home: Home) {}

  /** Aborted as soon as a program ends by itself (with a `CrashError`) or everything is to stop. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  get pids(): Record<string, number> {
    return Object.fromEntries([...this.#running].map(([name, { running }]) => [name, running.pid]));
  }

  /** Starts a program in a process group of its own, so that Ctrl-C reaches the launcher alone. */
  start(program: Program): Running {
    this.over.throwIfAborted();
    const logFile = join(this.home.log, `${program.name}.log`);
    if (existsSync(logFile) && statSync(logFile).size > largestLogBytes) renameSync(logFile, `${logFile}.1`);
    const logFrom = existsSync(logFile) ? statSync(logFile).size : 0;
    const log = openSync(logFile, 'a');
    const child = spawn(program.command, program.args, {
      env: childEnvironment(program.variables ?? {}),
      stdio: ['ignore', log, log],
      detached: true,
      ...program.as,
    });
    closeSync(log);
    const pid = child.pid;
    const ended = new Promise<void>((resolve) => {
      child.once('error', (error) => this.#ended(program.name, error.message, resolve));
      child.once('exit', (code, signal) => {
        this.#ended(program.name, signal === null ? `exit code ${code}` : `signal ${signal}`, resolve);
      });
    });
    const running: Running = { name: program.name, pid: pid ?? -1, logFile, logFrom, ended };
    this.#running.set(program.name, { program, running, isStopping: false });
    if (pid !== undefined) this.#remember({ ...program, pid });
    return running;
  }

  #remember({ name, kind, marker, stopSignal, pid }: PidFile): void {
    const file: PidFile = { name, kind, marker, stopSignal, pid };
    writeFileSync(join(this.home.run, `${name}.pid`), JSON.stringify(file));
  }

  #ended(name: string, how: string, resolve: () => void): void {
    const entry = this.#running.get(name);
    this.#running.delete(name);
    rmSync(join(this.home.run, `${name}.pid`), { force: true });
    if (entry !== undefined && !entry.isStopping) {
      const { logFile, logFrom } = entry.running;
      this.#over.abort(new CrashError({ name, how, logFile, lastWords: lastLines(logFile, logFrom, 20) }));
    }
    resolve();
  }

  /** Asks one program to stop; kills its whole group when it has not after 20 s. */
  async stop(name: string): Promise<void> {
    const entry = this.#running.get(name);
    if (entry === undefined) return;
    entry.isStopping = true;
    await endProcess(entry.running.pid, entry.program.stopSignal, () => !this.#running.has(name));
    await entry.running.ended;
  }

  /** Stops everything that runs: gateway, services, servers, database. */
  async stopAll(): Promise<void> {
    this.#over.abort(new Error('Everything is being stopped.'));
    for (const entry of this.#running.values()) entry.isStopping = true;
    for (const kind of stopOrder) {
      const names = [...this.#running].filter(([, { program }]) => program.kind === kind).map(([name]) => name);
      await Promise.all(names.map((name) => this.stop(name)));
    }
  }
}

/** Says that a program ended although nobody asked it to. */
export class CrashError extends Error {
  constructor(readonly crash: Crash) {
    super(`${crash.name} ended by itself (${crash.how})`);
    this.name = 'CrashError';
  }
}

/** Sends a signal; a process that is already gone is no error. Returns whether it was there. */
export function signalTo(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Asks a process to end and waits for it; after 20 s its whole group is killed. */
export async function endProcess(pid: number, signal: NodeJS.Signals, hasEnded: () => boolean): Promise<void> {
  signalTo(pid, signal);
  await until(hasEnded, `Process ${pid} does not stop`, { timeoutMs: patienceMs, everyMs: 10 }).catch(() => {
    signalTo(-pid, 'SIGKILL');
  });
}
