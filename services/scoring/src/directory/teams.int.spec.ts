import { randomUUID } from '@caravan/contracts/testing/seeded';
import { dashboardStatsSchema, leaderboardSchema } from '@caravan/contracts/http/scores';
import { Redis } from '@caravan/service-kit/storage/redis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BonusChallengeScheduler } from '../bonus-challenges/scheduler.service.ts';
import { memberErased, minPosition, startScoring } from '../testing/scoring-under-test.ts';
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
  const org = await scoring.foundOrganisation(['Ada', 'Bo']);
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

test('[D43] an organisation that closed leaves ids and numbers: no word of its people, no week to come, no board', async () => {
  const { orgId, ada, bo, thunder, blazers } = await organisation();
  const said = await scoring.log(ada, {});
  const admin = await scoring.as(ada, { role: 'admin' });
  await teamsSeenBy(ada, minPosition('activity', said));
  const canary = `Canary-${randomUUID()}`;
  const { body: templates } = await admin.get<object[]>('/api/challenge-templates');
  const worded = templates.map((template) => ({ ...template, description: canary }));
  expect((await admin.put('/api/challenge-templates', worded)).status).toBe(200);
  const redis = scoring.app.get<Redis>(Redis);
  const boards = async () => (await redis.keys(`*lb:{${orgId}}*`)).length;
  await expect.poll(boards).toBeGreaterThan(0);
  const named = { teamId: thunder.teamId, name: canary.slice(0, 40), emoji: '🦉' };
  const closed = { type: 'OrganisationClosed', data: { closedAt: '2026-11-21T08:00:00.000Z' } };
  await scoring.tell(orgId, { type: 'TeamRenamed', data: named }, memberErased(ada), memberErased(bo), closed);
  await expect.poll(boards).toBe(0);
  expect(await scoring.rows(orgId, 'select name, is_retired from teams where org_id = $1')).toEqual([
    { name: 'A former team', isRetired: true },
    { name: 'A former team', isRetired: true },
  ]);
  for (const table of ['challenge_templates', 'es.requests'])
    expect(await scoring.rows(orgId, `select from ${table} where org_id = $1`), table).toEqual([]);
  const words = `select from weekly_challenges where org_id = $1 and (name <> '' or description <> '')`;
  expect(await scoring.rows(orgId, words)).toEqual([]);
  expect(await scoring.rows(orgId, 'select from organisations where org_id = $1 and is_closed')).toHaveLength(1);
  await scoring.asSystem('delete from bonus_challenges where org_id = $1', [orgId]);
  expect((await scoring.app.get(BonusChallengeScheduler).candidates(orgId)).length).toBe(0);
  // What was on its way still finds its place.
  await scoring.log({ ...ada, teamId: blazers.teamId }, {});
  const sum = 'select sum(centimiles)::int as sum from ledger_entries where org_id = $1';
  await expect.poll(() => scoring.rows(orgId, sum)).toEqual([{ sum: 600 }]);
});
