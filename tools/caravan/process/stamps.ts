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
  for (const file of paths.flatMap(filesIn)) hash.update(`${relative(root, file)}\0${digestOf(file)}\0`);
  return hash.digest('hex');
}

const digests = new Map<string, { readonly is: string; readonly digest: string }>();

/** Every bundle asks for all libraries: what has not changed meanwhile is read once. */
function digestOf(file: string): string {
  const { mtimeMs, size } = statSync(file);
  const is = `${mtimeMs} ${size}`;
  const known = digests.get(file);
  if (known?.is === is) return known.digest;
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
  digests.set(file, { is, digest });
  return digest;
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
