import type { JSONReport } from '@playwright/test/reporter';
import { describe, expect, test } from 'vitest';
import type { JsonTestResults } from 'vitest/node';
import { StageClock, timesOfPlaywright, timesOfVitest, timesTable } from './timings.ts';

describe('the times of a test run', () => {
  test('Vitest’s report gives the seconds of each file', () => {
    const report = { testResults: [{ name: '/work/libs/a.spec.ts', startTime: 1_000, endTime: 3_500 }] };
    expect(timesOfVitest(report as unknown as JsonTestResults, '/work')).toEqual([
      { file: 'libs/a.spec.ts', seconds: 2.5 },
    ]);
  });

  test('Playwright’s report gives the seconds of each file, nested suites included', () => {
    const spec = (duration: number) => ({ tests: [{ results: [{ duration }] }] });
    const nested = { specs: [spec(2_000)] };
    const report = { suites: [{ file: 'journeys/a.e2e.spec.ts', specs: [spec(500)], suites: [nested] }] };
    expect(timesOfPlaywright(report as unknown as JSONReport)).toEqual([
      { file: 'e2e/journeys/a.e2e.spec.ts', seconds: 2.5 },
    ]);
  });

  test('the table shows each stage, the sum of all stages and the twenty slowest files, slowest first', () => {
    const files = Array.from({ length: 25 }, (_, nth) => ({ file: `f${nth}.spec.ts`, seconds: nth }));
    const table = timesTable([
      { stage: 'pure', seconds: 12, cpuShare: 0.9, files: [] },
      { stage: 'integration', seconds: 300, cpuShare: 0.5, files },
    ]);
    expect(table).toContain('integration      300 s    50 % of the cores worked');
    expect(table).toContain('all              312 s');
    const shown = [...table.matchAll(/f(\d+)\.spec/g)].map(([, nth]) => Number(nth));
    expect(shown).toEqual(Array.from({ length: 20 }, (_, nth) => 24 - nth));
  });

  test('a stage knows its seconds and a share of the cores between none and all', () => {
    const time = new StageClock().end('pure', []);
    expect(time.seconds).toBeGreaterThanOrEqual(0);
    expect(time.cpuShare).toBeGreaterThanOrEqual(0);
    expect(time.cpuShare).toBeLessThanOrEqual(1);
  });
});
