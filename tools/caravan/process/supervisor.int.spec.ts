import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CrashError } from './crashes.ts';
import { type InstanceDir, instanceDirAt } from './paths.ts';
import { answers, freePort } from './ports.ts';
import { type Program, Supervisor } from './supervisor.ts';

let instanceDir: InstanceDir;
let supervisor: Supervisor;
let crashes: CrashError[];

beforeEach(() => {
  instanceDir = instanceDirAt(mkdtempSync(join(tmpdir(), 'caravan-supervised-')));
  crashes = [];
  supervisor = new Supervisor(instanceDir, { print: () => undefined, onOwnCrash: (crash) => crashes.push(crash) });
});
afterEach(async () => {
  await supervisor.end(() => undefined);
  rmSync(instanceDir.folder, { recursive: true });
});

/** Answers with what its file said when it was started. */
async function talking(port: number, word: string): Promise<Program> {
  const file = join(instanceDir.folder, 'word');
  writeFileSync(file, word);
  const script = `const word = require('fs').readFileSync(${JSON.stringify(file)}, 'utf8');
    if (word === 'broken') throw new Error('it is broken');
    require('http').createServer((_, response) => response.end(word)).listen(${port}, '127.0.0.1');`;
  const args = ['-e', script];
  return Promise.resolve({
    name: 'talking',
    kind: 'service',
    command: process.execPath,
    args,
    marker: args.join(' '),
    stopSignal: 'SIGTERM',
    isReady: () => answers(port, 'GET / HTTP/1.0\r\n\r\n', 'HTTP/1.1 200'),
  });
}

const textAt = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}`)).text();

test('a restarted program is a new process, which reads what has changed', async () => {
  const port = await freePort();
  await supervisor.start(await talking(port, 'first'));
  const pid = supervisor.pids['talking'];
  await talking(port, 'second');
  await supervisor.restart('talking');
  expect(await textAt(port)).toBe('second');
  expect(supervisor.pids['talking']).not.toBe(pid);
  expect(crashes).toEqual([]);
});

test('a crash of our own process is reported where somebody changes it; nothing else ends, and a restart brings it back', async () => {
  const port = await freePort();
  await supervisor.start(await talking(port, 'first'));
  await talking(port, 'broken');
  await expect(supervisor.restart('talking')).rejects.toThrow('ended before it was ready');
  await expect.poll(() => crashes).toHaveLength(1);
  expect(crashes[0]?.lastWords.join('\n')).toContain('it is broken');
  expect(supervisor.signal.aborted).toBe(false);
  await talking(port, 'mended');
  await supervisor.restart('talking');
  expect(await textAt(port)).toBe('mended');
});
