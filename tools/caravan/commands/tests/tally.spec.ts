import type { JSONReport } from '@playwright/test/reporter';
import { expect, test } from 'vitest';
import type { JsonTestResults } from 'vitest/node';
import { failureText, failure, lastLine, sum, tallyOfPlaywright, tallyOfVitest, withExitCode } from './tally.ts';

const file = (name: string, status: string, ...tests: string[]) => ({
  name,
  status,
  message: status === 'failed' ? 'no such module' : '',
  assertionResults: tests.map((each, index) => ({
    status: each,
    fullName: `rule ${index + 1}`,
    failureMessages: each === 'failed' ? ['expected 3 to be 4'] : [],
  })),
});

test('passed and failed tests are counted, those left out by a filter are not', () => {
  const report = {
    numPassedTests: 2,
    testResults: [file('a.spec.ts', 'failed', 'passed', 'failed', 'pending'), file('b.spec.ts', 'passed', 'passed')],
  };
  expect(tallyOfVitest(report as unknown as JsonTestResults)).toEqual({
    passed: 2,
    failures: [{ title: 'a.spec.ts › rule 2', message: 'expected 3 to be 4' }],
  });
});

test('a file that cannot be loaded counts as a failed test', () => {
  const report = {
    numPassedTests: 3,
    testResults: [file('a.spec.ts', 'failed'), file('b.spec.ts', 'passed', 'passed')],
  };
  expect(tallyOfVitest(report as unknown as JsonTestResults)).toEqual({
    passed: 3,
    failures: [{ title: 'a.spec.ts', message: 'no such module' }],
  });
});

const journey = (title: string, status: string, message?: string) => ({
  title,
  file: 'journeys/a.e2e.spec.ts',
  tests: [{ status, results: [{ errors: message === undefined ? [] : [{ message }] }] }],
});

test('a journey that passed only when repeated counts as failed, and so does an error outside of journeys', () => {
  const inner = { title: 'dark', specs: [journey('shuts nobody out', 'unexpected', 'a label is missing')] };
  const report = {
    stats: { expected: 5 },
    suites: [{ title: 'a', specs: [journey('logs', 'expected'), journey('glides', 'flaky')], suites: [inner] }],
    errors: [{ message: 'no browser' }],
  };
  expect(tallyOfPlaywright(report as unknown as JSONReport)).toEqual({
    passed: 5,
    failures: [
      { title: 'journeys/a.e2e.spec.ts › glides', message: '' },
      { title: 'journeys/a.e2e.spec.ts › shuts nobody out', message: 'a label is missing' },
      { title: 'outside of the journeys', message: 'no browser' },
    ],
  });
});

test('a run that failed without a failed test counts as one failure', () => {
  const red = { passed: 4, failures: [{ title: 'a', message: '' }] };
  expect(lastLine(withExitCode({ passed: 4, failures: [] }, 1))).toBe('4 passed, 1 failed');
  expect(withExitCode(red, 1)).toEqual(red);
  expect(withExitCode({ passed: 4, failures: [] }, 0)).toEqual({ passed: 4, failures: [] });
});

test('the last line adds all stages up', () => {
  expect(lastLine(sum([{ passed: 3, failures: [] }, failure('chaos')]))).toBe('3 passed, 1 failed');
  expect(lastLine(sum([]))).toBe('0 passed, 0 failed');
});

test('what failed is told at the end by name, with the beginning of what it said, without colours', () => {
  const long = Array.from({ length: 90 }, (_, line) => `line ${line}`).join('\n');
  const told = failureText(sum([failure('a.spec.ts › adds', '\u001b[31mexpected 3\u001b[39m\n'), failure('b', long)]));
  expect(told).toContain('✗ a.spec.ts › adds\n    expected 3\n✗ b\n    line 0\n');
  expect(told).toContain('line 24\n');
  expect(told).not.toContain('line 25');
  expect(told).toMatch(/In short:\n {2}a\.spec\.ts › adds\n {2}b\n$/);
  expect(failureText(failure('c', 'x'.repeat(300)))).not.toContain('x'.repeat(201));
  expect(failureText(sum([]))).toBe('');
});
