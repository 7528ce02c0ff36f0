import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type InstanceDir, npmProgram } from './paths.ts';
import { runInteractive } from './programs.ts';
import { UserError } from './terminal.ts';

const readFrom = (file: string, from: number): string => {
  if (!existsSync(file)) return '';
  const handle = openSync(file, 'r');
  try {
    const length = Math.max(0, fstatSync(handle).size - from);
    const buffer = Buffer.alloc(length);
    readSync(handle, buffer, 0, length, from);
    return buffer.toString('utf8');
  } finally {
    closeSync(handle);
  }
};

export const logSays = (file: string, from: number, words: string): boolean => readFrom(file, from).includes(words);

export const lastLines = (file: string, from: number, count: number): string[] =>
  readFrom(file, from)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count);

/** Follows the log of one program, or of all of them; `args` are tail's own. */
export async function logs(instanceDir: InstanceDir, name: string | undefined, args: string[] = []): Promise<number> {
  const names = readdirSync(instanceDir.log)
    .filter((file) => file.endsWith('.log'))
    .map((file) => file.slice(0, -'.log'.length));
  if (name !== undefined && !names.includes(name)) {
    throw new UserError(`There is no log of ${name}.`, `There are: ${names.join(', ')}`);
  }
  const files = (name === undefined ? names : [name])
    .map((each) => join(instanceDir.log, `${each}.log`))
    .filter(existsSync);
  // It comes with the packages for tests; without it the lines are shown as they are.
  const pretty = '{ [ -x "$0" ] && exec "$0" --ignore pid,hostname --translateTime HH:MM:ss.l; cat; }';
  const tail = args.length === 0 ? ['-n', '200', '-F'] : args;
  return runInteractive('sh', [
    '-c',
    `tail "$@" 2>/dev/null | ${pretty}`,
    npmProgram('pino-pretty'),
    ...tail,
    ...files,
  ]);
}
