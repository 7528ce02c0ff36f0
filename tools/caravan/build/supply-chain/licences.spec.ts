import { describe, expect, test } from 'vitest';
import { lockedPackages } from './licence-list.ts';
import { exceptions, isPermissive, licencesText, packagesIn, refusedIn } from './licences.ts';

const packagesWith = (licence?: string) =>
  packagesIn({ 'node_modules/some-package': { version: '1.2.3', license: licence } });

describe('the licence of a package', () => {
  test.each(['MIT', 'Apache-2.0', '(MIT OR GPL-3.0)', 'MIT AND ISC', 'MIT and ISC', 'GPL-3.0-only OR (MIT AND ISC)'])(
    '[S41] %s is allowed in a product under Apache-2.0',
    (licence) => {
      expect([isPermissive(licence), refusedIn(packagesWith(licence))]).toEqual([true, []]);
    },
  );

  test.each([
    'GPL-3.0-only AND (MIT OR ISC)',
    '(GPL-3.0-only OR MIT) AND AGPL-3.0-only',
    'MIT WITH Classpath-exception-2.0',
    'SEE LICENSE IN LICENSE.md',
  ])('[S41] %s is refused, although a permissive licence stands in it or none can be read', (licence) => {
    expect(isPermissive(licence)).toBe(false);
  });

  test.each([undefined, 'GPL-3.0-only', 'AGPL-3.0-or-later', 'SSPL-1.0', 'MIT AND GPL-2.0-only', 'UNLICENSED'])(
    '[S41] %s is refused',
    (licence) => {
      expect(refusedIn(packagesWith(licence)).map(({ name }) => name)).toEqual(['some-package']);
    },
  );

  test('[S41] is allowed by an exception only for the package and the licence that it names', () => {
    const of = (path: string, license: string) => refusedIn(packagesIn({ [path]: { version: '1.0.0', license } }));
    expect(of('node_modules/web-push', 'MPL-2.0')).toEqual([]);
    expect(of('node_modules/web-push', 'GPL-3.0-only')).toHaveLength(1);
    expect(of('node_modules/web-push-more', 'MPL-2.0')).toHaveLength(1);
  });
});

test('[S41] every package of the lockfile has an allowed licence, and every named exception is needed', () => {
  const packages = lockedPackages();
  expect(refusedIn(packages)).toEqual([]);
  const needless = exceptions.filter(
    ({ packages: pattern }) => !packages.some(({ name, licence }) => pattern.test(name) && !isPermissive(licence)),
  );
  expect(needless.map(({ packages: pattern }) => String(pattern))).toEqual([]);
});

test('[S41] the list names every package once with its versions, below its licence', () => {
  const packages = packagesIn({
    '': { version: '0.1.0', license: 'Apache-2.0' },
    'libs/one': { version: '0.1.0' },
    'node_modules/@caravan/one': { link: true },
    'node_modules/two': { version: '2.0.0', license: 'MIT' },
    'node_modules/one/node_modules/two': { version: '1.0.0', license: 'MIT' },
  });
  expect(packages).toEqual([{ name: 'two', licence: 'MIT', versions: ['1.0.0', '2.0.0'] }]);
  expect(licencesText(packages)).toContain('## MIT (1)\n\ntwo 1.0.0, 2.0.0\n');
});
