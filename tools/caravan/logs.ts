import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runInteractive } from './programs.ts';
import { npmProgram } from './paths.ts';
import type { InstanceDir } from './paths.ts';
import { UserError } from './user-error.ts';

/** Follows the log of one program, or of all of them; what follows the name is tail's own. Returns the exit code. */
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
  const pretty = '"$0" --ignore pid,hostname --translateTime HH:MM:ss.l';
  const tail = args.length === 0 ? ['-n', '200', '-F'] : args;
  return runInteractive('sh', [
    '-c',
    `tail "$@" 2>/dev/null | ${pretty}`,
    npmProgram('pino-pretty'),
    ...tail,
    ...files,
  ]);
}
