import { globSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { JSONReport } from '@playwright/test/reporter';
import type { JsonTestResults } from 'vitest/node';
import { secretsOf } from '../../servers/instance-files.ts';
import { emptyInstanceDir, type InstanceDir, instanceDirs, npmProgram, root } from '../../process/paths.ts';
import { freePort } from '../../process/ports.ts';
import { startProduct } from '../../servers/product.ts';
import { runAttached } from '../../process/programs.ts';
import { seedOnce } from '../seed.ts';
import type { Supervisor } from '../../process/supervisor.ts';
import { findTool, pathOf, tools } from '../../build/toolchain.ts';
import { type FileTime, timesOfPlaywright, timesOfVitest } from './timings.ts';
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
  /** Seed of the random values, and of the order of files when it is random. */
  seed?: number;
  isShuffled?: boolean;
  /** With every case of the matrices and properties. */
  isFull?: boolean;
  variables?: Record<string, string>;
};

function tallyIn<Report>(report: string, tallyOf: (report: Report) => Tally): Tally {
  try {
    return tallyOf(JSON.parse(readFileSync(report, 'utf8')) as Report);
  } catch (error) {
    return failure(`no report at ${report}`, String(error));
  }
}

const reportOf = (stage: string): string => join(instanceDirs.test, `${stage}.json`);

/** The seconds of each file of a stage that has just run; none where the runner broke off before its report. */
export function fileTimes(stage: Stage): FileTime[] {
  try {
    const report: unknown = JSON.parse(readFileSync(reportOf(stage), 'utf8'));
    return stage === 'journeys'
      ? timesOfPlaywright(report as JSONReport)
      : timesOfVitest(report as JsonTestResults, root);
  } catch {
    return [];
  }
}

/** Names beside each failure the command that draws its values again. */
function repeatable({ passed, failures }: Tally, seed: number | undefined): Tally {
  if (seed === undefined) return { passed, failures };
  const withCommand = failures.map(({ title, message }) => {
    const file = relative(root, title.split(' › ')[0] ?? '');
    return { title, message: `./caravan test --seed ${seed} --only ${file}\n${message}` };
  });
  return { passed, failures: withCommand };
}

async function runOnce(
  { stage, signal, seed, isShuffled, isFull, variables }: VitestRun,
  filters: string[],
): Promise<Tally> {
  const report = reportOf(stage);
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', stage === 'web' ? 'web*' : stage, ...reporters, ...filters];
  if (isShuffled) args.push('--sequence.shuffle.files', `--sequence.seed=${seed ?? 0}`);
  // A consumer made slow for one suite would be slow for the next one in its process.
  if (variables?.['CARAVAN_TEST_LATE']) args.push('--isolate');
  const exitCode = await runAttached(npmProgram('vitest'), args, {
    cwd: root,
    signal,
    variables: {
      ...variables,
      CARAVAN_TEST_FULL: isFull ? 'yes' : 'no',
      ...(seed !== undefined && { CARAVAN_TEST_SEED: String(seed) }),
    },
  });
  return repeatable(withExitCode(tallyIn(report, tallyOfVitest), exitCode), seed);
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
  { only, isFull }: { only: string | undefined; isFull: boolean },
): Promise<Tally> {
  emptyInstanceDir(instanceDir);
  const product = {
    instanceDir,
    secrets: secretsOf(instanceDir),
    isDurable: false,
    run: 'journeys' as const,
    built: Promise.resolve(),
  };
  const { url } = await startProduct(supervisor, { ...product, port: await freePort() });
  await seedOnce(instanceDir, url, 'demo');

  const report = reportOf('journeys');
  rmSync(report, { force: true });
  const filter = selection === 'all' || selection.files.length > 0 ? [] : ['--grep', literally(only ?? '')];
  const files = selection === 'all' ? [] : [...selection.files, ...selection.filesByTitle];
  const args = ['test', '--config', join(root, 'e2e'), '--reporter=list,json', ...filter, ...files];
  const engines = (['chromium', 'firefox', 'webkit'] as const).filter(
    (engine) => findTool(tools[engine]) !== undefined,
  );
  const headlessShell = isFull ? undefined : pathOf(tools.headlessShell);
  const variables = {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    CARAVAN_URL: url,
    CARAVAN_RUN_FILE: instanceDir.runFile,
    CARAVAN_ENGINES: engines.join(),
    ...(headlessShell !== undefined && { CARAVAN_HEADLESS_SHELL: headlessShell }),
    CARAVAN_TEST_FULL: isFull ? 'yes' : 'no',
  };
  const options = { cwd: root, signal: supervisor.signal, variables };
  const exitCode = await runAttached(npmProgram('playwright'), args, options);
  return withExitCode(tallyIn(report, tallyOfPlaywright), exitCode);
}
