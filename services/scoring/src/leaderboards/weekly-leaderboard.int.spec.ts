import { eventually } from '@caravan/event-store/testing/eventually';
import type { Caller } from '@caravan/auth/claims';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import type { Leaderboard } from '@caravan/contracts/http/scores';
import { rebuild } from '@caravan/event-store/rebuild/rebuild';
import { Redis } from '@caravan/service-kit/storage/redis';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leaderboardOf } from './leaderboard.ts';
import { LeaderboardService } from './leaderboard.service.ts';
import { ledgerOfAll, rebuildable } from '../app.module.ts';
import { boardsUnderTest } from '../testing/boards-under-test.ts';
import { startOwnRedis } from '../testing/own-redis.ts';
import type { OwnRedis } from '../testing/own-redis.ts';
import {
  minPosition,
  movementCorrected,
  movementLogged,
  movementRemoved,
  startScoring,
} from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';
import { WeeksService } from '../weekly-challenges/weeks.service.ts';

let server: OwnRedis;
let scoring: ScoringUnderTest;
let redis: Redis;
let boards: ReturnType<typeof boardsUnderTest>;
beforeAll(async () => {
  server = await startOwnRedis();
  scoring = await startScoring({ REDIS_URL: server.url });
  redis = scoring.app.get<Redis>(Redis);
  boards = boardsUnderTest(scoring, redis);
});
afterAll(async () => {
  await scoring.close();
  await server.close();
});

const runningWeek = weekStartOf(localDateOf(new Date(), 'Europe/Berlin'));
/** Noon of a day before the running week, as far back as a log may be. */
const lastWeek = new Date(`${addDays(runningWeek, -2)}T12:00:00.000Z`);

async function weekOf(member: TestMember, headers = {}): Promise<Leaderboard> {
  const { status, body } = await (await scoring.as(member)).get<Leaderboard>('/api/leaderboard?period=week', headers);
  expect(status).toBe(200);
  return body;
}
const shownPlaces = ({ users }: Leaderboard) => users.map(({ name, rank, weeklyMiles }) => [name, rank, weeklyMiles]);

/** Ada 3, Bo 2, Cy 2, Dee 1 this week; last week Dee walked more than all of them; Eve has not moved. */
async function orgWithTwoWeeks() {
  const org = await scoring.foundOrganisation(['Ada', 'Bo', 'Cy', 'Dee', 'Eve']);
  const [ada, bo, cy, dee, eve] = org.members as [TestMember, TestMember, TestMember, TestMember, TestMember];
  const start = Date.now() - 60_000;
  const at = (index: number) => ({ loggedAt: new Date(start + index) });
  await scoring.log(dee, { centimiles: 1_400, ...at(0), startedAt: lastWeek }, { centimiles: 100, ...at(1) });
  await scoring.log(cy, { centimiles: 200, ...at(3) });
  await scoring.log(bo, { centimiles: 200, ...at(2) });
  await scoring.log(ada, { centimiles: 300, ...at(4) });
  const week = { orgId: org.orgId, weekStartsOn: runningWeek };
  await eventually(async () => expect((await weekOf(ada)).users).toHaveLength(4));
  await waitUntilSettled(week, ada);
  return { ...org, week, ada, bo, cy, dee, eve };
}

