import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { secretsOf } from './instance-files.ts';
import { emptied, type InstanceDir, instanceDirs, npmProgram, root } from './paths.ts';
import { freePort } from './ports.ts';
import { startProduct } from './product.ts';
import { runAttached } from './programs.ts';
import { seedOnce } from './seed.ts';
import type { Supervisor } from './supervisor.ts';
import { failure, sum, type Tally, tallyOfPlaywright, tallyOfVitest, withExitCode } from './tally.ts';

/** In the order in which they run. */
export const stages = ['pure', 'web', 'integration', 'journeys'] as const;

export type Stage = (typeof stages)[number];

export function stageOf(file: string): Stage | undefined {
  if (!/\.spec\.tsx?$/.test(file)) return undefined;
  if (file.endsWith('.e2e.spec.ts')) return 'journeys';
  if (file.endsWith('.int.spec.ts')) return 'integration';
  if (file.endsWith('.containers.spec.ts')) return undefined;
  return file.startsWith('web/') ? 'web' : 'pure';
}

/** Of `filesByTitle` only tests with the word in their title run. */
export type Selection = { files: string[]; filesByTitle: string[] };

type SpecFile = { file: string; text: string };

/** Chooses the tests of a stage that have `word` in their file's name or title. */
export function select(specs: readonly SpecFile[], stage: Stage, word: string): Selection {
  const sought = word.toLowerCase();
  const ofStage = specs.filter(({ file }) => stageOf(file) === stage);
  const isNamed = ({ file }: SpecFile): boolean => file.toLowerCase().includes(sought);
  const files = ofStage.filter(isNamed).map(({ file }) => file);
  const filesByTitle = ofStage
    .filter((spec) => !isNamed(spec) && spec.text.toLowerCase().includes(sought))
    .map(({ file }) => file);
  return { files, filesByTitle };
}

const isForeign = (path: string): boolean => /(^|\/)(node_modules|dist|generated|\.caravan)(\/|$)/.test(path);

export function allSpecs(): SpecFile[] {
  return globSync('{libs,services,gateway,web,tools,bench,e2e}/**/*.spec.{ts,tsx}', { cwd: root, exclude: isForeign })
    .filter((file) => !isForeign(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

export const literally = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

type VitestRun = {
  stage: Exclude<Stage, 'journeys'> | 'containers';
  selection: Selection | 'all';
  only: string | undefined;
  signal: AbortSignal;
  variables?: Record<string, string>;
};

function tallyIn(report: string, tallyOf: (report: unknown) => Tally): Tally {
  try {
    return tallyOf(JSON.parse(readFileSync(report, 'utf8')));
  } catch (error) {
    return failure(`no report at ${report}`, String(error));
  }
}

async function runOnce({ stage, signal, variables }: VitestRun, filters: string[]): Promise<Tally> {
  const report = join(instanceDirs.test, `${stage}.json`);
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', stage === 'web' ? 'web*' : stage, ...reporters, ...filters];
  const exitCode = await runAttached(npmProgram('vitest'), args, {
    cwd: root,
    signal,
    ...(variables && { variables }),
  });
  return withExitCode(tallyIn(report, tallyOfVitest), exitCode);
}

export async function runVitest(run: VitestRun): Promise<Tally> {
  const { selection, only } = run;
  if (selection === 'all') return runOnce(run, []);
  const tallies: Tally[] = [];
  if (selection.files.length > 0) tallies.push(await runOnce(run, selection.files));
  if (selection.filesByTitle.length > 0) {
    tallies.push(await runOnce(run, [...selection.filesByTitle, '-t', literally(only ?? '')]));
  }
  return sum(tallies);
}

/** Starts the whole product with the demo on a free port, and walks through it in a browser. */
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
  return withExitCode(tallyIn(report, tallyOfPlaywright), exitCode);
}
