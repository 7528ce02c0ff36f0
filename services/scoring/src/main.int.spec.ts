import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import type { Leaderboard } from '@caravan/contracts/http/scores';
import { runAdminCommand } from '@caravan/messaging/operator/admin-command';
import { Redis } from '@caravan/service-kit/storage/redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppModule, ledgerOfAll } from './app.module.ts';
import { startScoring } from './testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from './testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

async function command(...args: string[]): Promise<{ exitCode: number | undefined; said: string }> {
  const lines: string[] = [];
  const env = { ...scoring.env, MIGRATION_DATABASE_URL: scoring.ownerUrl };
  const context = { env, module: AppModule.forRoot(env), kinds: [ledgerOfAll] };
  const exitCode = await runAdminCommand(args, context, (line) => lines.push(line));
  return { exitCode, said: lines.join('\n') };
}

async function foundOne(): Promise<TestMember> {
  const { members } = await scoring.foundOrganisation(['Maya']);
  const [maya] = members;
  if (!maya) throw new Error('one member');
  return maya;
}

const totalOf = ({ orgId, userId }: TestMember) =>
  scoring.rows(orgId, 'select centimiles from member_totals where org_id = $1 and user_id = $2', userId);

describe('--rebuild', () => {
  test('fills the named projection from the log, and the board in Redis follows', async () => {
    const maya = await foundOne();
    const reader = await scoring.as(maya);
    const redis = scoring.app.get<Redis>(Redis);
    const readyKey = `lb:{${maya.orgId}}:u:all:ready`;
    await scoring.log(maya, { centimiles: 300 }, { centimiles: 110 });
    await eventually(async () => {
      expect(await totalOf(maya)).toEqual([{ centimiles: 410 }]);
      expect((await reader.get<Leaderboard>('/api/leaderboard')).body.users).toHaveLength(1);
      expect(await redis.get(readyKey)).toMatch(/:0\.0\.\d+$/);
    });
    await scoring.asSystem('update member_totals set centimiles = 7 where org_id = $1', [maya.orgId]);

    expect(await command('--rebuild', 'miles-ledger')).toEqual({
      exitCode: 0,
      said: 'Rebuilt miles-ledger: 2 events replayed, generation 1',
    });
    expect(await totalOf(maya)).toEqual([{ centimiles: 410 }]);
    await eventually(async () => {
      await reader.get('/api/leaderboard');
      expect(await redis.get(readyKey)).toMatch(/:1\.0\.\d+$/);
    });
  });

  test('of a projection that is not the service’s names those that are', async () => {
    expect(await command('--rebuild', 'feed')).toEqual({
      exitCode: 1,
      said: 'scoring has no read model feed. It has: miles-ledger, pending-claim-reviews, streaks',
    });
  });
});

describe('--redrive', () => {
  test('says which keys still stand and why, and replays each key that can go on', async () => {
    const maya = await foundOne();
    const stranger = { ...maya, userId: randomUUID(), orgId: randomUUID() };
    for (const { userId } of [stranger, maya]) await scoring.activity.publishRaw(userId, 'not an envelope');
    await scoring.log(stranger, { centimiles: 200 });
    await scoring.log(maya, { centimiles: 300 });
    const parkedKeys = async () => (await scoring.pool.query('select key from msg.parked order by parked_id')).rows;
    // Two groups read movements here; one of them takes those with a photo, and nothing else stands behind what it cannot read.
    await eventually(async () => expect(await parkedKeys()).toHaveLength(6));

    const unchanged = await command('--redrive');
    expect(unchanged).toMatchObject({ exitCode: 1 });
    expect(unchanged.said).toContain('scoring: 0 messages redriven, 4 keys still parked');
    expect(unchanged.said).toContain(`scoring.credit-miles ${maya.userId}: 2 messages, the first because of `);

    await scoring.pool.query(`delete from msg.parked where value = 'not an envelope'::bytea`);
    const partly = await command('--redrive');
    expect(partly).toMatchObject({ exitCode: 1 });
    expect(partly.said).toContain('scoring: 1 messages redriven, 1 keys still parked');
    expect(partly.said).toContain(`Organisation ${stranger.orgId} is not known here`);
    expect(await totalOf(maya)).toEqual([{ centimiles: 300 }]);

    await scoring.pool.query('delete from msg.parked where key = $1', [stranger.userId]);
    expect(await command('--redrive')).toEqual({
      exitCode: 0,
      said: 'scoring: 0 messages redriven, 0 keys still parked',
    });
  });
});

test('a command line that names no command is the service’s start', async () => {
  expect((await command()).exitCode).toBeUndefined();
});
