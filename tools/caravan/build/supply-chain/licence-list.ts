import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../process/paths.ts';
import { licencesText, type LockedPackage, type Package, packagesIn, refusedIn } from './licences.ts';

export const licencesFile = join(root, 'docs/reference/licences.md');

export function lockedPackages(): Package[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return packagesIn(lock.packages);
}

export const formattedLicences = async (): Promise<string> =>
  format(licencesText(lockedPackages()), { ...(await resolveConfig(licencesFile)), filepath: licencesFile });

/** Throws where a licence is not allowed, or the list is not that of the lockfile. */
export async function checkLicences(): Promise<void> {
  const refused = refusedIn(lockedPackages()).map(({ name, licence }) => `${name} (${licence})`);
  if (refused.length > 0)
    throw new Error(`No licence that is allowed (tools/caravan/build/supply-chain/licences.ts): ${refused.join(', ')}`);
  if (readFileSync(licencesFile, 'utf8') !== (await formattedLicences()))
    throw new Error('docs/reference/licences.md is out of date. Run `./caravan docs --write`.');
}
