import { randomUUID } from 'node:crypto';
import { dashboardStatsSchema, leaderboardSchema } from '@caravan/contracts/http/scores';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minPosition, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

async function teamsSeenBy(member: TestMember, headers = {}) {
  const client = await scoring.as(member);
  const { teams } = leaderboardSchema.strict().parse((await client.get('/api/leaderboard', headers)).body);
  const stats = dashboardStatsSchema.strict().parse((await client.get('/api/dashboard/stats', headers)).body);
  return { board: teams.map(({ name }) => name), progress: stats.teamProgress.map(({ name }) => name), teams };
}

async function organisation() {
  const org = await scoring.found(['Ada', 'Bo']);
  const [ada, bo] = org.members;
  const [thunder, blazers] = org.teams;
  if (!ada || !bo || !thunder || !blazers) throw new Error('two members of two teams');
  return { ...org, ada, bo, thunder, blazers };
}

test('[D2 D43] a renamed team is called so on boards and dashboards at once', async () => {
  const { orgId, ada, thunder } = await organisation();
  const said = await scoring.log(ada, {});
  await teamsSeenBy(ada, minPosition('activity', said));
  const data = { teamId: thunder.teamId, name: 'Trailblazers', emoji: '🧭' };
  const header = await scoring.tell(orgId, { type: 'TeamRenamed', data });
  const { board, progress, teams } = await teamsSeenBy(ada, header);
  expect([board, progress]).toEqual([
    ['Trailblazers', 'Blazers'],
    ['Trailblazers', 'Blazers'],
  ]);
  expect(teams[0]).toMatchObject({ name: 'Trailblazers', emoji: '🧭', totalMiles: 3, rank: 1 });
});

test('[D2] a retired team stays on the board as long as it has miles, not otherwise; reopened it is back', async () => {
  const { orgId, ada, bo, thunder, blazers } = await organisation();
  const said = await scoring.log(ada, {});
  await teamsSeenBy(ada, minPosition('activity', said));
  const both = [thunder, blazers].map(({ teamId }) => ({ type: 'TeamRetired', data: { teamId } }));
  const retired = await teamsSeenBy(bo, await scoring.tell(orgId, ...both));
  expect([retired.board, retired.progress]).toEqual([['Thunder'], ['Thunder']]);
  expect(retired.teams[0]).toMatchObject({ rank: 1, totalMiles: 3 });
  const reopened = await scoring.tell(orgId, { type: 'TeamReopened', data: { teamId: blazers.teamId } });
  expect(await teamsSeenBy(bo, reopened)).toMatchObject({
    board: ['Thunder', 'Blazers'],
    progress: ['Thunder', 'Blazers'],
  });
});

test('[D2] a team formed later stands on the board without miles, and twice said it stands there once', async () => {
  const { orgId, ada } = await organisation();
  const data = { teamId: randomUUID(), name: 'Latecomers', emoji: '🐢', formedAt: '2026-11-21T08:00:00.000Z' };
  const header = await scoring.tell(orgId, { type: 'TeamFormed', data });
  expect((await teamsSeenBy(ada, header)).board).toEqual(['Thunder', 'Blazers', 'Latecomers']);
});
