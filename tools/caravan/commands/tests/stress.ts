import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../process/env.ts';

const spinning = 'for (;;);';
/** Writes 8 MB to the disk, again and again. */
const writing = `
  const { fsyncSync, openSync, writeSync } = require('node:fs');
  const file = openSync(process.argv[1], 'w');
  const block = Buffer.alloc(8_388_608, 1);
  for (;;) { writeSync(file, block, 0, block.length, 0); fsyncSync(file); }`;

/** Keeps every core and the disk busy beside the tests, until the returned function is called. */
export function beginStress(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'stress');
  const run = (...args: string[]): ChildProcess =>
    spawn(process.execPath, ['-e', ...args], { env: childEnvironment({}), stdio: 'ignore' });
  const busy = [...Array.from({ length: availableParallelism() }, () => run(spinning)), run(writing, file)];
  const end = () => {
    for (const child of busy) child.kill('SIGKILL');
    rmSync(file, { force: true });
  };
  process.once('exit', end);
  return () => {
    process.off('exit', end);
    end();
  };
}
