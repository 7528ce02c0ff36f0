import { runTool } from './programs.ts';
import { generateSources } from './build.ts';
import { changedCatalogues } from './catalogues.ts';
import { npmProgram, root } from './paths.ts';
import { print } from './progress.ts';
import { webSizes } from './web-sizes.ts';

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

/** Types, lint, boundaries, unused code, formatting, generated files and sizes. Returns the exit code. */
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
