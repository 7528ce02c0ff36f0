import { dashboardStatsSchema } from '@caravan/contracts/http/scores';
import type { DashboardStats } from '@caravan/contracts/http/scores';
import { localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minPosition, movementLogged, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

async function statsOf(member: TestMember, headers = {}): Promise<DashboardStats> {
  const { status, body } = await (await scoring.as(member)).get('/api/dashboard/stats', headers);
  expect(status).toBe(200);
  return dashboardStatsSchema.parse(body);
}

async function pair(timeZone?: string) {
  const org = await scoring.foundOrganisation(['Maya', 'Omar'], timeZone);
  const [maya, omar] = org.members;
  if (!maya || !omar) throw new Error('two members');
  return { ...org, maya, omar };
}

describe('the dashboard', () => {
  test('[D40] of a newcomer: no rank, no miles, the two teams of the organisation', async () => {
    const { maya, said } = await pair();
    expect(await statsOf(maya, minPosition('identity', said))).toEqual({
      userRank: null,
      weeklyMiles: 0,
      recentActivities: [],
      teamProgress: [
        expect.objectContaining({ name: 'Thunder', emoji: '⚡', miles: 0, goalMiles: 50 }),
        expect.objectContaining({ name: 'Blazers', emoji: '🔥', miles: 0, goalMiles: 50 }),
      ],
    });
  });

  test('[3.26 7.14 9.6 D12 D45] shows rank, week, the last three of the organisation and the teams of the week', async () => {
    const { maya, omar } = await pair();
    const omars = await scoring.log(omar, { centimiles: 4_200, loggedAt: new Date(Date.now() - 10_000) });
    await statsOf(omar, minPosition('activity', omars));
    const said = await scoring.log(
      maya,
      ...[3, 2, 1].map((second) => ({
        centimiles: 400 - 100 * second,
        loggedAt: new Date(Date.now() - 1_000 * second),
      })),
    );
    const stats = await statsOf(maya, minPosition('activity', said));
    expect(stats).toMatchObject({ userRank: 2, weeklyMiles: 6 });
    expect(
      stats.recentActivities.map(({ userName, miles, teamEmoji, timeAgo }) => [userName, miles, teamEmoji, timeAgo]),
    ).toEqual([
      ['Maya', 3, '⚡', 'just now'],
      ['Maya', 2, '⚡', 'just now'],
      ['Maya', 1, '⚡', 'just now'],
    ]);
    await expect
      .poll(async () => (await statsOf(maya)).teamProgress.map(({ name, miles }) => [name, miles]))
      .toEqual([
        ['Blazers', 42],
        ['Thunder', 6],
      ]);
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/London'])(
    '[D10] the week starts on Monday 00:00 in the organisation’s own zone (%s)',
    async (timeZone) => {
      const { maya } = await pair(timeZone);
      const monday = weekStartOf(localDateOf(new Date(), timeZone));
      const boundary = instantOf(monday, timeZone);
      const before = { centimiles: 1_000, startedAt: new Date(boundary.getTime() - 1_000) };
      const said = await scoring.log(maya, before, { centimiles: 100, startedAt: boundary });
      expect((await statsOf(maya, minPosition('activity', said))).weeklyMiles).toBe(1);
    },
  );

  test('[D35] changes are heard by open pages; how far challenges have come, by those of the team', async () => {
    const { orgId, maya } = await pair();
    const pages = await listenLive(scoring.env, orgId);
    try {
      await scoring.log(maya, {});
      await expect
        .poll(() => [...pages.kinds])
        .toEqual(expect.arrayContaining(['board', 'stats', `challenges of ${maya.teamId}`]));
    } finally {
      await pages.close();
    }
  });

  test('[D17] shows nothing of another organisation', async () => {
    const one = await pair();
    const two = await pair();
    const said = await scoring.log(one.maya, { centimiles: 700 });
    await statsOf(one.maya, minPosition('activity', said));
    const stats = await statsOf(two.maya, minPosition('identity', two.said));
    expect(stats).toMatchObject({ userRank: null, weeklyMiles: 0, recentActivities: [] });
    expect(stats.teamProgress.map(({ miles }) => miles)).toEqual([0, 0]);
  });

  test('[7.1] needs a token', async () => {
    expect((await scoring.nobody.get('/api/dashboard/stats')).status).toBe(401);
  });
});

/** The instant at which a local date begins in a zone, found by halving: whole seconds. */
function instantOf(localDate: string, timeZone: string): Date {
  let low = Date.parse(localDate) / 1_000 - 86_400;
  let high = Date.parse(localDate) / 1_000 + 86_400;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (localDateOf(new Date(middle * 1_000), timeZone) < localDate) low = middle;
    else high = middle;
  }
  return new Date(high * 1_000);
}

test('[D18 D21] a log for its owner alone is nobody else’s news and may earn nothing, however often it is told', async () => {
  const { maya, omar } = await pair();
  const ordinary = movementLogged(omar, { centimiles: 300 });
  const { data, ...about } = movementLogged(omar, { centimiles: 300, activityType: 'Rowing' });
  const own = { ...about, data: { ...data, source: 'strava', centimiles: 0, audience: 'owner' } };
  const said = await scoring.activity.publish(ordinary, own, ordinary, own);
  await scoring.activity.redeliver(...said, ...said.toReversed());
  const ofOmar = await statsOf(omar, minPosition('activity', said));
  expect(ofOmar.weeklyMiles).toBe(3);
  expect(ofOmar.recentActivities.map(({ activityType }) => activityType).toSorted()).toEqual(['Rowing', 'Walking']);
  const ofMaya = await statsOf(maya);
  expect(ofMaya.recentActivities.map(({ activityType }) => activityType)).toEqual(['Walking']);
  const entries = 'select centimiles from ledger_entries where org_id = $1 order by 1';
  expect(await scoring.rows(omar.orgId, entries)).toEqual([{ centimiles: 300 }]);
});
