import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import type { Leaderboard } from '@caravan/contracts/http/scores';
import { createPatientPool, withTenant } from '@caravan/event-store/postgres/connections';
import { rebuild } from '@caravan/event-store/rebuild/rebuild';
import { Redis } from '@caravan/service-kit/storage/redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { intoSetsSql } from '../ledger/index.ts';
import { RedisLeaderboard } from './redis-leaderboard.client.ts';
import { LeaderboardUpkeep } from './leaderboard-upkeep.service.ts';
import { aggregateSql } from './pending-team-credits.store.ts';
import { ledgerOfAll, rebuildable } from '../app.module.ts';
import { boardsUnderTest } from '../testing/boards-under-test.ts';
import { startOwnRedis } from '../testing/own-redis.ts';
import type { OwnRedis } from '../testing/own-redis.ts';
import { minPosition, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let server: OwnRedis;
let scoring: ScoringUnderTest;
let redis: Redis;
let members: readonly TestMember[];
let orgId: string;
let boards: ReturnType<typeof boardsUnderTest>;

beforeAll(async () => {
  server = await startOwnRedis();
  scoring = await startScoring({ REDIS_URL: server.url });
  redis = scoring.app.get<Redis>(Redis);
  boards = boardsUnderTest(scoring, redis);
  ({ members, orgId } = await scoring.foundOrganisation(Array.from({ length: 12 }, (_, index) => `M${index}`)));
  for (const [index, member] of members.entries()) await scoring.log(member, { centimiles: 1000 - 100 * (index >> 1) });
  await eventually(async () => expect((await board()).users).toHaveLength(12));
  await waitUntilBuilt();
});
afterAll(async () => {
  await scoring.close();
  await server.close();
});

const memberAt = (index: number): TestMember => {
  const member = members[index];
  if (!member) throw new Error(`no member ${index}`);
  return member;
};
async function board(member = memberAt(5), headers = {}): Promise<Leaderboard> {
  const { status, body } = await (await scoring.as(member)).get<Leaderboard>('/api/leaderboard', headers);
  expect(status).toBe(200);
  return body;
}
const all = () => ({ orgId, weekStartsOn: null });
const key = (part: string) => boards.keyOf(all(), part);
const inRedis = () => boards.inRedis(all());
const inRows = () => boards.inRows(all());

/** Waits until a board of today's generation and of this life of Redis is there. */
const waitUntilBuilt = () =>
  eventually(async () => {
    await board();
    expect(await boards.isBuilt(all())).toBe(true);
  });

test('[D12] the board in Redis equals the rows, and both are read alike', async () => {
  expect(await inRedis()).toEqual(await inRows());
  const fast = await board();
  await redis.del(key(':ready'));
  expect(await board()).toEqual(fast);
  await waitUntilBuilt();
});

test.each(['/api/leaderboard', '/api/dashboard/stats'])(
  '[G4] a reader whose own credits are not on the board yet raises them: %s counts no rows',
  async (path) => {
    const reader = memberAt(5);
    const client = await scoring.as(reader);
    const before = await client.get(path);
    const known = (await redis.hget(key(':versions'), reader.userId)) ?? '';
    const [version = '', name = ''] = known.split(':');
    await redis.hset(key(':versions'), reader.userId, `${Number(version) - 1}:${name}`);
    await redis.zadd(key(''), '-1', name);
    expect((await client.get(path)).body).toEqual(before.body);
    expect(await redis.hget(key(':versions'), reader.userId)).toBe(known);
    expect(await inRedis()).toEqual(await inRows());
  },
);

describe('[F05] Redis', () => {
  test('emptied: the same board at once, and again from Redis a moment later', async () => {
    const before = await board();
    await redis.flushall();
    expect(await board()).toEqual(before);
    await waitUntilBuilt();
    expect(await inRedis()).toEqual(await inRows());
    expect(await board()).toEqual(before);
  });

  test('emptied in the middle of building: the half-built board is never used', async () => {
    const before = await board();
    await redis.set(key(':building'), 'somebody else', 'PX', 400);
    await redis.del(key(':ready'), key(''), key(':versions'));
    expect(await board()).toEqual(before);
    await waitUntilBuilt();
    expect(await inRedis()).toEqual(await inRows());
  });

  test('that loses connections while boards are built has them a moment later', async () => {
    await redis.del(key(':ready'));
    for (let lost = 0; lost < 5; lost += 1) {
      await board();
      await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    }
    await waitUntilBuilt();
    expect(await inRedis()).toEqual(await inRows());
  });

  test('killed: boards come from the rows, logs are credited, and nothing is missing when it is back', async () => {
    await server.kill();
    const said = await scoring.log(memberAt(11), { centimiles: 5_000 });
    const without = await board(memberAt(11), minPosition('activity', said));
    expect(without.userPosition).toBe(1);
    await eventually(async () => {
      expect(await scoring.rows(orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
    });
    await server.restart();
    await waitUntilBuilt();
    expect(await inRedis()).toEqual(await inRows());
    expect((await board(memberAt(11))).users).toEqual(without.users);
  });

  test('back with an old copy that misses changes: the copy is not used', async () => {
    await redis.save();
    const said = await scoring.log(memberAt(10), { centimiles: 9_000 });
    await board(memberAt(10), minPosition('activity', said));
    await eventually(async () => expect(await inRedis()).toEqual(await inRows()));
    await server.kill();
    await server.restart();
    await eventually(async () => expect(await redis.exists(key(':ready'))).toBe(1));
    expect((await board(memberAt(0))).users[0]?.id).toBe(memberAt(10).userId);
    await waitUntilBuilt();
    expect(await inRedis()).toEqual(await inRows());
  });
});

test('[F02] credits that a killed process left behind reach teams and board without another log', async () => {
  // A credit that still waited would be there twice, and its own aggregation would take both.
  await eventually(async () => {
    expect(await scoring.rows(orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
  });
  const before = await scoring.rows(orgId, 'select sum(centimiles)::int as sum from team_totals where org_id = $1');
  await redis.zrem(key(''), ...(await redis.zrange(key(''), 0, '0')));
  await redis.hdel(key(':versions'), memberAt(10).userId);
  const teamId = memberAt(10).teamId;
  const left = `(select org_id, entry_id, user_id, team_id, credited_on, week_starts_on, centimiles, credited_at,
    null::timestamptz as week_reached_at, null::smallint as movements, null::integer as minutes
    from ledger_entries where org_id = $1 and centimiles = 9000) l`;
  await scoring.asSystem(
    `with moved as (update team_totals set centimiles = centimiles - 9000 where org_id = $1 and team_id = $2),
       moved_too as (update team_weeks set centimiles = centimiles - 9000 where org_id = $1 and team_id = $2),
       moved_as_well as (update team_days set centimiles = centimiles - 9000 where org_id = $1 and team_id = $2)
     ${intoSetsSql(left, 'credited_at')}`,
    [orgId, teamId],
  );
  await eventually(async () => {
    expect(await scoring.rows(orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
    expect(await inRedis()).toEqual(await inRows());
  });
  expect(await scoring.rows(orgId, 'select sum(centimiles)::int as sum from team_totals where org_id = $1')).toEqual(
    before,
  );
});

test('rebuilding the ledger brings the same rows, sums and board', async () => {
  const sumsOf = () =>
    scoring.rows(
      orgId,
      `select team_id, sum(centimiles)::int as sum from (
         select team_id, centimiles from team_totals where org_id = $1
         union all select team_id, centimiles from pending_team_credits_of($1)) parts group by 1 order by 1`,
    );
  const before = [await board(), await inRows(), await sumsOf()];
  const ready = await redis.get(key(':ready'));
  const plan = { ...rebuildable, databaseUrl: scoring.ownerUrl };
  for (const projection of ledgerOfAll.projections) await rebuild({ ...plan, projection });
  expect([await board(), await inRows(), await sumsOf()]).toEqual(before);
  await waitUntilBuilt();
  expect(await redis.get(key(':ready'))).not.toBe(ready);
  await eventually(async () => {
    expect(await scoring.rows(orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
  });
  expect([await board(), await inRedis(), await sumsOf()]).toEqual(before);
});

test('[F05] a board that is emptied while it is built is not declared complete', async () => {
  const written = scoring.app.get(RedisLeaderboard);
  const fresh = { orgId: randomUUID(), weekStartsOn: null };
  const total = { userId: memberAt(0).userId, centimiles: 100, version: 1, reachedAt: new Date(1_700_000_000_000) };
  const build = await written.begin(fresh, '0.0');
  if (!build) throw new Error('nobody else builds this');
  expect(await written.begin(fresh, '0.0')).toBeUndefined();
  await written.continueWith(build, [total]);
  await redis.flushall();
  expect(await written.finish(build)).toBe(false);
  expect(await written.read(fresh, total.userId, { top: 20, neighbours: 2 })).toBeUndefined();
});

test('[F05] a build that is given up lets the next one begin, whoever gives it up', async () => {
  const written = scoring.app.get(RedisLeaderboard);
  const fresh = { orgId: randomUUID(), weekStartsOn: null };
  const first = await written.begin(fresh, '0.0');
  if (!first) throw new Error('nobody else builds this');
  await written.giveUp({ ...first, builder: 'somebody else' });
  expect(await written.begin(fresh, '0.0')).toBeUndefined();
  await written.giveUp(first);
  expect(await written.begin(fresh, '0.0')).toBeDefined();
});

test('[D12] totals written in any order and twice leave the newest', async () => {
  const written = scoring.app.get(RedisLeaderboard);
  const at = (version: number) => ({
    userId: memberAt(0).userId,
    centimiles: 100 * version,
    version,
    reachedAt: new Date(1_700_000_000_000 + version),
  });
  const board = { orgId: randomUUID(), weekStartsOn: null };
  const names = `lb:{${board.orgId}}:u:all`;
  await written.raise({ board, totals: [at(1)] });
  expect(await redis.exists(names), 'nobody has built it yet').toBe(0);
  await written.begin(board, '0.0');
  for (const version of [3, 1, 5, 5, 4, 2]) await written.raise({ board, totals: [at(version)] });
  expect(await redis.zrange(names, 0, '-1', 'WITHSCORES')).toEqual([
    expect.stringContaining(memberAt(0).userId),
    '-500',
  ]);
  await written.raise({ board, totals: [{ ...at(6), centimiles: 0 }] });
  expect(await redis.zcard(names)).toBe(0);
});

test('a stop waits for credits that are on their way into the sums', async () => {
  const upkeep = scoring.app.get(LeaderboardUpkeep);
  const owner = createPatientPool(scoring.ownerUrl, { max: 1 });
  const blocker = await owner.connect();
  try {
    await blocker.query('begin; lock table team_totals in access exclusive mode');
    await scoring.log(memberAt(1), { centimiles: 300 });
    const waiting = `select from pg_locks where relation = 'team_totals'::regclass and not granted`;
    const waits = async () => (await blocker.query(waiting)).rowCount;
    await eventually(async () => expect(await waits()).toBe(1));
    const stopped = upkeep.onModuleDestroy().then(() => 'stopped');
    const besides = new Promise((resolve) => setImmediate(() => resolve('running')));
    expect(await Promise.race([stopped, besides])).toBe('running');
    await blocker.query('rollback');
    expect(await stopped).toBe('stopped');
  } finally {
    blocker.release();
    await owner.end();
  }
  expect(await scoring.rows(orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
});

describe('credits that are in the sums now', () => {
  const monday = '2199-01-07';
  const nextMonday = '2199-01-14';

  test('[G1] are noticed by one row for all of an organisation and week, and 250 at most', async () => {
    const undone = new Error('undone');
    const noticed: object[] = [];
    const tried = withTenant(scoring.pool, orgId, async (tx) => {
      const credits = `(
        select $1::uuid as org_id, uuidv7() as entry_id, md5((nth / 2)::text)::uuid as user_id, $2::uuid as team_id,
          week as credited_on, week as week_starts_on, 10 as centimiles, now() as credited_at,
          null::timestamptz as week_reached_at, null::smallint as movements, null::integer as minutes
        from generate_series(0, 599) nth,
          unnest(case when nth < 2 then array[$3, $4]::date[] else array[$3]::date[] end) week) c`;
      const { rows } = await tx.query<{ setId: string }>(`${intoSetsSql(credits, 'credited_at')} returning set_id`, [
        orgId,
        memberAt(0).teamId,
        monday,
        nextMonday,
      ]);
      expect(rows).toHaveLength(3);
      await tx.query(aggregateSql, [orgId, rows.map(({ setId }) => setId)]);
      const { rows: found } = await tx.query<{ week: string; of: number; sums: number[] }>(
        `select week_starts_on as week, cardinality(user_ids) as of,
           array(select distinct unnest(centimiles)::int) as sums
         from pending_credit_notices where org_id = $1 and week_starts_on >= $2 order by 1, 2 desc`,
        [orgId, monday],
      );
      noticed.push(...found);
      throw undone;
    });
    await expect(tried).rejects.toBe(undone);
    expect(noticed).toEqual([
      { week: monday, of: 250, sums: [20] },
      { week: monday, of: 50, sums: [20] },
      { week: nextMonday, of: 1, sums: [20] },
    ]);
  });
});
