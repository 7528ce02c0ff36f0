import { milesEntrySchema } from '@caravan/contracts/http/scores';
import { describe, expect, test } from 'vitest';
import { milesEntryOf } from './explanation.ts';
import type { ExplainedEntry } from './explanation.ts';

const log: ExplainedEntry = {
  kind: 'log',
  logId: '019a8c10-0000-7000-8000-000000000041',
  centimiles: 300,
  movements: 1,
  minutes: 30,
  activityName: 'Walking',
  durationMinutes: 30,
  previousMinutes: null,
  multiplier: 1,
  previousMultiplier: null,
  challengeName: null,
  notCounted: null,
  creditedAt: new Date('2026-11-16T17:31:00.000Z'),
  creditedOn: '2026-11-16',
};
const correction: ExplainedEntry = {
  ...log,
  kind: 'correction',
  centimiles: -100,
  movements: 0,
  minutes: -10,
  durationMinutes: 20,
  previousMinutes: 30,
  previousMultiplier: 1,
};
const challenge: ExplainedEntry = {
  ...log,
  kind: 'weekly-bonus',
  logId: null,
  centimiles: 200,
  challengeName: 'Walk 5 miles',
  minutes: 0,
  multiplier: null,
};

describe('why miles were earned', () => {
  test.each([
    [log, '30 minutes of Walking: 30 ÷ 10 = 3 miles'],
    [{ ...log, minutes: 10, centimiles: 100 }, '10 minutes of Walking: 10 ÷ 10 = 1 mile'],
    [{ ...log, minutes: 1, centimiles: 10 }, '1 minute of Walking: 1 ÷ 10 = 0.1 miles'],
    [{ ...log, multiplier: null, activityName: 'Custom activity' }, '30 minutes of Custom activity: 30 ÷ 10 = 3 miles'],
    [{ ...log, multiplier: 2, centimiles: 600 }, 'Bonus challenge: 30 ÷ 10 × 2 = 6 miles'],
    [correction, 'Corrected from 30 to 20 minutes: −1 mile'],
    [{ ...correction, durationMinutes: 45, centimiles: 150 }, 'Corrected from 30 to 45 minutes: +1.5 miles'],
    [
      { ...correction, durationMinutes: 19, centimiles: -410, previousMultiplier: 2 },
      'Corrected from 30 to 19 minutes, bonus challenge no longer completed: −4.1 miles',
    ],
    [
      { ...correction, durationMinutes: 30, centimiles: -300, previousMultiplier: 2 },
      'Corrected, bonus challenge no longer completed: −3 miles',
    ],
    [{ ...correction, movements: -1, minutes: -30, centimiles: -300 }, 'Moved to another day: −3 miles'],
    [{ ...correction, movements: -1, minutes: -30, centimiles: -300, multiplier: 0 }, 'No longer scored: −3 miles'],
    [{ ...correction, movements: 1, minutes: 20, centimiles: 200 }, 'Moved from another day: 20 ÷ 10 = 2 miles'],
    [{ ...log, kind: 'removal', minutes: -30, movements: -1, centimiles: -300 }, 'Removed: −3 miles'],
    [challenge, 'Weekly challenge: Walk 5 miles'],
    [
      { ...challenge, kind: 'weekly-bonus-withdrawn', centimiles: -200 },
      'Weekly challenge no longer reached: Walk 5 miles: −2 miles',
    ],
  ] as const)('[D9] is told in a sentence (%#): %s', (entry, explanation) => {
    expect(milesEntrySchema.parse(milesEntryOf(entry)).explanation).toBe(explanation);
  });

  test('[D9 D32] names the log that it came from, or none', () => {
    expect(milesEntryOf(log)).toMatchObject({
      kind: 'log',
      miles: 3,
      logId: log.logId,
      at: '2026-11-16T17:31:00.000Z',
    });
    expect(milesEntryOf(challenge)).not.toHaveProperty('logId');
  });
});

test.each([
  ['strava' as const, 'Not counted, because the same workout already counts from Strava: −3 miles'],
  ['timer' as const, 'Not counted, because the same workout already counts from the timer: −3 miles'],
  ['by-choice' as const, 'Not counted, as you chose: −3 miles'],
])('[D9 D25] miles that are taken back for the same workout name the other one: %s', (notCounted, explanation) => {
  const entry = { ...correction, centimiles: -300, movements: -1, multiplier: 0, notCounted };
  expect(milesEntryOf(entry).explanation).toBe(explanation);
});
