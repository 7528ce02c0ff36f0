import { spawn, type SpawnOptions } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CrashCount, CrashError, Crashes, tooMany } from './crashes.ts';
import { childEnvironment } from './env.ts';
import { lastLines } from './logs.ts';
import type { InstanceDir } from './paths.ts';
import { until } from './ports.ts';
import { privately } from './private-files.ts';

/** What serves people stops first, what keeps their data last. */
export const stopOrder = ['gateway', 'service', 'server', 'database'] as const;

export type Program = {
  name: string;
  kind: (typeof stopOrder)[number];
  command: string;
  args: string[];
  /** An argument naming a path of this instance: it tells an orphan from a process that got its pid. */
  marker: string;
  stopSignal: NodeJS.Signals;
  isReady: (running: Running) => boolean | Promise<boolean>;
  /** Of one that starts and stops others: longer than the 90 s and 30 s that suit a single process. */
  patienceMs?: { toStart: number; toStop: number };
  variables?: Record<string, string>;
  as?: { uid: number; gid: number };
  /** It makes files for users inside containers, so that others must be able to read them. */
  runsContainers?: boolean;
  /** `inOrder`: it was ready once and stopped when it was asked to. */
  afterEnd?: (end: { inOrder: boolean }) => void;
};

export type PidFile = Pick<Program, 'name' | 'kind' | 'marker' | 'stopSignal'> & { pid: number };

type Running = { pid: number; logFile: string; logFrom: number };

type ManagedProcess = {
  program: Program;
  running: Running;
  wasReady: boolean;
  hasBeenReady: boolean;
  isStopping: boolean;
  hasEnded: boolean;
  ended: Promise<void>;
};

const stopTimeoutMs = 30_000;
const slowMs = 3000;
const startTimeoutMs = 90_000;
const maxLogBytes = 10_000_000;

class EndedError extends Error {}

export type RestartPolicy = {
  pausesMs?: readonly number[];
  print: (line: string) => void;
  /** Where it is given, a crash of our own process is reported to it: nothing restarts the process, and all others run on. */
  onOwnCrash?: (crash: CrashError) => void;
};

/** Starts the programs of one instance, restarts by policy, and stops all of them in order. */
export class Supervisor {
  readonly #processes = new Map<string, ManagedProcess>();
  readonly #abort = new AbortController();
  readonly #crashes: Crashes;
  onRestarted: () => void = () => undefined;

  constructor(
    private readonly instanceDir: InstanceDir,
    private readonly restartPolicy?: RestartPolicy,
  ) {
    this.#crashes = new Crashes(restartPolicy?.pausesMs);
  }

  get crashes(): Record<string, CrashCount> {
    return this.#crashes.counts;
  }

  /** Aborted when a crash ends everything (with a `CrashError`) or everything is to stop. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get pids(): Record<string, number> {
    return Object.fromEntries([...this.#processes].map(([name, { running }]) => [name, running.pid]));
  }

  /** Fails when the program is not ready in time, or when everything stops. */
  async start(program: Program): Promise<void> {
    this.signal.throwIfAborted();
    const managed = this.#spawn(program, this.#processes.get(program.name)?.hasBeenReady === true);
    this.#processes.set(program.name, managed);
    const isReady = async (): Promise<boolean> => {
      if (managed.hasEnded) throw new EndedError(`${program.name} ended before it was ready`);
      return program.isReady(managed.running);
    };
    await until(isReady, `${program.name} does not become ready; its log is ${managed.running.logFile}`, {
      timeoutMs: program.patienceMs?.toStart ?? startTimeoutMs,
      signal: this.signal,
    });
    managed.wasReady = true;
    managed.hasBeenReady = true;
  }

  /** In a process group of its own, so that Ctrl-C reaches the launcher alone. */
  #spawn(program: Program, hasBeenReady: boolean): ManagedProcess {
    const { file, from } = this.#logOf(program.name);
    const log = openSync(file, 'a', 0o600);
    const options: SpawnOptions = {
      env: childEnvironment(program.variables ?? {}),
      stdio: ['ignore', log, log],
      detached: true,
      ...program.as,
    };
    const start = () => spawn(program.command, program.args, options);
    const child = program.runsContainers === true ? start() : privately(start);
    closeSync(log);
    const running: Running = { pid: child.pid ?? 0, logFile: file, logFrom: from };
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    const state = { wasReady: false, hasBeenReady, isStopping: false, hasEnded: false };
    const managed: ManagedProcess = { program, running, ...state, ended: Promise.resolve() };
    managed.ended = ended.then((how) => this.#onExit(managed, how));
    if (child.pid !== undefined) this.#writePidFile(program, child.pid);
    return managed;
  }