/** Waits until teams and boards have taken everything in. */
const waitUntilSettled = (week: { orgId: string; weekStartsOn: string }, reader: TestMember) =>
  eventually(async () => {
    await weekOf(reader);
    expect(await boards.isBuilt(week)).toBe(true);
    expect(await scoring.rows(week.orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
    expect(await boards.inRedis(week)).toEqual(await boards.inRows(week));
  });

describe('the board of the running week', () => {
  test('[2.7 7.20 D10 D12] ranks by the miles of the week, who reached them earlier first; positions follow', async () => {
    const { ada, bo, dee, eve } = await orgWithTwoWeeks();
    const board = await weekOf(dee);
    expect(shownPlaces(board)).toEqual([
      ['Ada', 1, 3],
      ['Bo', 2, 2],
      ['Cy', 2, 2],
      ['Dee', 4, 1],
    ]);
    expect(board.users[3]?.totalMiles).toBe(15);
    expect([board.userPosition, board.around.map(({ name }) => name)]).toEqual([4, ['Bo', 'Cy', 'Dee']]);
    const all = (await (await scoring.as(dee)).get<Leaderboard>('/api/leaderboard')).body;
    expect([all.userPosition, all.users[0]?.name]).toEqual([1, 'Dee']);
    expect((await (await scoring.as(dee)).get<Leaderboard>('/api/leaderboard?period=all')).body).toEqual(all);
    const without = await weekOf(eve);
    expect([without.userPosition, without.around, (await weekOf(ada)).userPosition]).toEqual([null, [], 1]);
    expect((await weekOf(bo)).around.map(({ rank }) => rank)).toEqual([1, 2, 2, 4]);
  });

  test('[D12] teams rank by what was earned for them in the week, with the average of the week beside it', async () => {
    const { ada, bo } = await orgWithTwoWeeks();
    // Thunder: Ada, Cy, Eve. Blazers: Bo and Dee, who leads of all miles.
    const teamsOf = ({ teams }: Leaderboard) =>
      teams.map(({ name, rank, weeklyMiles, averageMiles }) => [name, rank, weeklyMiles, averageMiles]);
    const board = await weekOf(bo);
    expect(teamsOf(board)).toEqual([
      ['Thunder', 1, 5, 1.67],
      ['Blazers', 2, 3, 1.5],
    ]);
    expect([board.teamPosition, (await weekOf(ada)).teamPosition]).toEqual([2, 1]);
    const all = (await (await scoring.as(bo)).get<Leaderboard>('/api/leaderboard')).body;
    expect([all.teamPosition, all.teams[0]?.name]).toEqual([1, 'Blazers']);
    // Level with Thunder now, but later.
    const said = await scoring.log(bo, { centimiles: 200 });
    const level = await weekOf(bo, minPosition('activity', said));
    expect(teamsOf(level).map(([name, rank]) => [name, rank])).toEqual([
      ['Thunder', 1],
      ['Blazers', 1],
    ]);
  });

  test('[D8 D10] a log of an earlier week does not touch it; corrections that move between weeks follow exactly', async () => {
    const { week, ada, bo, dee } = await orgWithTwoWeeks();
    const before = shownPlaces(await weekOf(dee));
    const late = movementLogged(dee, { centimiles: 500, startedAt: lastWeek });
    const said = await scoring.activity.publish(late);
    expect(shownPlaces(await weekOf(dee, minPosition('activity', said)))).toEqual(before);
    const moved = await scoring.activity.publish(movementCorrected(late, { startedAt: new Date() }));
    const after = await weekOf(dee, minPosition('activity', moved));
    expect([after.userPosition, after.users[0]]).toEqual([1, expect.objectContaining({ name: 'Dee', weeklyMiles: 6 })]);
    await waitUntilSettled(week, ada);
    const back = await scoring.activity.publish(movementCorrected(late, { startedAt: lastWeek }, 3));
    expect(shownPlaces(await weekOf(dee, minPosition('activity', back)))).toEqual(before);
    // Everything twice and out of order changes nothing.
    await scoring.activity.redeliver(...said, ...back, ...moved);
    const own = movementLogged(bo, { centimiles: 700 });
    await scoring.activity.publish(own);
    const gone = await scoring.activity.publish(movementRemoved(own));
    expect((await weekOf(bo, minPosition('activity', gone))).users.map(({ name }) => name)).toEqual([
      'Ada',
      'Cy',
      'Bo',
      'Dee',
    ]);
    await waitUntilSettled(week, ada);
    expect(shownPlaces(await weekOf(ada)).map(([, rank, miles]) => [rank, miles])).toEqual(
      before.map(([, rank, miles]) => [rank, miles]),
    );
  });

  test('[D12] whoever has no miles left in the week is not on it', async () => {
    const { week, ada, dee, eve } = await orgWithTwoWeeks();
    const only = movementLogged(eve, { centimiles: 50 });
    await scoring.activity.publish(only);
    const gone = await scoring.activity.publish(movementRemoved(only));
    const board = await weekOf(eve, minPosition('activity', gone));
    expect([board.userPosition, board.users.map(({ name }) => name)]).toEqual([null, ['Ada', 'Bo', 'Cy', 'Dee']]);
    await waitUntilSettled(week, ada);
    expect((await weekOf(dee)).users).toHaveLength(4);
  });

  test('[D10] a new week begins empty and right at once, at Monday 00:00 in the organisation’s time zone', async () => {
    const { week, ada, dee } = await orgWithTwoWeeks();
    const query = scoring.app.get(LeaderboardService);
    const seenAt = async (at: string) => {
      const asked: Pick<Caller, 'orgId' | 'userId' | 'at'> = { ...dee, at: new Date(at) };
      return leaderboardOf(await query.read(asked as Caller, 'week'));
    };
    const monday = addDays(runningWeek, 7);
    const offset = localDateOf(new Date(`${addDays(monday, -1)}T22:30:00.000Z`), 'Europe/Berlin') === monday ? 22 : 23;
    const before = await seenAt(`${addDays(monday, -1)}T${offset - 1}:59:59.999Z`);
    expect(before).toEqual(await weekOf(dee));
    const young = await seenAt(`${addDays(monday, -1)}T${offset}:00:00.000Z`);
    expect([young.users, young.userPosition, young.teamPosition]).toEqual([[], null, null]);
    expect(young.teams.map(({ name, rank, weeklyMiles }) => [name, rank, weeklyMiles])).toEqual([
      ['Thunder', null, 0],
      ['Blazers', null, 0],
    ]);
    const next = { ...week, weekStartsOn: monday };
    await eventually(async () => expect(await boards.isBuilt(next)).toBe(true));
    const said = await scoring.log(ada, { centimiles: 100, startedAt: new Date(`${monday}T08:00:00.000Z`) });
    await weekOf(ada, minPosition('activity', said));
    await eventually(async () => expect(await boards.inRedis(next)).toEqual([{ userId: ada.userId, centimiles: 100 }]));
    expect((await seenAt(`${monday}T09:00:00.000Z`)).users.map(({ name }) => name)).toEqual(['Ada']);
    expect(shownPlaces(await weekOf(dee))[0]).toEqual(['Ada', 1, 3]);
  });

  test('[D10 D35] pages that stay open over Sunday night read again when the week begins', async () => {
    const { orgId } = await orgWithTwoWeeks();
    const pages = await listenLive(scoring.env, orgId);
    await scoring.app
      .get(WeeksService, { strict: false })
      .openAll(new Date(`${addDays(runningWeek, 7)}T00:00:01.000Z`));
    await expect.poll(() => [...pages.kinds]).toEqual(expect.arrayContaining(['board', 'stats', 'challenges']));
    await pages.close();
  });

  test('in Redis goes after fourteen days, and never its parts before what declares it complete', async () => {
    const { week } = await orgWithTwoWeeks();
    const ends = async (part: string) => redis.pexpiretime(boards.keyOf(week, part));
    const [names, versions, ready] = await Promise.all(['', ':versions', ':ready'].map(ends));
    expect(names).toBeGreaterThanOrEqual(ready ?? Infinity);
    expect(versions).toBeGreaterThanOrEqual(ready ?? Infinity);
    const days = ((ready ?? 0) - Date.now()) / 86_400_000;
    expect([days > 13.9, days < 14.1]).toEqual([true, true]);
    expect(await redis.pexpiretime(boards.keyOf({ ...week, weekStartsOn: null }))).toBeLessThan(0);
  });
});

describe('[F05 D12] when Redis', () => {
  test('is emptied, half-filled or killed the week is right at once, and built again', async () => {
    const { week, ada, eve } = await orgWithTwoWeeks();
    const before = await weekOf(ada);
    await redis.flushall();
    expect(await weekOf(ada)).toEqual(before);
    await waitUntilSettled(week, ada);
    await redis.set(boards.keyOf(week, ':building'), 'somebody else', 'PX', 300);
    await redis.del(boards.keyOf(week, ':ready'), boards.keyOf(week));
    expect(await weekOf(ada)).toEqual(before);
    await waitUntilSettled(week, ada);
    await server.kill();
    const said = await scoring.log(eve, { centimiles: 900 });
    const without = await weekOf(eve, minPosition('activity', said));
    expect([without.userPosition, without.users[0]?.weeklyMiles]).toEqual([1, 9]);
    await server.restart();
    await waitUntilSettled(week, ada);
    expect((await weekOf(eve)).users).toEqual(without.users);
  });

  test('comes back with an old copy, the copy is not used', async () => {
    const { week, ada, eve } = await orgWithTwoWeeks();
    await redis.save();
    const said = await scoring.log(eve, { centimiles: 900 });
    await weekOf(eve, minPosition('activity', said));
    await waitUntilSettled(week, ada);
    await server.kill();
    await server.restart();
    await eventually(async () => expect(await redis.exists(boards.keyOf(week, ':ready'))).toBe(1));
    expect((await weekOf(ada)).users[0]?.name).toBe('Eve');
    await waitUntilSettled(week, ada);
  });
});

test('[D9 D12] rebuilding the ledger brings the same weeks and the same boards of them', async () => {
  const { week, ada, dee, orgId } = await orgWithTwoWeeks();
  const moved = movementLogged(dee, { centimiles: 200, startedAt: lastWeek });
  await scoring.activity.publish(moved, movementCorrected(moved, { durationMinutes: 20, startedAt: new Date() }));
  await eventually(async () =>
    expect((await weekOf(ada)).users.find(({ name }) => name === 'Dee')?.weeklyMiles).toBe(3),
  );
  await waitUntilSettled(week, ada);
  const everything = async () => [
    await weekOf(ada),
    await scoring.rows(orgId, 'select * from member_weeks where org_id = $1 order by user_id, week_starts_on'),
    await boards.inRows(week),
  ];
  const teamWeeks = () =>
    scoring.rows(orgId, 'select * from team_weeks where org_id = $1 order by team_id, week_starts_on');
  const before = [...(await everything()), await teamWeeks()];
  const [projection] = ledgerOfAll.projections.filter(({ name }) => name === 'miles-ledger');
  if (!projection) throw new Error('the ledger has its projection');
  await rebuild({
    databaseUrl: scoring.ownerUrl,
    kinds: [ledgerOfAll],
    projection,
    afterReplay: rebuildable.afterReplay,
  });
  expect(await everything()).toEqual(before.slice(0, 3));
  await waitUntilSettled(week, ada);
  expect([...(await everything()), await teamWeeks()]).toEqual(before);
});
