import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

type Failure = { title: string; message: string };

export type Tally = { passed: number; failures: Failure[] };

const vitestReport = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string().default(''),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z
        .array(
          z.object({
            status: z.string(),
            fullName: z.string().default(''),
            failureMessages: z.array(z.string()).nullish(),
          }),
        )
        .default([]),
    }),
  ),
});

type VitestFile = z.infer<typeof vitestReport>['testResults'][number];

function failuresOfFile({ name, status, message, assertionResults }: VitestFile): Failure[] {
  const failed = assertionResults
    .filter((assertion) => assertion.status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      title: `${name} › ${fullName}`,
      message: failureMessages?.join('\n') ?? '',
    }));
  return failed.length === 0 && status === 'failed' ? [{ title: name, message }] : failed;
}

/** A file that could not even be loaded counts as one failed test. */
export function tallyOfVitest(report: unknown): Tally {
  const { numPassedTests, testResults } = vitestReport.parse(report);
  return { passed: numPassedTests, failures: testResults.flatMap(failuresOfFile) };
}

const playwrightError = z.object({ message: z.string().default('') });
const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z.array(z.object({ errors: z.array(playwrightError).default([]) })).default([]),
    }),
  ),
});
type PlaywrightSuite = { specs: z.infer<typeof playwrightSpec>[]; suites?: PlaywrightSuite[] | undefined };
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  specs: z.array(playwrightSpec),
  suites: z.lazy(() => z.array(playwrightSuite).optional()),
});
const playwrightReport = z.object({
  suites: z.array(playwrightSuite).default([]),
  errors: z.array(playwrightError).default([]),
  stats: z.object({ expected: z.number() }),
});

const didNotPass = new Set(['unexpected', 'flaky']);

function failuresOfSuite({ specs, suites = [] }: PlaywrightSuite): Failure[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => didNotPass.has(status))
      .map(({ results }) => ({
        title: `${file} › ${title}`,
        message: results.flatMap(({ errors }) => errors.map(({ message }) => message)).join('\n'),
      })),
  );
  return [...own, ...suites.flatMap(failuresOfSuite)];
}

/** A test that passed only when repeated counts as failed. */
export function tallyOfPlaywright(report: unknown): Tally {
  const { suites, errors, stats } = playwrightReport.parse(report);
  const outside = errors.map(({ message }) => ({ title: 'outside of the journeys', message }));
  return { passed: stats.expected, failures: [...suites.flatMap(failuresOfSuite), ...outside] };
}

export const failure = (title: string, message = ''): Tally => ({ passed: 0, failures: [{ title, message }] });

/** A run that failed without a failed test counts as one. */
export const withExitCode = (tally: Tally, exitCode: number): Tally =>
  exitCode !== 0 && tally.failures.length === 0
    ? { ...tally, ...failure(`the runner ended with exit code ${exitCode}`), passed: tally.passed }
    : tally;

export const sum = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((total, { passed }) => total + passed, 0),
  failures: tallies.flatMap(({ failures }) => failures),
});

const [shownLines, shownCharacters] = [25, 200];

/** The names once more at the end: whoever keeps only the end of a record reads them all. */
export function failed({ failures }: Tally): string {
  if (failures.length === 0) return '';
  const told = failures.map(({ title, message }) => {
    const lines = stripVTControlCharacters(message).trimEnd().split('\n').slice(0, shownLines);
    return [`✗ ${title}`, ...lines.map((line) => `    ${line.slice(0, shownCharacters)}`.trimEnd())].join('\n');
  });
  const names = failures.map(({ title }) => `  ${title}`);
  return `\nWhat failed:\n${told.join('\n')}\n\nIn short:\n${names.join('\n')}\n`;
}

export const lastLine = ({ passed, failures }: Tally): string => `${passed} passed, ${failures.length} failed`;
