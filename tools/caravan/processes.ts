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
  isReady: (running: Running) => boolean | Promise<boolean>;
  variables?: Record<string, string>;
  /** Who runs it, when not the launcher's own user. */
  as?: { uid: number; gid: number };
  /** What is to be tidied when it has ended; `inOrder`: it was ready once and stopped when it was asked to. */
  afterEnd?: (end: { inOrder: boolean }) => void;
};

/** What is remembered on disk of a running program, so that the next launcher finds it should this one be killed. */
export type PidFile = Pick<Program, 'name' | 'kind' | 'marker' | 'stopSignal'> & { pid: number };

/** A running program. Its lines in the log file begin at byte `logFrom`. */
export type Running = { pid: number; logFile: string; logFrom: number };

type Member = {
  program: Program;
  running: Running;
  wasReady: boolean;
  isStopping: boolean;
  hasEnded: boolean;
  ended: Promise<void>;
};

const patienceMs = 30_000;
const slowMs = 3000;
const startWithinMs = 90_000;
const largestLogBytes = 10_000_000;

/** Says that a program ended although nobody asked it to. */
export class CrashError extends Error {
  constructor(
    readonly program: string,
    readonly how: string,
    readonly logFile: string,
    readonly lastWords: string[],
  ) {
    super(`${program} ended by itself (${how})`);
    this.name = 'CrashError';
  }
}

/** The programs of one instance: starts them, notices when one ends by itself, and stops all of them in order. */
export class Family {
  readonly #members = new Map<string, Member>();
  readonly #over = new AbortController();

  constructor(private readonly home: Home) {}

  /** Aborted as soon as a program ends by itself (with a `CrashError`) or everything is to stop. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Process ids by name. */
  get pids(): Record<string, number> {
    return Object.fromEntries([...this.#members].map(([name, { running }]) => [name, running.pid]));
  }

  /** Starts a program and waits until it is ready. Fails when it is not within 90 s, or when everything stops. */
  async start(program: Program): Promise<void> {
    this.over.throwIfAborted();
    const member = this.#spawn(program);
    this.#members.set(program.name, member);
    const isReady = async (): Promise<boolean> => !member.hasEnded && (await program.isReady(member.running));
    await until(isReady, `${program.name} does not become ready; its log is ${member.running.logFile}`, {
      timeoutMs: startWithinMs,
      signal: this.over,
    });
    member.wasReady = true;
  }

  /** In a process group of its own, so that Ctrl-C reaches the launcher alone. */
  #spawn(program: Program): Member {
    const { file, from } = this.#logOf(program.name);
    const log = openSync(file, 'a');
    const child = spawn(program.command, program.args, {
      env: childEnvironment(program.variables ?? {}),
      stdio: ['ignore', log, log],
      detached: true,
      ...program.as,
    });
    closeSync(log);
    const running: Running = { pid: child.pid ?? 0, logFile: file, logFrom: from };
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    const state = { wasReady: false, isStopping: false, hasEnded: false };
    const member: Member = { program, running, ...state, ended: Promise.resolve() };
    member.ended = ended.then((how) => this.#bury(member, how));
    if (child.pid !== undefined) this.#remember(program, child.pid);
    return member;
  }

  #logOf(name: string): { file: string; from: number } {
    const file = join(this.home.log, `${name}.log`);
    if (existsSync(file) && statSync(file).size > largestLogBytes) renameSync(file, `${file}.1`);
    return { file, from: existsSync(file) ? statSync(file).size : 0 };
  }

  #pidFile(name: string): string {
    return join(this.home.run, `${name}.pid`);
  }

  #remember({ name, kind, marker, stopSignal }: Program, pid: number): void {
    const file: PidFile = { name, kind, marker, stopSignal, pid };
    writeFileSync(this.#pidFile(name), JSON.stringify(file));
  }

  #bury(member: Member, how: string): void {
    const { program, running, wasReady, isStopping } = member;
    member.hasEnded = true;
    rmSync(this.#pidFile(program.name), { force: true });
    program.afterEnd?.({ inOrder: wasReady && isStopping && how !== 'SIGKILL' });
    if (isStopping) return;
    const lastWords = lastLines(running.logFile, running.logFrom, 20);
    this.#over.abort(new CrashError(program.name, how, running.logFile, lastWords));
  }

  /** Asks one program to stop; kills its whole group when it has not after 30 s. */
  async stop(name: string): Promise<void> {
    const member = this.#members.get(name);
    if (member === undefined) return;
    member.isStopping = true;
    if (!member.hasEnded) await endProcess(member.running.pid, member.program.stopSignal, () => member.hasEnded);
    await member.ended;
  }

  /** The name of a program once it has stopped, and how long that took when it was slow. */
  async #stopTimed(name: string): Promise<string> {
    const from = performance.now();
    await this.stop(name);
    const tookMs = performance.now() - from;
    return tookMs > slowMs ? `${name} (${(tookMs / 1000).toFixed(1)} s)` : name;
  }

  /** Kills one program as a fault would, without a chance to tidy up. */
  async kill(name: string): Promise<void> {
    const member = this.#members.get(name);
    if (member === undefined) throw new Error(`There is no program ${name}.`);
    member.isStopping = true;
    signalTo(member.running.pid, 'SIGKILL');
    await member.ended;
  }

  /** Starts a program that was stopped or killed again, at the same address, and waits until it is ready. */
  async startAgain(name: string): Promise<void> {
    const member = this.#members.get(name);
    if (member === undefined) throw new Error(`There is no program ${name}.`);
    await this.start(member.program);
  }

  /** Stops everything for good: nothing can be started after it. `tell` hears what has ended. */
  async end(tell: (ended: string[]) => void): Promise<void> {
    this.#over.abort(new Error('Everything is being stopped.'));
    await this.stopAll(tell);
  }

  /** Stops what runs: gateway, services, servers, database. */
  async stopAll(tell: (ended: string[]) => void = () => undefined): Promise<void> {
    for (const member of this.#members.values()) member.isStopping = true;
    for (const kind of stopOrder) {
      const members = [...this.#members.values()].filter(({ program, hasEnded }) => program.kind === kind && !hasEnded);
      const ends = await Promise.all(members.map(({ program: { name } }) => this.#stopTimed(name)));
      if (ends.length > 0) tell(ends);
    }
  }
}

const signalTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
};

/** Asks a process to end and waits for it; after 30 s its whole group is killed. */
export async function endProcess(pid: number, signal: NodeJS.Signals, hasEnded: () => boolean): Promise<void> {
  signalTo(pid, signal);
  await until(hasEnded, `Process ${pid} does not stop`, { timeoutMs: patienceMs, everyMs: 10 }).catch(() => {
    signalTo(-pid, 'SIGKILL');
  });
}
