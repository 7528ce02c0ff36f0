import { expect, test } from 'vitest';
import { reportOf } from './weekly-report.ts';

const recap = {
  recapId: '019ab000-0000-7000-8000-000000000061',
  weekStartsOn: '2026-11-16',
  weekEndsOn: '2026-11-22',
  centimiles: 1_234_567,
  memberCount: 12,
  builtAt: '2026-11-23T06:00:00.000Z',
  topTeams: [
    { teamId: '019ab000-0000-7000-8000-000000000062', name: 'Thunder', centimiles: 700_000 },
    { teamId: '019ab000-0000-7000-8000-000000000063', name: 'Blazers', centimiles: 534_567 },
  ],
};

test('[D34 9.22] a weekly report says how far all came, in miles and in kilometres, names the best teams in order, and leads to the recap', () => {
  expect(reportOf(recap)).toEqual({
    text: 'Your week: 12 of you moved 12,345.7 miles together',
    lines: ['1. Thunder, 7,000.0 miles', '2. Blazers, 5,345.7 miles'],
    metricText: 'Your week: 12 of you moved 19,868.4 km together',
    metricLines: ['1. Thunder, 11,265.4 km', '2. Blazers, 8,603.0 km'],
    link: '/recaps/2026-11-16',
  });
  expect(reportOf({ ...recap, memberCount: 1 }).text).toContain('1 of you moved');
});
