import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runAttached } from './programs.ts';
import { instanceDirs, npmProgram, root } from './paths.ts';
import { literally } from './specs.ts';
import type { Selection, Stage } from './specs.ts';
import { failure, sum, tallyOfVitest, withExitCode } from './tally.ts';
import type { Tally } from './tally.ts';

/** One stage of a test run that Vitest runs. */
export type VitestRun = {
  stage: Exclude<Stage, 'journeys'>;
  selection: Selection | 'all';
  only: string | undefined;
  signal: AbortSignal;
  variables?: Record<string, string>;
};

async function runOnce({ stage, signal, variables }: VitestRun, filters: string[]): Promise<Tally> {
  const report = join(instanceDirs.test, `${stage}.json`);
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', stage, ...reporters, ...filters];
  const exitCode = await runAttached(npmProgram('vitest'), args, {
    cwd: root,
    signal,
    ...(variables && { variables }),
  });
  return withExitCode(tallyIn(report), exitCode);
}

function tallyIn(report: string): Tally {
  try {
    return tallyOfVitest(JSON.parse(readFileSync(report, 'utf8')));
  } catch (error) {
    return failure(`no report at ${report}`, String(error));
  }
}

/** Runs a stage, shows its output and counts its tests. */
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
