import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, shared } from './paths.ts';

const foreign = new Set(['node_modules', 'dist', 'generated', 'coverage', 'test-results']);
const isProof = (name: string): boolean => /\.spec\.tsx?$/.test(name);

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !foreign.has(name) && !isProof(name) && !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)]));
}

/** One hash over files and folders; what is made and what only proves (specs) does not count. */
export function contentHash(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesIn))
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

const stampOf = (what: string): string => join(shared.stamps, what.replaceAll('/', '-'));

export function isDone(what: string, hash: string): boolean {
  const stamp = stampOf(what);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

export function markDone(what: string, hash: string): void {
  mkdirSync(shared.stamps, { recursive: true });
  writeFileSync(stampOf(what), hash);
}
