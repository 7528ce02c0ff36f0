import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { liveShownSchema } from '@caravan/contracts/http/live';
import type { DashboardStats, Leaderboard } from '@caravan/contracts/http/scores';
import type { Journey, Route } from '@caravan/contracts/http/journeys';
import type { LiveTopic } from '@caravan/contracts/domain/live-topics';
import { openPages, type OpenPagesUnderTest } from '@caravan/service-kit/testing/open-pages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { privacyChosen, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

const topics: LiveTopic[] = ['stats', 'board', 'board-week', 'journey', 'challenges', 'bonus'];
type Challenge = { id: string };

/** What GETs answer a member of each topic; how long ago something was is left out, which changes by itself. */
async function answersFor(member: TestMember): Promise<Record<string, unknown>> {
  const client = await scoring.as(member);
  const get = async <Body = object>(path: string) => (await client.get<Body>(path)).body;
  const { route, routes: _routes, ...journey } = await get<Journey & { route: Route }>('/api/journey');
  const weekly = await get<Challenge[]>('/api/weekly-challenges');
  const progress = await Promise.all(
    weekly.map(async ({ id }) => [id, await get(`/api/weekly-challenges/${id}/progress`)] as const),
  );
  const bonus = await get<{ isCompleted: boolean } | null>('/api/bonus-challenge');
  const { isCompleted = false, ...open } = bonus ?? {};
  return {
    stats: withoutAgo(await get<DashboardStats>('/api/dashboard/stats')),
    board: await get<Leaderboard>('/api/leaderboard'),
    'board-week': await get<Leaderboard>('/api/leaderboard?period=week'),
    journey: { ...journey, routeId: route.id },
    challenges: { weekly, progress: Object.fromEntries(progress) },
    bonus: { open: bonus && open, isCompleted },
  };
}

const withoutAgo = (stats: DashboardStats) => ({
  ...stats,
  recentActivities: stats.recentActivities.map(({ timeAgo: _ago, ...activity }) => activity),
});

/** What the stream gave a member's page; only what a GET answers, every field of it. */
function givenTo(pages: OpenPagesUnderTest, { userId }: TestMember): Record<string, unknown> {
  const given = Object.fromEntries(topics.map((topic) => [topic, pages.partGiven(userId, topic)]));
  if (Object.values(given).some((each) => each === undefined || each === 'ask')) return given;
  const { stats, ...rest } = liveShownSchema.parse(given);
  return { ...rest, stats: withoutAgo(stats as DashboardStats) };
}

