import { stripVTControlCharacters } from 'node:util';
import type { JSONReport, JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter';
import type { JsonTestResult, JsonTestResults } from 'vitest/node';

type Failure = { title: string; message: string };

export type Tally = { passed: number; failures: Failure[] };

function failuresOfFile({ name, status, message, assertionResults }: JsonTestResult): Failure[] {
  const failureList = assertionResults
    .filter((assertion) => assertion.status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      title: `${name} › ${fullName}`,
      message: failureMessages?.join('\n') ?? '',
    }));
  return failureList.length === 0 && status === 'failed' ? [{ title: name, message }] : failureList;
}

/** A file that could not even be loaded counts as one failed test. */
export const tallyOfVitest = ({ numPassedTests, testResults }: JsonTestResults): Tally => ({
  passed: numPassedTests,
  failures: testResults.flatMap(failuresOfFile),
});

/** The tests of suites and of the suites in them. */
export const specsOf = (suites: readonly JSONReportSuite[]): JSONReportSpec[] =>
  suites.flatMap(({ specs, suites: inner = [] }) => specs.concat(specsOf(inner)));

/** A test that passed only when repeated counts as failed. */
export function tallyOfPlaywright({ suites, errors, stats }: JSONReport): Tally {
  const failures = specsOf(suites).flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => ({
        title: `${file} › ${title}`,
        message: results.flatMap((result) => result.errors.map(({ message }) => message)).join('\n'),
      })),
  );
  const outside = errors.map(({ message = '' }) => ({ title: 'outside of the journeys', message }));
  return { passed: stats.expected, failures: failures.concat(outside) };
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

const shownLines = 25;
const shownCharacters = 200;

/** The names once more at the end: whoever keeps only the end of a record reads them all. */
export function failureText({ failures }: Tally): string {
  if (failures.length === 0) return '';
  const told = failures.map(({ title, message }) => {
    const lines = stripVTControlCharacters(message).trimEnd().split('\n').slice(0, shownLines);
    return [`✗ ${title}`, ...lines.map((line) => `    ${line.slice(0, shownCharacters)}`.trimEnd())].join('\n');
  });
  const names = failures.map(({ title }) => `  ${title}`);
  return `\nWhat failed:\n${told.join('\n')}\n\nIn short:\n${names.join('\n')}\n`;
}

export const lastLine = ({ passed, failures }: Tally): string => `${passed} passed, ${failures.length} failed`;
