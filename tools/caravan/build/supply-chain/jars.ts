import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../process/paths.ts';
import { UserError } from '../../process/terminal.ts';

export const checksumsFile = join(root, 'infra/local/jars.sha256');

/** `sha256sum` reads and writes the same lines: the hash, two blanks, the path. */
export function checksumsIn(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/^([\da-f]{64}) {2}(.+)$/gm)].map(([, hash = '', path = '']) => [path, hash]));
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

export const checksumsText = (folder: string): string =>
  jarsIn(folder)
    .map((path) => `${hashOf(join(folder, path))}  ${path}\n`)
    .join('');

const jarsIn = (folder: string): string[] =>
  globSync('*/*.jar', { cwd: folder }).sort((one, other) => (one < other ? -1 : 1));

/** Java loads every jar of a folder, so one that nobody named is refused as well. Throws `UserError`. */
export function verifyJars(folder: string, checksums: ReadonlyMap<string, string>): void {
  const refuse = (what: string): never => {
    throw new UserError(
      what,
      `Remove ${folder} and start again. Should this come again, do not use what is downloaded: tell the maintainers.`,
    );
  };
  for (const [path, hash] of checksums) {
    const file = join(folder, path);
    if (!existsSync(file)) refuse(`${path} was not downloaded.`);
    if (hashOf(file) !== hash) refuse(`${path} is not the file whose checksum stands in infra/local/jars.sha256.`);
  }
  const [unknown] = jarsIn(folder).filter((path) => !checksums.has(path));
  if (unknown !== undefined) refuse(`${unknown} has no checksum in infra/local/jars.sha256.`);
}
