import { cpus } from 'node:os';
import { relative } from 'node:path';
import { z } from 'zod';

export type FileTime = { readonly file: string; readonly seconds: number };

/** `cpuShare`: how much of all cores worked meanwhile, of 0 to 1; the rest of the time was spent waiting. */
export type StageTime = {
  readonly stage: string;
  readonly seconds: number;
  readonly cpuShare: number;
  readonly files: readonly FileTime[];
};

const vitestTimes = z.object({
  testResults: z.array(
    z.object({ name: z.string(), startTime: z.number().default(0), endTime: z.number().default(0) }),
  ),
});

/** The seconds of each file in Vitest's JSON report, whose times are in milliseconds. */
export function timesOfVitest(report: unknown, root: string): FileTime[] {
  return vitestTimes.parse(report).testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: Math.max(0, endTime - startTime) / 1_000,
  }));
}

type Suite = {
  readonly file?: string | undefined;
  readonly specs: readonly {
    readonly tests: readonly { readonly results: readonly { readonly duration: number }[] }[];
  }[];
  readonly suites?: readonly Suite[] | undefined;
};
const suiteSchema: z.ZodType<Suite> = z.object({
  file: z.string().optional(),
  specs: z.array(z.object({ tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })) })),
  suites: z.lazy(() => z.array(suiteSchema).optional()),
});
const playwrightTimes = z.object({ suites: z.array(suiteSchema).default([]) });

function millisecondsOf({ specs, suites = [] }: Suite): number {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration)));
  return own.concat(suites.map(millisecondsOf)).reduce((total, milliseconds) => total + milliseconds, 0);
}

/** The seconds of each file in Playwright's JSON report, whose durations are in milliseconds. */
export function timesOfPlaywright(report: unknown): FileTime[] {
  return playwrightTimes.parse(report).suites.map((suite) => ({
    file: `e2e/${suite.file ?? ''}`,
    seconds: millisecondsOf(suite) / 1_000,
  }));
}

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
