import { expect, test } from 'vitest';
import { boardsOf, teamsOf } from './leaderboard-entry.ts';
import type { Credit } from './leaderboard-entry.ts';

const at = new Date('2026-11-16T08:00:00.000Z');
const credit: Credit = {
  userId: 'ada',
  centimiles: 900,
  reachedAt: at,
  version: 3,
  weekStartsOn: '2026-11-16',
  weekCentimiles: 300,
  weekReachedAt: at,
  weekVersion: 1,
  teamId: 'thunder',
  currentTeamId: 'thunder',
};

test('[D10 D12] a credit counts on the board of all miles and on that of its own week', () => {
  const late = { ...credit, weekStartsOn: '2026-11-09', weekCentimiles: 600, weekVersion: 2 };
  const all = { userId: 'ada', centimiles: 900, reachedAt: at, version: 3 };
  expect(boardsOf('org', [credit, late, credit])).toEqual([
    { board: { orgId: 'org', weekStartsOn: null }, totals: [all] },
    { board: { orgId: 'org', weekStartsOn: '2026-11-16' }, totals: [{ ...all, centimiles: 300, version: 1 }] },
    { board: { orgId: 'org', weekStartsOn: '2026-11-09' }, totals: [{ ...all, centimiles: 600, version: 2 }] },
  ]);
});

test('[D14 D35] challenges go on for the team that earned the miles and for the one its member is in now', () => {
  expect(teamsOf([credit, { ...credit, currentTeamId: 'blazers' }])).toEqual(['thunder', 'blazers']);
  expect(teamsOf([{ ...credit, currentTeamId: null }])).toEqual(['thunder']);
});
