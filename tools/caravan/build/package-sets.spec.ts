import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { packageOf } from './packed.ts';
import { root } from '../process/paths.ts';

type Locked = { dev?: boolean; link?: boolean; resolved?: string; os?: string[]; cpu?: string[]; libc?: string[] };

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
const manifest = read('package.json') as {
  dependencies: Record<string, string>;
  overrides: Record<string, string | Record<string, string>>;
};
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };

const fits = ({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: Locked): boolean =>
  os.includes('linux') && cpu.includes('x64') && libc.includes('glibc');

/** WebAssembly builds serve machines without a native build; npm does not install them here. */
const isForeign = (path: string): boolean => path.includes('node_modules/') && !path.includes('wasm32');

test('running the product takes at most 700 packages of the lockfile', () => {
  const installed = Object.entries(packages).filter(
    ([path, one]) => isForeign(path) && one.link !== true && one.dev !== true && fits(one),
  );
  expect(installed.length).toBeLessThanOrEqual(700);
  expect(installed.length).toBeGreaterThan(300);
});

test('every part that overrides leave out is a link to the package that stands for it', () => {
  const absent = Object.values(manifest.overrides).flatMap((parts) =>
    typeof parts === 'string' ? [] : Object.entries(parts).filter(([, is]) => is.startsWith('file:')),
  );
  expect(new Set(absent.map(([, is]) => is))).toEqual(new Set(['file:tools/absent']));
  const links = Object.entries(packages).filter(([, { link, resolved = '' }]) => link && resolved.endsWith('absent'));
  // npm writes another path for a part that is added: from the package that asks for it.
  expect(links.filter(([, { resolved }]) => resolved !== 'tools/absent')).toEqual([]);
  const linked = new Set(links.map(([path]) => path.split('node_modules/').at(-1)));
  expect(absent.filter(([name]) => !linked.has(name))).toEqual([]);
});

/** Packages that a program loads when it starts; what is imported on demand does not count. */
async function loadedAtOnce(entry: string): Promise<string[]> {
  const loaded = new Set<string>();
  await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    plugins: [
      {
        name: 'packages',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
            if (kind === 'entry-point' || path.startsWith('@caravan/')) return undefined;
            if (kind !== 'dynamic-import' && !path.startsWith('node:')) loaded.add(packageOf(path));
            return { path, external: true };
          });
          onResolve(
            {
              filter:
                /^\.\/commands\/(?:tests\/test|dev\/dev|docs\/docs|pictures\/pictures|check|bench|mutants\/mutants)\.ts$/,
            },
            ({ path, kind }) => (kind === 'dynamic-import' ? { path, external: true } : undefined),
          );
        },
      },
    ],
  });
  return [...loaded].toSorted();
}

test.each([
  'tools/caravan/main.ts',
  'tools/check-invariants/main.ts',
  'tools/mailbox/main.ts',
  'libs/simulators/main.ts',
])('%s starts without a package for tests', async (entry) => {
  const loaded = await loadedAtOnce(entry);
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.filter((name) => !(name in manifest.dependencies))).toEqual([]);
});
