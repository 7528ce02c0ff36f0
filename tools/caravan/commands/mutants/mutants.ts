import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { npmProgram, root } from '../../process/paths.ts';
import { runAttached } from '../../process/programs.ts';
import { scoresIn, tableOf, withTable } from './summary.ts';

const page = join(root, 'docs/develop/design/testing.md');

/** Breaks the rules in every small way and runs their specs on each; all of them are written down in docs/develop/design/testing.md. */
export async function mutants(paths: readonly string[], signal: AbortSignal): Promise<number> {
  const args = ['run', 'tools/caravan/commands/mutants/stryker.config.mjs'];
  if (paths.length > 0) args.push('--mutate', paths.join(','));
  const exitCode = await runAttached(npmProgram('stryker'), args, { cwd: root, signal });
  if (exitCode !== 0) return exitCode;
  const table = tableOf(scoresIn(JSON.parse(readFileSync(join(root, '.caravan/mutants/report.json'), 'utf8'))));
  process.stdout.write(`\n${await prettier(table)}`);
  if (paths.length === 0) writeFileSync(page, await prettier(withTable(readFileSync(page, 'utf8'), table)));
  return 0;
}

async function prettier(markdown: string): Promise<string> {
  return format(markdown, { ...(await resolveConfig(page)), filepath: page });
}
