import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { serviceNames } from '@caravan/contracts/events/topics';
import { build as bundle, type BuildOptions, context, type Metafile, type Plugin } from 'esbuild';
import { packageOf } from './packed.ts';
import { npmProgram, root, shared } from '../process/paths.ts';
import { print, step, UserError } from '../process/terminal.ts';
import { contentHash, isDone, markDone } from '../process/stamps.ts';
import { runTool } from '../process/programs.ts';

type Bundle = {
  name: string;
  folder: string;
  entry: string;
  beside?: Record<string, string>;
};

const imageProcess = { 'image-process': 'libs/service-kit/media/image-process.ts' };

const companionProcess = { 'companion-process': 'services/activity/src/companion/companion-process.client.ts' };

const commonPasswords = { 'common-passwords': 'services/identity/src/credentials/common-passwords.bloom' };

const recapPictures = {
  'drawing-thread': 'services/social/src/drawing/drawing-thread.client.ts',
  'figtree-medium': 'services/social/src/recaps/figtree-medium.ttf',
  'figtree-extrabold': 'services/social/src/recaps/figtree-extrabold.ttf',
};

const bundles: Bundle[] = [
  { name: 'gateway', folder: 'gateway', entry: 'src/main.ts' },
  ...serviceNames.map((name) => ({
    name,
    folder: `services/${name}`,
    entry: 'src/main.ts',
    beside: {
      ...imageProcess,
      ...(name === 'activity' && companionProcess),
      ...(name === 'identity' && commonPasswords),
      ...(name === 'social' && recapPictures),
    },
  })),
  { name: 'operate', folder: 'tools/caravan', entry: 'operate/operate.ts' },
  { name: 'mailbox', folder: 'tools/mailbox', entry: 'main.ts' },
  { name: 'simulators', folder: 'libs/simulators', entry: 'main.ts' },
];

export const bundleNames: readonly string[] = bundles.map(({ name }) => name);

const packagesFile = (name: string): string => join(shared.dist, name, 'packages.json');

/** The packages that a built bundle loads from node_modules. */
export const packagesOf = (name: string): string[] => JSON.parse(readFileSync(packagesFile(name), 'utf8')) as string[];

function loadedBy({ outputs }: Metafile): string[] {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const foreign = imports.filter(({ path, external }) => external === true && !isBuiltin(path));
  return [...new Set(foreign.map(({ path }) => packageOf(path)))].toSorted();
}

const house = ['package-lock.json', 'tsconfig.base.json', 'tools/caravan/build/build.ts'].map((file) =>
  join(root, file),
);

/** Own packages are bundled from their sources; everything else is loaded from node_modules at run time. */
const ownSources: Plugin = {
  name: 'own-sources',
  setup(build) {
    build.onResolve({ filter: /^@caravan\// }, ({ path }) => {
      return { path: `${join(root, 'libs', path.slice('@caravan/'.length))}.ts` };
    });
    build.onResolve({ filter: /^[^./]/ }, ({ kind }) => (kind === 'entry-point' ? undefined : { external: true }));
  },
};

async function bundleOnce(of: Bundle): Promise<boolean> {
  const { name, folder } = of;
  const hash = contentHash([...house, join(root, 'libs'), join(root, folder)]);
  if (isDone(`bundle-${name}`, hash) && existsSync(packagesFile(name))) return false;
  const { metafile } = await bundle(optionsOf(of));
  writeFileSync(packagesFile(name), `${JSON.stringify(loadedBy(metafile))}\n`);
  markDone(`bundle-${name}`, hash);
  return true;
}

function optionsOf({ name, folder, entry, beside = {} }: Bundle): BuildOptions & { metafile: true } {
  return {
    absWorkingDir: root,
    entryPoints: { main: join(root, folder, entry), ...mapPrograms(beside) },
    outdir: join(shared.dist, name),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    sourcemap: true,
    metafile: true,
    tsconfig: join(root, 'tsconfig.base.json'),
    plugins: [ownSources],
    loader: { '.bloom': 'copy', '.ttf': 'copy' },
    logLevel: 'silent',
  };
}

