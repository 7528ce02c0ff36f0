import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@caravan/contracts/events/topics';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commandLine } from '../process/process-tree.ts';

type Pids = Record<'database' | 'service', number>;
type Launcher = { process: ChildProcess; output: () => string; ended: Promise<number | null> };

let instanceDir: string;
let launchers: Launcher[];
let programs: number[];

beforeEach(() => {
  // What a folder may be called: nothing in it may be taken for more than a name.
  instanceDir = mkdtempSync(join(tmpdir(), 'Müller & Söhne '));
  launchers = [];
  programs = [];
});

afterEach(async () => {
  for (const { process } of launchers) process.kill('SIGTERM');
  await Promise.all(launchers.map(({ ended }) => ended));
  for (const pid of programs.filter(isAlive)) process.kill(pid, 'SIGKILL');
  rmSync(instanceDir, { recursive: true, force: true });
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

const waiting = { timeout: 30_000, interval: 20 };

/** Starts two idle programs and tells their process ids. */
async function launchInstance(how = 'alone'): Promise<Launcher & { pids: Pids }> {
  const launcher = launch('../testing/instance.ts', [instanceDir, how]);
  await vi.waitUntil(() => launcher.output().includes('ready'), waiting);
  return { ...launcher, pids: pidsIn(launcher.output()) };
}

/** The process ids that an instance told last. */
function pidsIn(output: string): Pids {
  const [, json = '{}'] = [...output.matchAll(/ready (\{[^}]*\})/g)].at(-1) ?? [];
  const pids = JSON.parse(json) as Pids;
  programs.push(...Object.values(pids));
  return pids;
}

const isAlive = (pid: number): boolean => commandLine(pid).includes(instanceDir);
const logOf = (name: string): string => readFileSync(join(instanceDir, 'log', `${name}.log`), 'utf8');

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves no process behind and ends with 0', async (signal) => {
  const { process, ended, pids } = await launchInstance();
  expect(Object.values(pids).every(isAlive)).toBe(true);
  process.kill(signal);
  expect(await ended).toBe(0);
  expect(Object.values(pids).filter(isAlive)).toEqual([]);
});

test('[S38] nothing that an instance keeps can be read by other users of the machine, whatever they find', async () => {
  mkdirSync(join(instanceDir, 'log'), { mode: 0o755 });
  const umask = process.umask(0o022);
  await launchInstance();
  process.umask(umask);
  await vi.waitUntil(() => existsSync(join(instanceDir, 'data/service/kept')), waiting);
  const open = readdirSync(instanceDir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(join(instanceDir, name)).mode & 0o077) !== 0,
  );
  // Root starts PostgreSQL as another user, who passes through; what lies there is listed for nobody.
  expect(open).toEqual(process.getuid?.() === 0 ? ['data'] : []);
  expect(statSync(join(instanceDir, 'data')).mode & 0o066).toBe(0);
  const kept = ['data/database/kept', 'data/service/kept', 'log/service.log', 'run/service.pid'];
  expect(readdirSync(instanceDir, { recursive: true })).toEqual(expect.arrayContaining(kept));
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
  expect(output()).toContain(join(instanceDir, 'log/service.log'));
  expect(isAlive(pids.database)).toBe(false);
});

test('a program that crashes is started again, told and counted; nothing else is touched', async () => {
  const { process: launcher, ended, output, pids } = await launchInstance('supervised');
  process.kill(pids.service, 'SIGKILL');
  await vi.waitUntil(() => output().includes('"count":1'), waiting);
  process.kill(pids.database, 'SIGKILL');
  await vi.waitUntil(() => output().includes('"database":{"count":1'), waiting);
  expect(output().match(/ended by itself.*/g)).toEqual([
    expect.stringMatching(/^ended by itself \(SIGKILL\) and is back after \d+\.\d s$/),
    expect.stringMatching(/^ended by itself \(SIGKILL\) and is back after \d+\.\d s$/),
  ]);
  const now = pidsIn(output());
  expect([isAlive(pids.service), isAlive(pids.database)]).toEqual([false, false]);
  expect([isAlive(now.service), isAlive(now.database)]).toEqual([true, true]);
  launcher.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(Object.values(now).filter(isAlive)).toEqual([]);
});

test('a program that was never ready is not started again: what it needs to start may be missing', async () => {
  const { ended, output } = launch('../testing/instance.ts', [instanceDir, 'failing']);
  expect(await ended).toBe(1);
  expect(output()).toContain('service ended by itself (exit code 3). Its last lines:');
  expect(output()).not.toContain('is back');
});

