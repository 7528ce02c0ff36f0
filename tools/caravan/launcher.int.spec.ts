import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commandLine } from './orphans.ts';

type Launcher = { process: ChildProcess; output: () => string; ended: Promise<number | null> };

let home: string;
let launchers: Launcher[];
let programs: number[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'caravan-'));
  launchers = [];
  programs = [];
});

afterEach(async () => {
  for (const { process } of launchers) process.kill('SIGTERM');
  await Promise.all(launchers.map(({ ended }) => ended));
  for (const pid of programs.filter(isAlive)) process.kill(pid, 'SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

function launch(script: string, args: string[], variables: Record<string, string> = {}): Launcher {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, script), ...args], {
    env: { ...process.env, ...variables },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const launcher = { process: child, output: () => output, ended };
  launchers.push(launcher);
  return launcher;
}

const patience = { timeout: 20_000, interval: 20 };

/** Starts two idle programs and tells their process ids. */
async function launchInstance(): Promise<Launcher & { pids: Record<'database' | 'service', number> }> {
  const launcher = launch('testing/instance.ts', [home]);
  await vi.waitUntil(() => launcher.output().includes('ready'), patience);
  const pids = /ready (\{.*\})/.exec(launcher.output())?.[1] ?? '{}';
  const byName: Record<'database' | 'service', number> = JSON.parse(pids);
  programs.push(...Object.values(byName));
  return { ...launcher, pids: byName };
}

const isAlive = (pid: number): boolean => commandLine(pid).includes(home);
const logOf = (name: string): string => readFileSync(join(home, 'log', `${name}.log`), 'utf8');

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves no process behind and ends with 0', async (signal) => {
  const { process, ended, pids } = await launchInstance();
  expect(Object.values(pids).every(isAlive)).toBe(true);
  process.kill(signal);
  expect(await ended).toBe(0);
  expect(Object.values(pids).filter(isAlive)).toEqual([]);
});

test('services stop before the database', async () => {
  const { process, ended } = await launchInstance();
  process.kill('SIGTERM');
  await ended;
  const [, service] = /service stops at (\d+)/.exec(logOf('service')) ?? [];
  const [, database] = /database stops at (\d+)/.exec(logOf('database')) ?? [];
  // Each takes 50 ms to stop, so the one that was asked second ends that much later.
  expect(Number(database)).toBeGreaterThanOrEqual(Number(service) + 40);
});

test('what a killed launcher left running is stopped by the next one', async () => {
  const killed = await launchInstance();
  killed.process.kill('SIGKILL');
  await killed.ended;
  expect(Object.values(killed.pids).every(isAlive)).toBe(true);
  const next = await launchInstance();
  expect(next.output()).toContain('Stopped what a killed run had left: database, service');
  expect(Object.values(killed.pids).filter(isAlive)).toEqual([]);
  expect(Object.values(next.pids).every(isAlive)).toBe(true);
});

test('a program that ends by itself is named with its last lines, and everything else stops', async () => {
  const { ended, output, pids } = await launchInstance();
  process.kill(pids.service, 'SIGKILL');
  expect(await ended).toBe(1);
  expect(output()).toMatch(/service ended by itself \(SIGKILL\). Its last lines:\n\s+ready/);
  expect(output()).toContain(join(home, 'log/service.log'));
  expect(isAlive(pids.database)).toBe(false);
});

test('a second launcher of the same instance is refused and the first one keeps running', async () => {
  const first = await launchInstance();
  const second = launch('main.ts', ['up'], { CARAVAN_HOME: home });
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`already running here (process ${first.process.pid})`);
  expect(Object.values(first.pids).every(isAlive)).toBe(true);
});

test('a taken port is named with what to do, and nothing is started', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  try {
    const { ended, output } = launch('main.ts', ['up'], { CARAVAN_HOME: home, CARAVAN_PORT: String(port) });
    expect(await ended).toBe(1);
    expect(output()).toContain(`Port ${port} of 127.0.0.1 is taken`);
    expect(output()).toContain(`CARAVAN_PORT=${port + 10} ./caravan up`);
    expect(output()).not.toContain('is ready');
  } finally {
    holder.close();
  }
});
