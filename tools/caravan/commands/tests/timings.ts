import { cpus } from 'node:os';
import { relative } from 'node:path';
import type { JSONReport } from '@playwright/test/reporter';
import type { JsonTestResults } from 'vitest/node';
import { specsOf } from './tally.ts';

export type FileTime = { readonly file: string; readonly seconds: number };

/** `cpuShare`: how much of all cores worked meanwhile, of 0 to 1; the rest of the time was spent waiting. */
export type StageTime = {
  readonly stage: string;
  readonly seconds: number;
  readonly cpuShare: number;
  readonly files: readonly FileTime[];
};

/** The seconds of each file in Vitest's JSON report, whose times are in milliseconds. */
export const timesOfVitest = ({ testResults }: JsonTestResults, root: string): FileTime[] =>
  testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: Math.max(0, endTime - startTime) / 1_000,
  }));

/** The seconds of each file in Playwright's JSON report, whose durations are in milliseconds. */
export const timesOfPlaywright = ({ suites }: JSONReport): FileTime[] =>
  suites.map((suite) => {
    const results = specsOf([suite]).flatMap(({ tests }) => tests.flatMap((test) => test.results));
    const milliseconds = results.reduce((total, { duration }) => total + duration, 0);
    return { file: `e2e/${suite.file}`, seconds: milliseconds / 1_000 };
  });

type CpuTimes = { readonly busy: number; readonly all: number };

function cpuTimes(): CpuTimes {
  const times = cpus().map((core) => core.times);
  const idle = times.reduce((total, each) => total + each.idle, 0);
  const all = times.reduce(
    (total, { user, nice, sys, idle: idling, irq }) => total + user + nice + sys + idling + irq,
    0,
  );
  return { busy: all - idle, all };
}

/** Measures a stage: its seconds, and how much of all cores of the machine worked meanwhile. */
export class StageClock {
  private readonly startedAt = performance.now();
  private readonly before = cpuTimes();

  end(stage: string, files: readonly FileTime[]): StageTime {
    const after = cpuTimes();
    const all = after.all - this.before.all;
    return {
      stage,
      seconds: (performance.now() - this.startedAt) / 1_000,
      cpuShare: all === 0 ? 0 : (after.busy - this.before.busy) / all,
      files,
    };
  }
}

const slowestShown = 20;

/** Seconds by stage with the share of the cores that worked, then the slowest files. */
export function timesTable(stages: readonly StageTime[]): string {
  const row = ({ stage, seconds, cpuShare }: StageTime) =>
    `  ${stage.padEnd(14)}${seconds.toFixed(0).padStart(6)} s   ${(cpuShare * 100).toFixed(0).padStart(3)} % of the cores worked`;
  const total = stages.reduce((sum, { seconds }) => sum + seconds, 0);
  const slowest = stages
    .flatMap(({ files }) => files)
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, slowestShown)
    .map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`);
  return [
    'Seconds by stage:',
    ...stages.map(row),
    `  ${'all'.padEnd(14)}${total.toFixed(0).padStart(6)} s`,
    'The slowest files:',
    ...slowest,
  ].join('\n');
}
