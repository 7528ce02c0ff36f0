import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runAttached } from './programs.ts';
import { emptied, npmProgram, root } from './paths.ts';
import type { InstanceDir } from './paths.ts';
import { freePort } from './ports.ts';
import type { Supervisor } from './supervisor.ts';
import { startProduct } from './product.ts';
import { secretsOf } from './secrets.ts';
import { seedOnce } from './seed.ts';
import { literally } from './specs.ts';
import type { Selection } from './specs.ts';
import { failure, tallyOfPlaywright, withExitCode } from './tally.ts';
import type { Tally } from './tally.ts';

function tallyIn(report: string): Tally {
  try {
    return tallyOfPlaywright(JSON.parse(readFileSync(report, 'utf8')));
  } catch (error) {
    return failure(`no report at ${report}`, String(error));
  }
}

/** Starts the whole product with the demo on an empty folder and a free port, and walks through it in a browser. */
export async function journeys(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  selection: Selection | 'all',
  only: string | undefined,
): Promise<Tally> {
  emptied(instanceDir);
  const product = {
    instanceDir,
    secrets: secretsOf(instanceDir),
    isDurable: false,
    run: 'journeys' as const,
    built: Promise.resolve(),
  };
  const { url } = await startProduct(supervisor, { ...product, port: await freePort() });
  await seedOnce(instanceDir, url, 'demo');

  const report = join(instanceDir.folder, 'journeys.json');
  rmSync(report, { force: true });
  const filter = selection === 'all' || selection.files.length > 0 ? [] : ['--grep', literally(only ?? '')];
  const files = selection === 'all' ? [] : [...selection.files, ...selection.filesByTitle];
  const args = ['test', '--config', join(root, 'e2e'), '--reporter=list,json', ...filter, ...files];
  const variables = { PLAYWRIGHT_JSON_OUTPUT_NAME: report, CARAVAN_URL: url, CARAVAN_RUN_FILE: instanceDir.runFile };
  const options = { cwd: root, signal: supervisor.signal, variables };
  const exitCode = await runAttached(npmProgram('playwright'), args, options);
  return withExitCode(tallyIn(report), exitCode);
}
