import { randomUUID } from '@caravan/contracts/testing/seeded';
import { localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import type { DashboardStats, Leaderboard } from '@caravan/contracts/http/scores';
import { eventually } from '@caravan/event-store/testing/eventually';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Redis } from '@caravan/service-kit/storage/redis';
import { openPages } from '@caravan/service-kit/testing/open-pages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RedisLeaderboard } from '../leaderboards/redis-leaderboard.client.ts';
import { boardsUnderTest } from '../testing/boards-under-test.ts';
import { memberErased, minPosition, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
let boards: ReturnType<typeof boardsUnderTest>;
beforeAll(async () => {
  scoring = await startScoring();
  boards = boardsUnderTest(scoring, scoring.app.get<Redis>(Redis));
});
afterAll(() => scoring.close());

const at = '2026-11-21T08:00:00.000Z';
const deactivatedFact = ({ userId, teamId }: TestMember) => {
  return { type: 'MemberDeactivated', data: { userId, teamId, deactivatedAt: at } };
};
const reactivatedFact = ({ userId, teamId }: TestMember) => {
  return { type: 'MemberReactivated', data: { userId, teamId, reactivatedAt: at } };
};

/** Ada 9, Boris 5, Cy 2, on boards that stand in Redis. */
async function threePeople() {
  const org = await scoring.foundOrganisation(['Ada', 'Boris', 'Cy']);
  const [ada, bo, cy] = org.members;
  if (!ada || !bo || !cy) throw new Error('three members');
  for (const [member, centimiles] of [
    [ada, 900],
    [bo, 500],
    [cy, 200],
  ] as const)
    await ask(member, '/api/leaderboard', minPosition('activity', await scoring.log(member, { centimiles })));
  await waitUntilSettled(org.orgId, ada);
  return { ...org, ada, bo, cy };
}

async function ask<Body = unknown>(member: TestMember, path: string, headers = {}): Promise<Body> {
  const { status, body } = await (await scoring.as(member)).get<Body & object>(path, headers);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

const boardsOf = (orgId: string) =>
  [null, weekStartOf(localDateOf(new Date(), 'Europe/Berlin'))].map((weekStartsOn) => ({ orgId, weekStartsOn }));

/** Credits are in the sums, and both boards of today stand in Redis. */
const waitUntilSettled = (orgId: string, reader: TestMember) =>
  eventually(async () => {
    await ask(reader, '/api/leaderboard');
    await ask(reader, '/api/leaderboard?period=week');
    expect(await Promise.all(boardsOf(orgId).map(boards.isBuilt))).toEqual([true, true]);
    expect(await scoring.rows(orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
  });

/** Every list of colleagues that this service shows, as one member sees it; of the dashboard all but what was logged. */
async function listsFor(reader: TestMember, headers = {}) {
  const stats = await ask<DashboardStats>(reader, '/api/dashboard/stats', headers);
  return {
    all: await ask<Leaderboard>(reader, '/api/leaderboard', headers),
    week: await ask<Leaderboard>(reader, '/api/leaderboard?period=week', headers),
    stats: { userRank: stats.userRank, weeklyMiles: stats.weeklyMiles, teamProgress: stats.teamProgress },
    journey: await ask(reader, '/api/journey', headers),
    challenges: await ask(reader, '/api/weekly-challenges', headers),
    bonus: await ask(reader, '/api/bonus-challenge', headers),
    badges: await ask(reader, '/api/badges/all', headers),
  };
}
type Lists = Awaited<ReturnType<typeof listsFor>>;

const standingIn = ({ users }: Leaderboard) => users.map(({ name, rank }) => [name, rank]);
const milesIn = ({ teams }: Leaderboard) =>
  teams.map(({ name, totalMiles, weeklyMiles }) => [name, totalMiles, weeklyMiles]);

function expectWithout({ all, week, stats, ...rest }: Lists, gone: TestMember, before: Lists): void {
  for (const board of [all, week]) {
    expect(standingIn(board)).toEqual([
      ['Ada', 1],
      ['Cy', 2],
    ]);
    expect(board.around.map(({ name, rank }) => [name, rank])).toEqual(standingIn(board));
    expect([board.userPosition, milesIn(board)]).toEqual([2, milesIn(before.all)]);
  }
  expect(stats).toEqual({ ...before.stats, userRank: 2 });
  const text = JSON.stringify([all, week, stats, rest]);
  expect(text).not.toContain(gone.userId);
  expect(text).not.toContain(gone.name);
}

describe('a deactivated member', () => {
  test('[9.10 D2 D12 S06] is in no list of colleagues, from rows or from Redis, and in all of them once reactivated', async () => {
    const { orgId, ada, bo, cy } = await threePeople();
    const before = await listsFor(cy);
    expect(before.all.userPosition).toBe(3);
    const gone = await scoring.tell(orgId, deactivatedFact(bo));
    expectWithout(await listsFor(cy, gone), bo, before);
    await waitUntilSettled(orgId, ada);
    expectWithout(await listsFor(cy), bo, before);
    for (const board of boardsOf(orgId)) expect(await boards.inRedis(board)).toEqual(await boards.inRows(board));

    const back = await scoring.tell(orgId, reactivatedFact(bo));
    expect(await listsFor(cy, back)).toEqual(before);
    await waitUntilSettled(orgId, ada);
    expect(await listsFor(cy)).toEqual(before);
    for (const board of boardsOf(orgId)) expect(await boards.inRedis(board)).toEqual(await boards.inRows(board));
  });

  test('[9.10 D35 S06] leaves the boards of open pages, which the live stream carries', async () => {
    const { orgId, ada, bo, cy } = await threePeople();
    const topics = ['board', 'board-week', 'stats'] as const;
    const pages = await openPages(scoring.env, orgId, { readers: [ada.userId, cy.userId], topics });
    const namesIn = (topic: (typeof topics)[number]) => {
      const given = pages.partGiven(cy.userId, topic);
      return given === undefined || given === 'ask' ? given : (given as Leaderboard).users.map(({ name }) => name);
    };
    const expectNames = async (...names: string[]) => {
      await waitUntilSettled(orgId, ada);
      await eventually(async () => {
        await pages.want();
        await eventually(() => {
          expect([namesIn('board'), namesIn('board-week')]).toEqual([names, names]);
          return Promise.resolve();
        });
      });
    };
    await expectNames('Ada', 'Boris', 'Cy');
    await ask(cy, '/api/leaderboard', await scoring.tell(orgId, deactivatedFact(bo)));
    await expectNames('Ada', 'Cy');
    expect(pages.partGiven(cy.userId, 'stats')).toMatchObject({ userRank: 2 });
    await ask(cy, '/api/leaderboard', await scoring.tell(orgId, reactivatedFact(bo)));
    await expectNames('Ada', 'Boris', 'Cy');
    expect(pages.partGiven(cy.userId, 'stats')).toMatchObject({ userRank: 3 });
    await pages.close();
  });

  test('[D2 D12 S06] earns for the team by a log that comes late, and stays off the boards', async () => {
    const { orgId, ada, bo } = await threePeople();
    await ask(ada, '/api/leaderboard', await scoring.tell(orgId, deactivatedFact(bo)));
    await waitUntilSettled(orgId, ada);
    const said = await scoring.log(bo, { centimiles: 5_000 });
    await scoring.activity.redeliver(...said);
    await eventually(async () => {
      const seen = await ask<Leaderboard>(ada, '/api/leaderboard');
      expect([standingIn(seen)[1], milesIn(seen)[0]]).toEqual([
        ['Cy', 2],
        ['Blazers', 55, 55],
      ]);
    });
    await waitUntilSettled(orgId, ada);
    for (const each of boardsOf(orgId)) expect(await boards.inRedis(each)).toEqual(await boards.inRows(each));
  });

  test('[G4 S06] is not brought back to a board by a state from before that reaches Redis late', async () => {
    const { orgId, ada, bo } = await threePeople();
    const [stale] = await scoring.rows<{ centimiles: number; reachedAt: Date; version: number }>(
      orgId,
      'select centimiles, reached_at, version from member_totals where org_id = $1 and user_id = $2',
      bo.userId,
    );
    if (!stale) throw new Error('Boris has miles');
    await ask(ada, '/api/leaderboard', await scoring.tell(orgId, deactivatedFact(bo)));
    await waitUntilSettled(orgId, ada);
    const [board] = boardsOf(orgId);
    if (!board) throw new Error('the board of all miles');
    await scoring.app.get(RedisLeaderboard).raise({ board, totals: [{ ...stale, userId: bo.userId }] });
    expect((await boards.inRedis(board)).map(({ userId }) => userId)).not.toContain(bo.userId);
  });

  test('[9.10 S06] who is erased afterwards does not return as a former member', async () => {
    const { orgId, ada, bo, cy } = await threePeople();
    const { userId, teamId } = bo;
    const erased = { type: 'MemberErased', data: { userId, teamId, wasActive: false, erasedAt: at } };
    const gone = await scoring.tell(orgId, deactivatedFact(bo), erased, memberErased(cy));
    const names = async (headers = {}) => standingIn(await ask<Leaderboard>(ada, '/api/leaderboard', headers));
    const expected = [
      ['Ada', 1],
      ['A former member', 2],
    ];
    expect(await names(gone)).toEqual(expected);
    await waitUntilSettled(orgId, ada);
    expect(await names()).toEqual(expected);
  });
});

test('[G4 S06] boards are not built anew for a member without miles, such as a guest who is let in', async () => {
  const { orgId, teams } = await threePeople();
  const [team] = teams;
  if (!team) throw new Error('a team');
  const generations = () =>
    scoring.rows(orgId, 'select generation from board_generations where org_id = $1').then((rows) => rows[0]);
  const before = await generations();
  const guest = { userId: randomUUID(), orgId, teamId: team.teamId, name: 'Dee' };
  const joined = { userId: guest.userId, teamId: team.teamId, name: 'Dee', timeZone: 'UTC', role: 'member' };
  const fact = { type: 'MemberJoined', data: { ...joined, joinedOn: '2026-11-21', joinedAt: at } };
  const header = await scoring.tell(orgId, fact, deactivatedFact(guest), reactivatedFact(guest));
  expect((await ask<Leaderboard>(guest, '/api/leaderboard', header)).userPosition).toBeNull();
  expect(await generations()).toEqual(before);
});

test('[D2 S06] a deactivation waits for a first credit under way, whose miles it would not see otherwise', async () => {
  const { orgId, ada, bo } = await threePeople();
  const isWaiting = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  const { telling } = await withTenant(scoring.pool, orgId, async (tx) => {
    await tx.query('select es.lock_keys($1)', [[bo.userId]]);
    const telling = scoring.tell(orgId, deactivatedFact(bo));
    await eventually(async () => expect((await scoring.asSystem(isWaiting, [])).rowCount).toBeGreaterThan(0));
    return { telling };
  });
  const board = await ask<Leaderboard>(ada, '/api/leaderboard', await telling);
  expect(standingIn(board).map(([name]) => name)).toEqual(['Ada', 'Cy']);
});
