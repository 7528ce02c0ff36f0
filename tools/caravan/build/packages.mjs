import { existsSync, readFileSync } from 'node:fs';

// Plain JavaScript, since it runs before any package is there. Exit code 0: node_modules holds what the lockfile asks
// for, of `all` packages or of those that `run` the product.
const [, , wantedSet = 'all'] = process.argv;
const at = (path) => new URL(`../../../${path}`, import.meta.url);
const read = (file) => JSON.parse(readFileSync(at(file), 'utf8')).packages;
const installedFile = 'node_modules/.package-lock.json';

function isComplete() {
  if (!existsSync(at(installedFile))) return false;
  const wanted = Object.entries(read('package-lock.json')).filter(
    ([path, { dev = false }]) => path.includes('node_modules/') && (wantedSet === 'all' || !dev),
  );
  const installed = read(installedFile);
  return wanted.every(([path, { link, version, optional, devOptional, peer }]) => {
    if (link) return existsSync(at(path));
    const here = installed[path];
    // Packages for other systems are left out by npm itself.
    return here === undefined ? (optional ?? devOptional ?? peer) === true : here.version === version;
  });
}

process.exitCode = isComplete() ? 0 : 1;