/** A bundle that is built again whenever one of its sources changes, from what esbuild remembers of the others. */
export type WatchedBundle = {
  readonly name: string;
  /** True for its sources, and for every file while it cannot be built. @param file absolute path */
  readonly dependsOn: (file: string) => boolean;
  /** Rejects with esbuild's messages; dist/ then keeps the last bundle that could be built. */
  readonly rebuild: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Builds each bundle once. */
export const watchedBundles = (): Promise<WatchedBundle[]> => Promise.all(bundles.map(watchedBundle));

async function watchedBundle(of: Bundle): Promise<WatchedBundle> {
  const building = await context(optionsOf(of));
  let inputs: Set<string> | undefined;
  const rebuild = async (): Promise<void> => {
    inputs = undefined;
    const { metafile } = await building.rebuild();
    inputs = new Set(Object.keys(metafile.inputs).map((file) => resolve(root, file)));
    // The next `up` builds it once more.
    markDone(`bundle-${of.name}`, 'while it was being changed');
    writeFileSync(packagesFile(of.name), `${JSON.stringify(loadedBy(metafile))}\n`);
  };
  await rebuild();
  return { name: of.name, dependsOn: (file) => inputs?.has(file) !== false, rebuild, close: () => building.dispose() };
}

const mapPrograms = (programs: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, join(root, file)]));

async function generate(what: string, inputs: string[], output: string, work: () => Promise<unknown>): Promise<void> {
  const hash = contentHash([...inputs, join(root, 'package-lock.json')]);
  if (isDone(what, hash) && existsSync(output)) return;
  await step(`Generated ${what}`, work);
  markDone(what, hash);
}

/** The web app's client of the API and the service's client of its rows: needed by the types, the tests and the builds. */
export async function generateSources(signal: AbortSignal): Promise<void> {
  await Promise.all([generateWebClient(signal), generateRows(signal)]);
}

async function generateWebClient(signal: AbortSignal): Promise<void> {
  const api = join(root, 'docs/api/openapi.json');
  const settings = join(root, 'web/openapi-ts.config.ts');
  const inputs = [api, settings, join(root, 'web/build/required-keys.ts')];
  await generate('web-client', inputs, join(root, 'web/src/lib/api/generated'), () =>
    runTool(npmProgram('openapi-ts'), ['-f', settings], { signal, cwd: root }),
  );
}

async function generateRows(signal: AbortSignal): Promise<void> {
  const service = join(root, 'services/integrations');
  const schema = join(service, 'prisma/schema.prisma');
  // The engine for migrations is not needed here, and would be fetched from the internet.
  const variables = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
  await generate('rows', [schema], join(service, 'src/generated/prisma'), () =>
    runTool(npmProgram('prisma'), ['generate', '--schema', schema, '--no-hints'], { signal, cwd: root, variables }),
  );
}

/** `quick` compresses less: the first page of a local instance is there two seconds sooner. */
type BuildSpeed = 'quick' | 'full';

async function buildWeb(signal: AbortSignal, speed: BuildSpeed): Promise<boolean> {
  const web = join(root, 'web');
  const hash = contentHash([...house, web, join(root, 'libs/contracts'), join(root, 'docs/api/openapi.json')]);
  const isBuilt = isDone('web', hash) || (speed === 'quick' && isDone('web', `${hash} quick`));
  if (isBuilt && existsSync(join(shared.dist, 'web/index.html'))) return false;
  const mode = speed === 'quick' ? ['--mode', 'quick'] : [];
  await runTool(npmProgram('vite'), ['build', ...mode, '--outDir', join(shared.dist, 'web')], { signal, cwd: web });
  markDone('web', speed === 'quick' ? `${hash} quick` : hash);
  return true;
}

/** Each is there as soon as it can be: what serves people does not wait for the web app's build. */
export type Build = { processes: Promise<void>; webApp: Promise<void>; all: Promise<void> };

/** Builds every process and the web app into dist/, leaving out what has not changed. */
export function beginBuild(signal: AbortSignal, speed: BuildSpeed = 'full'): Build {
  const from = performance.now();
  const rows = generateRows(signal);
  const bundled = Promise.all(
    bundles.map(async (one) => {
      if (one.name === 'integrations') await rows;
      return bundleOnce(one);
    }),
  ).catch(mendable);
  const web = generateWebClient(signal)
    .then(() => buildWeb(signal, speed))
    .catch(mendable);
  const all = Promise.all([bundled, web]).then(([built, isWebBuilt]) => {
    const took = `${((performance.now() - from) / 1000).toFixed(1)} s`;
    const isNew = isWebBuilt || built.some(Boolean);
    print(isNew ? `Built the services, the gateway and the web app (${took})` : `Nothing to build (${took})`);
  });
  const build = { processes: bundled.then(() => undefined), webApp: web.then(() => undefined), all };
  // Each is awaited where it is needed; until then a failure must not count as unhandled.
  for (const part of Object.values(build)) part.catch(() => undefined);
  return build;
}

function mendable(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  throw new UserError(message, 'Mend what does not build, then start again.');
}

export const buildProduct = (signal: AbortSignal): Promise<void> => beginBuild(signal).all;
