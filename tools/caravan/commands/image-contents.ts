import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { serviceNames } from '@caravan/contracts/events/topics';
import { bundleNames, packagesOf } from '../build/build.ts';
import { migrationFolders } from '../servers/databases.ts';
import { type LockedPackages, packedFolders } from '../build/packed.ts';
import { root } from '../process/paths.ts';

/** Commands of an operator run a service's own bundle, so theirs is the image that holds all of them. */
const beside: Record<string, readonly string[]> = {
  gateway: ['dist/web'],
  operate: [...serviceNames.map((name) => `dist/${name}`), ...migrationFolders()],
};

const bundlesIn = (image: string): readonly string[] => (image === 'operate' ? [image, ...serviceNames] : [image]);

const isOfNoUseThere = (file: string): boolean =>
  basename(file) === 'node_modules' || /\.(d\.[cm]?ts|[cm]?[jt]s\.map|md|markdown)$/.test(file);

function copyPackages(image: string, locked: LockedPackages, into: string): void {
  const names = new Set(bundlesIn(image).flatMap(packagesOf));
  for (const folder of packedFolders([...names], locked)) {
    const from = join(root, folder);
    // Of what is optional npm installs what fits the machine.
    if (!existsSync(from)) continue;
    const to = join(into, folder);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true, filter: (file) => file === from || !isOfNoUseThere(file) });
  }
}

/** Below `into`, for each image: `packages`, which change seldom, and `own`, which is what the image is for. */
export function layOutImages(into: string): void {
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: LockedPackages;
  };
  for (const image of bundleNames) {
    const packages = join(into, image, 'packages');
    const own = join(into, image, 'own');
    rmSync(join(into, image), { recursive: true, force: true });
    mkdirSync(packages, { recursive: true });
    copyPackages(image, locked, packages);
    for (const path of [`dist/${image}`, ...(beside[image] ?? [])])
      cpSync(join(root, path), join(own, path), { recursive: true });
    writeFileSync(join(own, 'main.js'), `import './dist/${image}/main.js';\n`);
    writeFileSync(join(own, 'package.json'), '{ "private": true, "type": "module" }\n');
  }
}
