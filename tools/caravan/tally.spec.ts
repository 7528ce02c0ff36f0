import { expect, test } from 'vitest';
import { lastLine, sum, tallyOfPlaywright, tallyOfVitest, withExitCode } from './tally.ts';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});

test('passed and failed tests are counted, those left out by a filter are not', () => {
  const report = {
    numPassedTests: 2,
    numFailedTests: 1,
    testResults: [file('failed', 'passed', 'failed', 'pending'), file('passed', 'passed')],
  };
  expect(tallyOfVitest(report)).toEqual({ passed: 2, failed: 1 });
});

test('a file that cannot be loaded counts as a failed test', () => {
  const report = { numPassedTests: 3, numFailedTests: 0, testResults: [file('failed'), file('passed', 'passed')] };
  expect(tallyOfVitest(report)).toEqual({ passed: 3, failed: 1 });
});

test('a journey that passed only when repeated counts as failed, and so does an error outside of journeys', () => {
  const report = { stats: { expected: 5, unexpected: 1, flaky: 1 }, errors: [{ message: 'no browser' }] };
  expect(tallyOfPlaywright(report)).toEqual({ passed: 5, failed: 3 });
});

test('a run that failed without a failed test counts as one failure', () => {
  expect(withExitCode({ passed: 4, failed: 0 }, 1)).toEqual({ passed: 4, failed: 1 });
  expect(withExitCode({ passed: 4, failed: 2 }, 1)).toEqual({ passed: 4, failed: 2 });
  expect(withExitCode({ passed: 4, failed: 0 }, 0)).toEqual({ passed: 4, failed: 0 });
});

test('the last line adds all stages up', () => {
  const stages = [
    { passed: 3, failed: 0 },
    { passed: 4, failed: 1 },
  ];
  expect(lastLine(sum(stages))).toBe('7 passed, 1 failed');
  expect(lastLine(sum([]))).toBe('0 passed, 0 failed');
});
