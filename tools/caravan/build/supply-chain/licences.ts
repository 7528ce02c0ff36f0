// Which licences a package may have that Caravan, under Apache-2.0, is built of or distributed with.

import parse, { type Info } from 'spdx-expression-parse';

export type LockedPackage = {
  readonly version?: string | undefined;
  readonly license?: string | undefined;
  readonly dev?: boolean | undefined;
  readonly link?: boolean | undefined;
};
export type Package = { readonly name: string; readonly versions: readonly string[]; readonly licence: string };

/** They ask for a notice at most. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

type Exception = { readonly packages: RegExp; readonly licence: string; readonly why: string };

const unchanged = 'its terms hold for its own files, which we use and pass on unchanged';
const toolOnly = 'a tool of development: nothing of it is in what we distribute';
const olderField = 'its package.json names the licence in an older field, which npm leaves out';

export const exceptions: readonly Exception[] = [
  { packages: /^@resvg\/resvg-js(-.+)?$/, licence: 'MPL-2.0', why: `draws pictures of recaps; ${unchanged}` },
  { packages: /^web-push$/, licence: 'MPL-2.0', why: `sends pushes; ${unchanged}` },
  {
    packages: /^@img\/sharp-libvips-.+$/,
    licence: 'LGPL-3.0-or-later',
    why: 'a shared library that sharp loads when it runs, and that anybody may replace',
  },
  {
    packages: /^@img\/sharp-(wasm32|win32-.+)$/,
    licence: '.*LGPL-3.0-or-later.*',
    why: 'for systems that no image of ours is made for',
  },
  { packages: /^axe-core$/, licence: 'MPL-2.0', why: toolOnly },
  { packages: /^lightningcss(-.+)?$/, licence: 'MPL-2.0', why: toolOnly },
  { packages: /^argparse$/, licence: 'Python-2.0', why: toolOnly },
  { packages: /^caniuse-lite$/, licence: 'CC-BY-4.0', why: `data on browsers; ${toolOnly}` },
  {
    packages: /^@fontsource-variable\/figtree$/,
    licence: 'OFL-1.1',
    why: 'the typeface, which may be passed on with software under its own licence',
  },
  { packages: /^passport-strategy$/, licence: 'unknown', why: `MIT: ${olderField}` },
  { packages: /^(buildcheck|cpu-features|ssh2)$/, licence: 'unknown', why: `MIT: ${olderField}` },
  { packages: /^spdx-exceptions$/, licence: 'CC-BY-3.0', why: `a list of names; ${toolOnly}` },
  { packages: /^(combine-errors|pause|seq-queue)$/, licence: 'unknown', why: 'MIT: its readme or LICENSE says so' },
];

/** Sorted by name: a package that is there in several versions or places is listed once for each licence. */
export function packagesIn(locked: Readonly<Record<string, LockedPackage>>): Package[] {
  const found = new Map<string, { name: string; licence: string; versions: Set<string> }>();
  for (const [path, { version = '', license: licence = 'unknown', link }] of Object.entries(locked)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (!path.includes('node_modules/') || link === true) continue;
    const key = `${name} ${licence}`;
    const one = found.get(key) ?? { name, licence, versions: new Set<string>() };
    found.set(key, { ...one, versions: one.versions.add(version) });
  }
  return [...found.values()]
    .map(({ versions, ...one }) => ({ ...one, versions: [...versions].sort() }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** For `A OR B` one is enough, for `A AND B` each has to be allowed. A text that is no SPDX expression is refused. */
export function isPermissive(licence: string): boolean {
  try {
    // Some packages write the operators in lower case.
    return isAllowed(parse(licence.replaceAll(/ (and|or) /g, (operator) => operator.toUpperCase())));
  } catch {
    return false;
  }
}

function isAllowed(expression: Info): boolean {
  if ('license' in expression) return permissive.has(expression.license) && expression.exception === undefined;
  const { left, right, conjunction } = expression;
  return conjunction === 'or' ? isAllowed(left) || isAllowed(right) : isAllowed(left) && isAllowed(right);
}

export const exceptionFor = ({ name, licence }: Package): Exception | undefined =>
  exceptions.find((one) => one.packages.test(name) && new RegExp(`^${one.licence}$`).test(licence));

/** Those whose licence is unknown, or asks for more than a notice, and for which no exception is named. */
export const refusedIn = (packages: readonly Package[]): Package[] =>
  packages.filter((one) => !isPermissive(one.licence) && exceptionFor(one) === undefined);

export function licencesText(packages: readonly Package[]): string {
  const byLicence = [...Map.groupBy(packages, ({ licence }) => licence)].sort(
    ([one, many], [other, more]) => more.length - many.length || (one < other ? -1 : 1),
  );
  const parts = byLicence.map(([licence, own]) => {
    const names = own.map(({ name, versions }) => `${name} ${versions.join(', ')}`.trim());
    return `## ${licence} (${own.length})\n\n${names.join(' · ')}\n`;
  });
  const rows = exceptions.map(({ packages: pattern, licence, why }) => {
    const names = packages.filter((one) => pattern.test(one.name)).map(({ name }) => `\`${name}\``);
    return `- ${names.join(', ')} (${licence.replaceAll('.*', '')}): ${why}`;
  });
  return [
    '<!-- Generated from package-lock.json by ./caravan docs --write. Do not edit. -->\n',
    '# Licences of packages\n',
    'Caravan is under Apache-2.0. This page lists the packages of `package-lock.json` by the licence that each one names.',
    '`./caravan check` fails at a package whose licence is unknown or asks for more than a notice, unless',
    '`tools/caravan/build/supply-chain/licences.ts` names an exception.\n',
    '## Named exceptions\n',
    `${rows.join('\n')}\n`,
    parts.join('\n'),
  ].join('\n');
}