/** People with miles, and boards that stand in Redis. */
async function people(names: readonly string[]) {
  const org = await scoring.foundOrganisation(names);
  for (const [index, member] of org.members.entries())
    await scoring.log(member, { centimiles: 100 * (names.length - index) });
  const [first] = org.members;
  if (!first) throw new Error('somebody');
  await eventually(async () => {
    const { board, 'board-week': week } = await answersFor(first);
    expect([(board as Leaderboard).users.length, (week as Leaderboard).users.length]).toEqual([
      Math.min(names.length, 20),
      Math.min(names.length, 20),
    ]);
    expect(await scoring.rows(org.orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
  });
  return { ...org, first, memberNamed: (name: string) => org.members.find((member) => member.name === name) ?? first };
}

const open = (orgId: string, members: readonly TestMember[]) =>
  openPages(scoring.env, orgId, { readers: members.map(({ userId }) => userId), topics });

test('[S18 D35] what a page is given, when it opens and after every log, is what a GET answers it', async () => {
  const { orgId, members, memberNamed } = await people(Array.from({ length: 24 }, (_, index) => `M${index}`));
  const pages = await open(orgId, members);
  await eventually(async () => {
    // As a page that has just opened; boards are built when first asked for.
    await pages.want();
    await eventually(async () => {
      for (const member of [memberNamed('M0'), memberNamed('M12'), memberNamed('M23')])
        expect(givenTo(pages, member)).toEqual(await answersFor(member));
    });
  });
  // The last passes everybody; twice, because what was delivered twice counts once.
  const said = await scoring.log(memberNamed('M23'), { centimiles: 5_000 });
  await scoring.activity.redeliver(...said);
  await eventually(async () => {
    expect((givenTo(pages, memberNamed('M23')).stats as DashboardStats).userRank).toBe(1);
    for (const member of [memberNamed('M0'), memberNamed('M22'), memberNamed('M23')]) {
      const { challenges, bonus: _bonus, ...answers } = await answersFor(member);
      const { challenges: given, bonus: _given, ...rest } = givenTo(pages, member);
      expect(rest).toEqual(answers);
      // Of the week's challenges only what changed came: one's own, or the team's.
      expect(challenges).toMatchObject(member === memberNamed('M0') ? {} : (given as object));
    }
  });
  await pages.close();
});

test('[S18 D18 S22] what is carried is what a stranger of the organisation may see; who hides something asks', async () => {
  const { orgId, members, memberNamed } = await people(['Ada', 'Bo', 'Cy', 'Dee']);
  const ada = memberNamed('Ada');
  const bo = memberNamed('Bo');
  const cy = memberNamed('Cy');
  const dee = memberNamed('Dee');
  const header = await scoring.tell(
    orgId,
    privacyChosen(bo, { statsVisible: false }),
    privacyChosen(cy, { activityVisible: false }),
    privacyChosen(dee, { profileVisible: false }),
  );
  await (await scoring.as(ada)).get('/api/dashboard/stats', header);
  const pages = await open(orgId, members);
  await scoring.log(bo, { centimiles: 700, activityType: 'Bo’s own sport' });
  await scoring.log(cy, { centimiles: 100, activityType: 'Cy’s own sport' });
  await eventually(async () => {
    expect(givenTo(pages, ada)).toMatchObject({
      board: (await answersFor(ada))['board'],
      stats: (await answersFor(ada))['stats'],
    });
    for (const member of [bo, cy, dee])
      for (const topic of ['stats', 'board', 'board-week'] as const)
        expect(pages.partGiven(member.userId, topic)).toBe('ask');
  });
  const carried = pages
    .allTexts()
    .split('\n')
    .map((text) => JSON.parse(text) as { parts?: { all: object; some: { data: object }[] }[] });
  const shown = JSON.stringify(
    carried.flatMap(({ parts = [] }) => parts.map(({ all, some }) => [all, some.map(({ data }) => data)])),
  );
  for (const secret of [bo.userId, '"Bo"', 'Bo’s own', 'Cy’s own', `"profileId":"${dee.userId}"`])
    expect(shown).not.toContain(secret);
  expect(shown).toContain('A teammate');
  await pages.close();
});

test('[S18 D14] a team’s progress goes to the team’s pages alone, one’s own to whom it concerns', async () => {
  const { orgId, members, memberNamed } = await people(['Ada', 'Bo', 'Cy', 'Dee']);
  const ada = memberNamed('Ada');
  const bo = memberNamed('Bo');
  const cy = memberNamed('Cy');
  const pages = await open(orgId, members);
  await scoring.log(ada, { centimiles: 400 });
  const progressOf = async (member: TestMember) => {
    const { progress } = (await answersFor(member))['challenges'] as { progress: object };
    const given = pages.partGiven(member.userId, 'challenges') as { progress: object } | undefined;
    return { all: progress, given: given?.progress };
  };
  await eventually(async () => {
    const own = await progressOf(ada);
    const ofTeam = await progressOf(cy);
    const ofOther = await progressOf(bo);
    expect(own.given).toEqual(own.all);
    expect(ofTeam.all).toMatchObject(ofTeam.given ?? { is: 'not there yet' });
    expect(ofOther.all).toMatchObject(ofOther.given ?? {});
  });
  await pages.close();
});

test('[S18 D17] nothing is composed where nobody looks, nor told to another organisation', async () => {
  const here = await people(['Ada', 'Bo']);
  const there = await people(['Cy', 'Dee']);
  const pages = await open(there.orgId, there.members);
  const elsewhere = await openPages(scoring.env, here.orgId, { readers: [randomUUID()], topics: [] });
  await scoring.log(here.memberNamed('Ada'), { centimiles: 400 });
  const { userId, teamId } = here.memberNamed('Ada');
  await eventually(async () => {
    for (const told of ['"board"', teamId]) expect(elsewhere.allTexts()).toContain(told);
  });
  expect(elsewhere.allTexts()).not.toContain('parts');
  // Of what happened there before, something may still come.
  for (const theirs of [userId, teamId, 'Ada']) expect(pages.allTexts()).not.toContain(theirs);
  await Promise.all([pages.close(), elsewhere.close()]);
});
