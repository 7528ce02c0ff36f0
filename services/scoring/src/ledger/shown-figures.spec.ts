import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { describe, expect, test } from 'vitest';
import { figuresWithMiles, type MemberSnapshot, withShown } from './streaks.ts';

const run = { startedOn: '2026-11-10', endedOn: '2026-11-12' };
const previous = { startedOn: '2026-11-01', endedOn: '2026-11-08' };
const start = { startedOn: '2026-11-10', daysBefore: 8, freezes: 0 };
const member: MemberSnapshot = {
  zones: onlyZone('Europe/Berlin'),
  hasFreezes: true,
  centimiles: 1_200,
  entries: 12,
  ownerOnlyEntries: 0,
  latestRuns: [run, previous],
  start,
};

describe('miles that come from no log', () => {
  test('[D11 D14] are added to the total and leave the streak as it is', () => {
    const standing = { days: 11, freezes: 0 };
    expect(figuresWithMiles(member, 100)).toEqual({ totalCentimiles: 1_300, latestRun: run, streak: standing });
    expect(figuresWithMiles(member, -100)).toEqual({ totalCentimiles: 1_100, latestRun: run, streak: standing });
  });

  test('[D11 D14] come without a streak while nobody knows how the latest run began', () => {
    for (const unknown of [null, { ...start, startedOn: previous.startedOn }])
      expect(figuresWithMiles({ ...member, start: unknown }, 100)).toEqual({ totalCentimiles: 1_300, latestRun: run });
  });

  test('[D11 D14] come without a run for a member who has never moved', () => {
    const figures = figuresWithMiles({ ...member, centimiles: 0, latestRuns: [], start: null }, 100);
    expect(figures).toEqual({ totalCentimiles: 100, latestRun: null });
  });

  test('[D11 D14] come without a run where the start of one is left over', () => {
    expect(figuresWithMiles({ ...member, latestRuns: [] }, 100)).toEqual({ totalCentimiles: 1_300, latestRun: null });
  });
});

describe('the streak that colleagues see', () => {
  const figures = { totalCentimiles: 1_200, latestRun: run, streak: { days: 11, freezes: 1 } };
  const { latestRun, streak } = figures;

  test('[D21] is left out where it is the same as the own one', () => {
    expect(withShown(figures, { latestRun: { ...run }, streak: { ...streak } })).toEqual(figures);
    const resting = { totalCentimiles: 0, latestRun: null };
    expect(withShown(resting, { latestRun: null })).toEqual(resting);
  });

  test.each([
    ['a run that began on another date', { latestRun: { ...run, startedOn: '2026-11-11' }, streak }],
    ['a run that ended on another date', { latestRun: { ...run, endedOn: '2026-11-11' }, streak }],
    ['another number of days', { latestRun, streak: { ...streak, days: 3 } }],
    ['another number of freezes', { latestRun, streak: { ...streak, freezes: 0 } }],
    ['no run', { latestRun: null }],
    ['no standing', { latestRun }],
  ])('[D21] is told beside the own one where it has %s', (_, shown) => {
    expect(withShown(figures, shown)).toEqual({ ...figures, shown });
  });

  test('[D21] is told beside the own one where the member alone sees none', () => {
    const resting = { totalCentimiles: 0, latestRun: null };
    const shown = { latestRun, streak };
    expect(withShown(resting, shown)).toEqual({ ...resting, shown });
  });
});
