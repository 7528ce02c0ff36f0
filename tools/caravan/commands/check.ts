import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSources } from '../build/build.ts';
import { npmProgram, root } from '../process/paths.ts';
import { runTool } from '../process/programs.ts';
import { checkLicences } from '../build/supply-chain/licence-list.ts';
import { writeSbom } from '../build/supply-chain/sbom.ts';
import { print } from '../process/terminal.ts';
import { buildSite, checkGeneratedPages } from './docs/docs.ts';

type Check = {
  name: string;
  /** Takes long and changes with packages or builds only, so it is left to `./caravan check --full`. */
  isFull?: boolean;
  run: (signal: AbortSignal) => Promise<unknown>;
};

const script = (name: string, script: string, args: () => string[] = () => []): Check => ({
  name,
  run: (signal) => runTool('npm', ['run', '--silent', script, '--', ...args()], { signal, cwd: root, lastLines: 500 }),
});

/** Results are kept for as long as what decides about them, besides the file itself, stays the same. */
function cacheFolder(): string {
  const rules = globSync('{package-lock.json,eslint.config.mjs,.prettierrc.json,tools/house/*.{ts,mjs}}', {
    cwd: root,
  });
  const hash = createHash('sha256');
  for (const file of rules.toSorted()) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return join(root, '.caravan/cache', hash.digest('hex').slice(0, 16));
}

const byContent = (name: string): string[] => [
  '--cache',
  '--cache-strategy=content',
  `--cache-location=${join(cacheFolder(), name)}`,
];

// The longest first, so that none of them runs alone at the end.
const checks: Check[] = [
  script('lint', 'lint', () => byContent('eslint')),
  script('types', 'types'),
  script('formatting', 'format:check', () => byContent('prettier')),
  script('boundaries', 'boundaries'),
  script('unused code', 'unused'),
  { name: 'message catalogues', run: changedCatalogues },
  {
    name: 'OpenAPI document',
    run: (signal) =>
      runTool(npmProgram('tsx'), ['libs/contracts/http/write-openapi.ts', '--check'], { signal, cwd: root }),
  },
  { name: 'generated pages', run: checkGeneratedPages },
  { name: 'licences of packages', run: checkLicences },
  { name: 'sizes of the web app', isFull: true, run: webSizes },
  {
    name: 'SQL against the migrated schema',
    isFull: true,
    run: (signal) => runTool(npmProgram('tsx'), ['tools/caravan/commands/statements/main.ts'], { signal, cwd: root }),
  },
  { name: 'documentation site', isFull: true, run: buildSite },
  { name: 'SBOM', isFull: true, run: writeSbom },
];

async function passes({ name, run }: Check, signal: AbortSignal): Promise<boolean> {
  const from = performance.now();
  const took = (): string => `${((performance.now() - from) / 1000).toFixed(1)} s`;
  try {
    await run(signal);
    print(`✓ ${name} (${took()})`);
    return true;
  } catch (error) {
    print(`✗ ${name} (${took()})`);
    process.stdout.write(`\n${error instanceof Error ? error.message : String(error)}\n\n`);
    return false;
  }
}

const checksAtOnce = 2;

/** @param isFull with the checks that need a build or read all packages, as before a change is taken */
export async function check(signal: AbortSignal, isFull: boolean): Promise<number> {
  await generateSources(signal);
  const waiting = checks.filter((each) => isFull || !each.isFull);
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (!(await passes(next, signal))) failed.push(next.name);
    }
  };
  await Promise.all(Array.from({ length: checksAtOnce }, work));
  process.stdout.write(failed.length === 0 ? '\nAll is well.\n' : `\nFailed: ${failed.join(', ')}\n`);
  return failed.length === 0 ? 0 : 1;
}

const folder = join(root, 'web/src/locales');

const read = (): Map<string, string> =>
  new Map(globSync('*.po', { cwd: folder }).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

// Lingui writes the time of each extraction, which says nothing about the messages.
const messages = (catalogue: string | undefined): string | undefined =>
  catalogue?.replace(/^"POT-Creation-Date:.*\n/m, '');

async function changedCatalogues(signal: AbortSignal): Promise<void> {
  const before = read();
  const extract = ['extract', '--clean', '--config', join(root, 'web/lingui.config.ts')];
  await runTool(npmProgram('lingui'), extract, { signal, cwd: join(root, 'web') });
  const after = read();
  for (const [name, content] of before) writeFileSync(join(folder, name), content);
  const stale = [...after].filter(([name, content]) => messages(before.get(name)) !== messages(content));
  if (stale.length === 0) return;
  const names = stale.map(([name]) => name).join(', ');
  throw new Error(`Out of date: ${names}. Run \`npx lingui extract --clean\` in web/.`);
}

/** Builds beside dist/, which a running instance may serve. */
async function webSizes(signal: AbortSignal): Promise<void> {
  const build = ['build', '--outDir', join(root, '.caravan/sizes'), '--emptyOutDir'];
  await runTool(npmProgram('vite'), build, { signal, cwd: join(root, 'web') });
  await runTool(npmProgram('size-limit'), [], { signal, cwd: root });
}
