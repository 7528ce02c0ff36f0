/** What a lockfile says of a package that lies in node_modules. */
export type LockedPackage = {
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
};

/** By its folder, such as `node_modules/pg` or `node_modules/a/node_modules/b`. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** `@scope/name/part` and `name/part` without the part. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** As Node looks for it: beside the one who asks, then in every folder above. */
function folderOf(name: string, asker: string, locked: LockedPackages): string | undefined {
  for (let at = asker; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const folder = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (folder in locked) return folder;
    if (at === '') return undefined;
  }
}

function needsOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockedPackage) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
  return {
    needed: [...Object.keys(dependencies ?? {}), ...peers],
    optional: Object.keys(optionalDependencies ?? {}),
  };
}

/** The folders of `names` and of all that they need, sorted. Throws for one that the lockfile does not know. */
export function packedFolders(names: readonly string[], locked: LockedPackages): string[] {
  const folders = new Set<string>();
  const waiting = names.map((name) => ({ name, asker: '', isOptional: false }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { name, asker, isOptional } = next;
    const folder = folderOf(name, asker, locked);
    if (folder === undefined) {
      if (isOptional) continue;
      throw new Error(`${asker || 'A bundle'} needs ${name}, which the lockfile does not know.`);
    }
    const found = locked[folder];
    // A package that `overrides` leave out is a link to tools/absent, which nothing loads.
    if (found === undefined || found.link === true || folders.has(folder)) continue;
    folders.add(folder);
    const { needed, optional } = needsOf(found);
    const isOptionalOf = (each: string) => optional.includes(each);
    for (const each of new Set([...needed, ...optional]))
      waiting.push({ name: each, asker: folder, isOptional: isOptionalOf(each) });
  }
  return [...folders].toSorted();
}