test('a program that crashes five times within a minute ends everything, and says so', async () => {
  const { ended, output, pids } = await launchInstance('supervised');
  for (let crash = 1; crash <= 5; crash += 1) {
    const { service } = pidsIn(output());
    process.kill(service, 'SIGKILL');
    if (crash < 5) await vi.waitUntil(() => output().includes(`"service":{"count":${crash}`), waiting);
  }
  expect(await ended).toBe(1);
  expect(output()).toMatch(/service ended by itself \(SIGKILL, 5 times within a minute\). Its last lines:\n\s+ready/);
  expect(isAlive(pids.database)).toBe(false);
});

/** A run file as of a running instance with these crashes; of its programs only one is still there. */
function rememberRun(crashes: object): void {
  const perService = Object.fromEntries(serviceNames.map((name) => [name, 'x']));
  const s3 = { endpoint: 'x', bucket: 'x', region: 'x', accessKey: 'x', secretKey: 'x' };
  const addresses = { url: 'x', postgres: perService, kafka: [], redis: 'x', services: perService, s3 };
  const run = {
    ...addresses,
    postgresOwner: 'postgres://127.0.0.1:1/',
    serviceCredential: 'x',
    mail: { smtp: 'x', http: 'x' },
    platforms: {},
  };
  const pids = { scoring: process.pid, social: 2 ** 22 + 1 };
  writeFileSync(join(instanceDir, 'run.json'), JSON.stringify({ ...run, pids, crashes }));
}

test('the doctor tells what has crashed and what is away', async () => {
  rememberRun({ scoring: { count: 3, lastAt: '2026-11-22T08:00:00.000Z', how: 'SIGKILL' } });
  const { ended, output } = launch('../main.ts', ['doctor'], { CARAVAN_HOME: instanceDir });
  await ended;
  expect(output()).toMatch(
    /^! {2}scoring +crashed 3 times, the last time 2026-11-22 .*\(SIGKILL\), and was started again/m,
  );
  expect(output()).toMatch(/^✗ {2}social +is away at the moment$/m);
  expect(output()).not.toMatch(/✗ {2}scoring +is away/);
});

test.each(['test', 'reset', 'up', 'bench'])(
  '%s --help shows how the launcher is used, and does nothing',
  async (command) => {
    const { ended, output } = launch('../main.ts', [command, '--help'], { CARAVAN_HOME: instanceDir });
    expect(await ended).toBe(0);
    expect(output()).toMatch(/^Usage: /);
  },
);

test('reset drops nothing and says how to agree when there is no terminal to ask', async () => {
  const { ended, output, process } = launch('../main.ts', ['reset'], { CARAVAN_HOME: instanceDir });
  process.stdin?.end();
  expect(await ended).toBe(1);
  expect(output()).toContain('Nothing was dropped. Without a terminal, agree by --yes.');
  expect(output()).not.toContain('Warning');
});

test('what follows the service goes to psql as it was typed', async () => {
  rememberRun({});
  const bin = join(instanceDir, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'psql'), '#!/bin/sh\nprintf "<%s>" "$@"\n', { mode: 0o755 });
  const variables = { CARAVAN_HOME: instanceDir, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const asked = launch('../main.ts', ['psql', 'scoring', '-c', 'select 1', '--only', 'x y'], variables);
  expect(await asked.ended).toBe(0);
  expect(asked.output()).toBe('<-c><select 1><--only><x y><postgres://127.0.0.1:1/caravan_scoring>');
});

test('what follows the service goes to tail', async () => {
  mkdirSync(join(instanceDir, 'log'));
  writeFileSync(join(instanceDir, 'log', 'scoring.log'), 'first\nsecond\nthird\n');
  const { ended, output } = launch('../main.ts', ['logs', 'scoring', '-n', '2'], { CARAVAN_HOME: instanceDir });
  expect(await ended).toBe(0);
  expect(output().trim().split('\n')).toEqual(['second', 'third']);
});

test('a second launcher of the same instance is refused and the first one keeps running', async () => {
  const first = await launchInstance();
  const second = launch('../main.ts', ['up'], { CARAVAN_HOME: instanceDir });
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`already running here (process ${first.process.pid})`);
  expect(Object.values(first.pids).every(isAlive)).toBe(true);
});

test('a taken port is named with what to do, and nothing is started', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  try {
    const { ended, output } = launch('../main.ts', ['up'], { CARAVAN_HOME: instanceDir, CARAVAN_PORT: String(port) });
    expect(await ended).toBe(1);
    expect(output()).toContain(`Port ${port} of 127.0.0.1 is taken`);
    expect(output()).toContain(`CARAVAN_PORT=${port + 10} ./caravan up`);
    expect(output()).not.toContain('is ready');
  } finally {
    holder.close();
  }
});