  #logOf(name: string): { file: string; from: number } {
    const file = join(this.instanceDir.log, `${name}.log`);
    if (existsSync(file) && statSync(file).size > maxLogBytes) renameSync(file, `${file}.1`);
    return { file, from: existsSync(file) ? statSync(file).size : 0 };
  }

  #pidFile(name: string): string {
    return join(this.instanceDir.run, `${name}.pid`);
  }

  #writePidFile({ name, kind, marker, stopSignal }: Program, pid: number): void {
    const file: PidFile = { name, kind, marker, stopSignal, pid };
    writeFileSync(this.#pidFile(name), JSON.stringify(file), { mode: 0o600 });
  }

  #onExit(managed: ManagedProcess, how: string): void {
    const { program, wasReady, isStopping } = managed;
    managed.hasEnded = true;
    rmSync(this.#pidFile(program.name), { force: true });
    program.afterEnd?.({ inOrder: wasReady && isStopping && how !== 'SIGKILL' });
    if (isStopping) return;
    const onOwnCrash = isOwn(program) ? this.restartPolicy?.onOwnCrash : undefined;
    if (onOwnCrash) return onOwnCrash(crashOf(managed, how));
    const pauseMs = this.restartPolicy && managed.hasBeenReady && this.#crashes.note(program.name, how, Date.now());
    if (pauseMs !== undefined && pauseMs !== false) return void this.#restart(program, how, pauseMs);
    const times = this.crashes[program.name] === undefined ? '' : `, ${tooMany} times within a minute`;
    this.#abort.abort(crashOf(managed, `${how}${times}`));
  }

  async #restart(program: Program, how: string, pauseMs: number): Promise<void> {
    const from = performance.now();
    try {
      await pause(pauseMs, undefined, { signal: this.signal });
      await this.start(program);
    } catch (error) {
      const pid = this.#processes.get(program.name)?.running.pid;
      if (!this.signal.aborted && !(error instanceof EndedError) && pid !== undefined) signalTo(pid, 'SIGKILL');
      return;
    }
    const { count = 1 } = this.crashes[program.name] ?? {};
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    const times = count === 1 ? '' : `, ${count} times by now`;
    this.restartPolicy?.print(`${program.name} ended by itself (${how}${times}) and is back after ${seconds} s`);
    this.onRestarted();
  }

  /** Kills the program's whole group when it has not stopped in time. */
  async stop(name: string): Promise<void> {
    const managed = this.#processes.get(name);
    if (managed === undefined) return;
    managed.isStopping = true;
    const { running, program } = managed;
    const timeoutMs = program.patienceMs?.toStop;
    if (!managed.hasEnded) await endProcess(running.pid, program.stopSignal, () => managed.hasEnded, timeoutMs);
    await managed.ended;
  }

  /** Stops a program and starts it again, whether it runs or has ended. Rejects when it is not ready in time. */
  async restart(name: string): Promise<void> {
    const managed = this.#processes.get(name);
    if (managed === undefined) throw new Error(`There is no program ${name}.`);
    await this.stop(name);
    await this.start(managed.program);
    this.onRestarted();
  }

  async #stopTimed(name: string): Promise<string> {
    const from = performance.now();
    await this.stop(name);
    const tookMs = performance.now() - from;
    return tookMs > slowMs ? `${name} (${(tookMs / 1000).toFixed(1)} s)` : name;
  }

  async crash(name: string): Promise<void> {
    const managed = this.#processes.get(name);
    if (managed === undefined) throw new Error(`There is no program ${name}.`);
    signalTo(managed.running.pid, 'SIGKILL');
    const isBack = (): boolean => this.#processes.get(name) !== managed && this.#processes.get(name)?.wasReady === true;
    await until(isBack, `${name} does not come back`, { timeoutMs: startTimeoutMs, everyMs: 10, signal: this.signal });
  }

  /** Stops everything for good: nothing can be started after it. */
  async end(print: (ended: string[]) => void): Promise<void> {
    this.#abort.abort(new Error('Everything is being stopped.'));
    await this.stopAll(print);
  }

  async stopAll(print: (ended: string[]) => void = () => undefined): Promise<void> {
    for (const managed of this.#processes.values()) managed.isStopping = true;
    for (const kind of stopOrder) {
      const toStop = [...this.#processes.values()].filter(
        ({ program, hasEnded }) => program.kind === kind && !hasEnded,
      );
      const ends = await Promise.all(toStop.map(({ program: { name } }) => this.#stopTimed(name)));
      if (ends.length > 0) print(ends);
    }
  }
}

const isOwn = ({ kind }: Program): boolean => kind === 'service' || kind === 'gateway';

const crashOf = ({ program, running }: ManagedProcess, how: string): CrashError =>
  new CrashError(program.name, how, running.logFile, lastLines(running.logFile, running.logFrom, 20));

const signalTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
};

export async function endProcess(
  pid: number,
  signal: NodeJS.Signals,
  hasEnded: () => boolean,
  timeoutMs = stopTimeoutMs,
): Promise<void> {
  signalTo(pid, signal);
  await until(hasEnded, `Process ${pid} does not stop`, { timeoutMs, everyMs: 10 }).catch(() => {
    signalTo(-pid, 'SIGKILL');
  });
}
