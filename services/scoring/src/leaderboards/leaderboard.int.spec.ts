import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { Caller } from '@caravan/auth/claims';
import { eventually } from '@caravan/event-store/testing/eventually';
import { leaderboardSchema } from '@caravan/contracts/http/scores';
import type { Leaderboard } from '@caravan/contracts/http/scores';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Redis } from '@caravan/service-kit/storage/redis';
import { textsOfStatements } from '@caravan/service-kit/testing/executed-statements';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OrganisationWeek } from '../directory/index.ts';
import { LeaderboardService } from './leaderboard.service.ts';
import { leaderboardOf } from './leaderboard.ts';
import { PlacesService } from './places.service.ts';
import { SharedBoards } from './shared-boards.service.ts';
import { minPosition, privacyChosen, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
let redis: Redis;
beforeAll(async () => {
  scoring = await startScoring();
  redis = scoring.app.get<Redis>(Redis);
});
afterAll(() => scoring.close());

async function boardOf(member: TestMember, headers = {}): Promise<Leaderboard> {
  const { status, body } = await (await scoring.as(member)).get('/api/leaderboard', headers);
  expect(status).toBe(200);
  return leaderboardSchema.parse(body);
}
const isReady = async (orgId: string) => (await redis.exists(`lb:{${orgId}}:u:all:ready`)) === 1;
const shownPlaces = ({ users }: Leaderboard) => users.map(({ name, rank, totalMiles }) => [name, rank, totalMiles]);

/** Everybody's miles, in the order in which they reached them; ready when the board in Redis says so. */
async function orgWith(miles: Record<string, number>) {
  const org = await scoring.foundOrganisation(Object.keys(miles));
  const start = Date.now() - 60_000;
  for (const [index, member] of org.members.entries()) {
    const centimiles = (miles[member.name] ?? 0) * 100;
    if (centimiles > 0) await scoring.log(member, { centimiles, loggedAt: new Date(start + index) });
  }
  const [first] = org.members;
  if (!first) throw new Error('somebody');
  const active = Object.values(miles).filter((total) => total > 0).length;
  await eventually(async () => {
    const board = await boardOf(first);
    const totals = await scoring.rows(org.orgId, 'select from member_totals where org_id = $1');
    expect(totals).toHaveLength(active);
    expect(await scoring.rows(org.orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
    expect(board.teams.reduce((sum, { memberCount }) => sum + memberCount, 0)).toBe(org.members.length);
    expect(await isReady(org.orgId)).toBe(true);
  });
  return { ...org, first, memberNamed: (name: string) => org.members.find((member) => member.name === name) ?? first };
}

describe('the board of an organisation', () => {
  test('[3.34 D12] ranks 1, 2, 2, 4 and lists who reached a total earlier first', async () => {
    const { memberNamed } = await orgWith({ Ada: 9, Bo: 5, Cy: 5, Dee: 3, Eve: 0 });
    const board = await boardOf(memberNamed('Cy'));
    expect(shownPlaces(board)).toEqual([
      ['Ada', 1, 9],
      ['Bo', 2, 5],
      ['Cy', 2, 5],
      ['Dee', 4, 3],
    ]);
    expect(board.userPosition).toBe(2);
    expect(board.users[1]).toMatchObject({ teamName: 'Blazers', teamEmoji: '🔥', photoUrl: null, weeklyMiles: 5 });
    expect(board.around.map(({ name }) => name)).toEqual(['Ada', 'Bo', 'Cy', 'Dee']);
    expect((await boardOf(memberNamed('Eve'))).userPosition).toBeNull();
    expect((await boardOf(memberNamed('Eve'))).around).toEqual([]);
  });

  test('[D12] who catches up stands below who was there before', async () => {
    const { memberNamed } = await orgWith({ Ada: 3, Bo: 2 });
    const said = await scoring.log(memberNamed('Bo'), { centimiles: 100 });
    expect(shownPlaces(await boardOf(memberNamed('Bo'), minPosition('activity', said)))).toEqual([
      ['Ada', 1, 3],
      ['Bo', 1, 3],
    ]);
  });

  test('[9.10] lists twenty members, and the caller with two neighbours on each side wherever that is', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `M${String(index + 1).padStart(2, '0')}`);
    const { memberNamed } = await orgWith(Object.fromEntries(names.map((name, index) => [name, 40 - index])));
    const board = await boardOf(memberNamed('M25'));
    expect(board.users.map(({ name }) => name)).toEqual(names.slice(0, 20));
    expect(board.around.map(({ name, rank }) => [name, rank])).toEqual([23, 24, 25, 26, 27].map((n) => [`M${n}`, n]));
    expect(board.userPosition).toBe(25);
    expect((await boardOf(memberNamed('M01'))).around.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    expect((await boardOf(memberNamed('M30'))).around.map(({ rank }) => rank)).toEqual([28, 29, 30]);
  });

  test('[3.7 D12 D40] teams rank by total miles; without miles they stand there without a rank', async () => {
    const { memberNamed } = await orgWith({ Ada: 4, Bo: 0, Cy: 2 });
    const board = await boardOf(memberNamed('Bo'));
    expect(
      board.teams.map(({ name, rank, memberCount, totalMiles, weeklyMiles, averageMiles }) => [
        name,
        rank,
        memberCount,
        totalMiles,
        weeklyMiles,
        averageMiles,
      ]),
    ).toEqual([
      ['Thunder', 1, 2, 6, 6, 3],
      ['Blazers', null, 1, 0, 0, 0],
    ]);
    expect([board.teamPosition, (await boardOf(memberNamed('Ada'))).teamPosition]).toEqual([null, 1]);
  });

  test('[D40] of a newly founded organisation shows its two teams and nobody', async () => {
    const { members, said } = await scoring.foundOrganisation(['Ada']);
    const [ada] = members;
    if (!ada) throw new Error('a member');
    const board = await boardOf(ada, minPosition('identity', said));
    expect([board.users, board.userPosition, board.teamPosition]).toEqual([[], null, null]);
    expect(board.teams.map(({ name, rank, totalMiles }) => [name, rank, totalMiles])).toEqual([
      ['Thunder', null, 0],
      ['Blazers', null, 0],
    ]);
  });

  test('[7.20 D38] ranks by all miles unless asked for the week; any other period is refused', async () => {
    const { memberNamed } = await orgWith({ Ada: 1 });
    const client = await scoring.as(memberNamed('Ada'));
    expect((await client.get('/api/leaderboard?period=all')).body).toEqual(await boardOf(memberNamed('Ada')));
    for (const wrong of ['month', '', 'all&period=week']) {
      const { status, body } = await client.get<object>(`/api/leaderboard?period=${wrong}`);
      expect(status).toBe(422);
      expect(JSON.stringify(body)).toContain('period must be one of all, week');
    }
  });

  test('[D10] counts a log of last week for the total, not for the week', async () => {
    const { memberNamed } = await orgWith({ Ada: 1 });
    const said = await scoring.log(memberNamed('Ada'), {
      centimiles: 200,
      startedAt: new Date(Date.now() - 7 * 86_400_000),
    });
    const { users } = await boardOf(memberNamed('Ada'), minPosition('activity', said));
    expect(users[0]).toMatchObject({ totalMiles: 3, weeklyMiles: 1 });
  });
});

describe('a board that is read after a write', () => {
  test('sees the own miles and rank at once, every time', async () => {
    const { memberNamed } = await orgWith({ Ada: 10, Bo: 1 });
    for (let total = 2; total <= 13; total += 1) {
      const said = await scoring.log(memberNamed('Bo'), { centimiles: 100 });
      const board = await boardOf(memberNamed('Bo'), minPosition('activity', said));
      expect(board.around.find(({ name }) => name === 'Bo')).toMatchObject({
        totalMiles: total,
        rank: total >= 10 ? 1 : 2,
      });
    }
  });

  test('[D17] members of another organisation never see each other', async () => {
    const one = await orgWith({ Ada: 3, Bo: 2 });
    const two = await orgWith({ Zoe: 7 });
    expect(shownPlaces(await boardOf(two.first))).toEqual([['Zoe', 1, 7]]);
    // A member's id in a token of the other organisation is nobody there.
    const stranger = await boardOf({ ...one.first, orgId: two.orgId });
    expect([stranger.userPosition, stranger.around, stranger.teamPosition]).toEqual([null, [], null]);
  });

  test('[7.1] needs a token, and an unknown organisation is empty', async () => {
    expect((await scoring.nobody.get('/api/leaderboard')).status).toBe(401);
    const nobody = { userId: randomUUID(), orgId: randomUUID(), teamId: '', name: '' };
    expect(await boardOf(nobody)).toEqual({ users: [], teams: [], userPosition: null, teamPosition: null, around: [] });
  });
});

describe('the board that all members share', () => {
  /** Another process of the service, which hears of no change. */
  function elsewhere() {
    const { app, pool } = scoring;
    const shared = new SharedBoards(pool, app.get(PhotoAddresses));
    const query = new LeaderboardService(pool, app.get(PlacesService), shared, app.get(OrganisationWeek));
    return async (member: TestMember, period: 'all' | 'week' = 'all') => {
      const caller: Pick<Caller, 'orgId' | 'userId' | 'at'> = { ...member, at: new Date() };
      return leaderboardOf(await query.read(caller as Caller, period));
    };
  }

  test('[G4 D35] a shared board is built once for many pages, and each page adds one small statement of its own', async () => {
    const { members } = await orgWith({ Ada: 5, Bo: 4, Cy: 3, Dee: 2, Eve: 1 });
    const read = elsewhere();
    const asked = Array.from({ length: 8 }, () => members).flat();
    // Again where Redis was too slow meanwhile: then rows answer, and nothing is kept.
    await eventually(async () => {
      const since = performance.now();
      const texts = await textsOfStatements(() => Promise.all(asked.map((member) => read(member))));
      const seconds = Math.ceil((performance.now() - since) / 1_000);
      const composed = texts.filter((text) => text.includes('as standings'));
      expect(composed.length).toBeLessThanOrEqual(1 + seconds);
      expect(texts.filter((text) => text.includes('as own_team_id'))).toHaveLength(asked.length);
    });
  });

  test('a shared board shows its reader’s own newest miles and those of their team, in every process', async () => {
    const { memberNamed } = await orgWith({ Ada: 10, Bo: 1 });
    const bo = memberNamed('Bo');
    const read = elsewhere();
    for (let total = 2; total <= 9; total += 1) {
      await Promise.all([read(bo), read(bo, 'week'), read(memberNamed('Ada'))]);
      const said = await scoring.log(bo, { centimiles: 100 });
      await boardOf(bo, minPosition('activity', said));
      const [board, week] = await Promise.all([read(bo), read(bo, 'week')]);
      const own = { name: 'Bo', totalMiles: total, weeklyMiles: total };
      expect([board.users[1], week.users[1]]).toMatchObject([own, own]);
      expect(board.teams.find(({ id }) => id === bo.teamId)?.totalMiles).toBe(total);
    }
  });

  test('[6.9 D18] a shared board hides in every process the members who hide themselves, from that moment on', async () => {
    const { orgId, memberNamed } = await orgWith({ Ada: 3, Bo: 2, Cy: 1 });
    const ada = memberNamed('Ada');
    const bo = memberNamed('Bo');
    const read = elsewhere();
    const namesOf = async (member: TestMember) => (await read(member)).users.map(({ name }) => name);
    for (const statsVisible of [false, true, false]) {
      await Promise.all([read(ada), read(bo)]);
      const header = await scoring.tell(orgId, privacyChosen(bo, { statsVisible }));
      await boardOf(ada, header);
      expect(await namesOf(ada)).toEqual(['Ada', statsVisible ? 'Bo' : 'A teammate', 'Cy']);
      expect(await namesOf(bo)).toEqual(['Ada', 'Bo', 'Cy']);
      expect(await namesOf(ada)).toEqual(await namesOf(memberNamed('Cy')));
    }
  });
});
