import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSources } from './build.ts';
import { npmProgram, root } from './paths.ts';
import { runTool } from './programs.ts';
import { print } from './terminal.ts';

type Check = { name: string; run: (signal: AbortSignal) => Promise<unknown> };

const script = (name: string, script: string): Check => ({
  name,
  run: (signal) => runTool('npm', ['run', '--silent', script], { signal, cwd: root, lastLines: 500 }),
});

// The longest first, so that none of them runs alone at the end.
const checks: Check[] = [
  script('lint', 'lint'),
  script('types', 'types'),
  script('boundaries', 'boundaries'),
  script('unused code', 'unused'),
  script('formatting', 'format:check'),
  {
    name: 'OpenAPI document',
    run: (signal) => runTool(npmProgram('tsx'), ['libs/contracts/write-openapi.ts', '--check'], { signal, cwd: root }),
  },
  { name: 'message catalogues', run: changedCatalogues },
  { name: 'sizes of the web app', run: webSizes },
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

export async function check(signal: AbortSignal): Promise<number> {
  await generateSources(signal);
  const waiting = [...checks];
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
