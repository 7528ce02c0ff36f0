import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CrashCount, CrashError, Crashes, tooMany } from './crashes.ts';
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
  /** It, or one before it, was ready once: what it needs to start is there. */
  isProven: boolean;
  isStopping: boolean;
  hasEnded: boolean;
  ended: Promise<void>;
};

const patienceMs = 30_000;
const slowMs = 3000;
const startWithinMs = 90_000;
const largestLogBytes = 10_000_000;

/** A start that came to nothing because the program ended; what follows from that is decided where it ended. */
class EndedError extends Error {}

/** How a program that has crashed is started again. */
export type Supervision = {
  pausesMs?: readonly number[];
  /** Hears, in one line, of each program that is back. */
  tell: (line: string) => void;
};

/**
 * The programs of one instance: starts them, notices when one ends by itself, and stops all of them in order. Without
 * supervision a crash ends everything; with it a program that was ready once is started again.
 */
export class Family {
  readonly #members = new Map<string, Member>();
  readonly #over = new AbortController();
  readonly #crashes: Crashes;
  /** Called whenever a program that crashed is back. */
  onBack: () => void = () => undefined;

  constructor(
    private readonly home: Home,
    private readonly supervision?: Supervision,
  ) {
    this.#crashes = new Crashes(supervision?.pausesMs);
  }

  /** How often programs have crashed, by name. */
  get crashes(): Record<string, CrashCount> {
    return this.#crashes.counts;
  }

  /** Aborted when a crash ends everything (with a `CrashError`) or everything is to stop. */
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
    const member = this.#spawn(program, this.#members.get(program.name)?.isProven === true);
    this.#members.set(program.name, member);
    const isReady = async (): Promise<boolean> => {
      if (member.hasEnded) throw new EndedError(`${program.name} ended before it was ready`);
      return program.isReady(member.running);
    };
    await until(isReady, `${program.name} does not become ready; its log is ${member.running.logFile}`, {
      timeoutMs: startWithinMs,
      signal: this.over,
    });
    member.wasReady = true;
    member.isProven = true;
  }

  /** In a process group of its own, so that Ctrl-C reaches the launcher alone. */
  #spawn(program: Program, isProven: boolean): Member {
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
    const state = { wasReady: false, isProven, isStopping: false, hasEnded: false };
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
    const pauseMs = this.supervision && member.isProven && this.#crashes.note(program.name, how, Date.now());
    if (pauseMs !== undefined && pauseMs !== false) return void this.#revive(program, how, pauseMs);
    const times = this.crashes[program.name] === undefined ? '' : `, ${tooMany} times within a minute`;
    const lastWords = lastLines(running.logFile, running.logFrom, 20);
    this.#over.abort(new CrashError(program.name, `${how}${times}`, running.logFile, lastWords));
  }

  async #revive(program: Program, how: string, pauseMs: number): Promise<void> {
    const from = performance.now();
    try {
      await pause(pauseMs, undefined, { signal: this.over });
      await this.start(program);
    } catch (error) {
      // Not ready in time: as good as crashed. Whatever ended by itself has been seen to already.
      const pid = this.#members.get(program.name)?.running.pid;
      if (!this.over.aborted && !(error instanceof EndedError) && pid !== undefined) signalTo(pid, 'SIGKILL');
      return;
    }
    const { count = 1 } = this.crashes[program.name] ?? {};
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    const times = count === 1 ? '' : `, ${count} times by now`;
    this.supervision?.tell(`${program.name} ended by itself (${how}${times}) and is back after ${seconds} s`);
    this.onBack();
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

  /** Kills a program as a fault would, without a chance to tidy up, and waits until it is back. */
  async crash(name: string): Promise<void> {
    const member = this.#members.get(name);
    if (member === undefined) throw new Error(`There is no program ${name}.`);
    signalTo(member.running.pid, 'SIGKILL');
    const isBack = (): boolean => this.#members.get(name) !== member && this.#members.get(name)?.wasReady === true;
    await until(isBack, `${name} does not come back`, { timeoutMs: startWithinMs, everyMs: 10, signal: this.over });
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
