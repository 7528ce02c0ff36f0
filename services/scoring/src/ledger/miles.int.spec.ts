import { noonZone } from '@caravan/contracts/testing/noon-zone';
import { milesSchema } from '@caravan/contracts/http/scores';
import type { DashboardStats, Leaderboard, Miles } from '@caravan/contracts/http/scores';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  minPosition,
  movementCorrected,
  movementLogged,
  movementRemoved,
  startScoring,
} from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

async function foundOne(timeZone?: string): Promise<TestMember> {
  const { members } = await scoring.foundOrganisation(['Maya'], timeZone);
  const [maya] = members;
  if (!maya) throw new Error('one member');
  return maya;
}

async function milesOf(member: TestMember, waitFor: Record<string, string> = {}): Promise<Miles> {
  const client = await scoring.as(member);
  const read = () => client.get('/api/miles', waitFor);
  await expect.poll(async () => (await read()).headers.get('x-stale')).toBeNull();
  const { status, body } = await read();
  expect(status).toBe(200);
  return milesSchema.parse(body);
}

describe('the own ledger', () => {
  test('[D9 D32] explains every mile: logs, corrections, removals; they add up to the total', async () => {
    const maya = await foundOne(noonZone());
    const loggedAt = new Date(Date.now() - 3_600_000);
    const [walk, juggling, gone] = ['Walking', 'Juggling', 'Yoga'].map((activityType, index) =>
      movementLogged(maya, { activityType, loggedAt: new Date(loggedAt.getTime() + index) }),
    );
    if (!walk || !juggling || !gone) throw new Error('three logs');
    const facts = [walk, juggling, gone, movementCorrected(walk, { durationMinutes: 20 }), movementRemoved(gone)];
    // Everything is told twice.
    const said = await scoring.activity.publish(...facts.flatMap((fact) => [fact, fact]));
    const { entries, totalMiles } = await milesOf(maya, minPosition('activity', said));
    expect(totalMiles).toBe(5);
    expect(entries.reduce((sum, { miles }) => sum + miles, 0)).toBe(5);
    expect(entries.map(({ explanation }) => explanation).toSorted()).toEqual([
      '30 minutes of Juggling: 30 ÷ 10 = 3 miles',
      '30 minutes of Walking: 30 ÷ 10 = 3 miles',
      '30 minutes of Yoga: 30 ÷ 10 = 3 miles',
      'Corrected from 30 to 20 minutes: −1 mile',
      'Removed: −3 miles',
    ]);
    const client = await scoring.as(maya);
    const board = (await client.get<Leaderboard>('/api/leaderboard')).body;
    expect(board.users).toMatchObject([{ totalMiles: 5, weeklyMiles: 5 }]);
    const stats = (await client.get<DashboardStats>('/api/dashboard/stats')).body;
    expect(stats.recentActivities.map(({ activityType, miles }) => [activityType, miles])).toEqual([
      ['Juggling', 3],
      ['Walking', 2],
    ]);
    await expect
      .poll(async () => (await client.get<Leaderboard>('/api/leaderboard')).body.teams[0]?.totalMiles)
      .toBe(5);
  });

  test('[D8 D35] a correction of the name alone is no entry; what is recent follows, and open pages hear of it', async () => {
    const maya = await foundOne();
    const log = movementLogged(maya);
    await milesOf(maya, minPosition('activity', await scoring.activity.publish(log)));
    const pending = () => scoring.rows(maya.orgId, 'select from pending_team_credit_sets where org_id = $1');
    await expect.poll(pending).toEqual([]);
    const pages = await listenLive(scoring.env, maya.orgId);
    const renamed = movementCorrected({ ...log, data: { ...log.data, activityType: 'Juggling' } }, {});
    const { entries } = await milesOf(maya, minPosition('activity', await scoring.activity.publish(renamed)));
    expect(entries).toHaveLength(1);
    const stats = (await (await scoring.as(maya)).get<DashboardStats>('/api/dashboard/stats')).body;
    expect(stats.recentActivities).toMatchObject([{ activityType: 'Juggling', miles: 3 }]);
    await expect.poll(() => [...pages.kinds]).toContain('stats');
    await pages.close();
  });

  test('[D8 D12] of somebody who took everything back is empty of miles, and they have no rank', async () => {
    const maya = await foundOne();
    const log = movementLogged(maya);
    const said = await scoring.activity.publish(log, movementRemoved(log));
    expect((await milesOf(maya, minPosition('activity', said))).totalMiles).toBe(0);
    const { body } = await (await scoring.as(maya)).get<Leaderboard>('/api/leaderboard');
    expect([body.userPosition, body.users, body.around]).toEqual([null, [], []]);
    expect(await scoring.rows(maya.orgId, 'select from streak_runs where org_id = $1')).toEqual([]);
    expect(await scoring.rows(maya.orgId, 'select from credited_movements where org_id = $1')).toEqual([]);
  });

  test('[D9 D10] stands by the local days that miles count for, each with all its miles, however pages are cut', async () => {
    const maya = await foundOne();
    const walkOn = (day: string, centimiles: number) =>
      movementLogged(maya, { centimiles, startedAt: new Date(`2026-11-${day}:30:00.000Z`) });
    // Logged in this order; half past midnight of the 19th in Berlin is still the 18th in London.
    const early = walkOn('17T10', 300);
    const late = walkOn('18T23', 200);
    const middle = walkOn('17T12', 100);
    const removed = movementRemoved(early);
    const said = await scoring.activity.publish(early, late, middle, removed);
    await milesOf(maya, minPosition('activity', said));
    const client = await scoring.as(maya);
    const pages: Miles[] = [];
    for (let next: string | undefined = '/api/miles?limit=2'; next !== undefined;) {
      const { body, headers }: { body: Miles; headers: Headers } = await client.get<Miles>(next);
      pages.push(body);
      next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    const lines = pages.flatMap(({ entries }) => entries).map(({ on, miles }) => [on, miles]);
    expect(lines[0]).toEqual(['2026-11-19', 2]);
    expect(lines.slice(1).toSorted()).toEqual([-3, 1, 3].map((miles) => ['2026-11-17', miles]).toSorted());
    expect(pages.map(({ days }) => days)).toEqual([
      [
        { on: '2026-11-19', miles: 2 },
        { on: '2026-11-17', miles: 1 },
      ],
      [{ on: '2026-11-17', miles: 1 }],
    ]);
  });

  test('[D17 D38] is read page by page, each entry once', async () => {
    const maya = await foundOne();
    const said = await scoring.log(
      maya,
      ...Array.from({ length: 45 }, (_, index) => ({ centimiles: 10 * (index + 10) })),
    );
    await milesOf(maya, minPosition('activity', said));
    const found: string[] = [];
    const client = await scoring.as(maya);
    for (let next: string | undefined = '/api/miles'; next !== undefined;) {
      const answer: { body: Miles; headers: Headers } = await client.get<Miles>(next);
      found.push(...answer.body.entries.map(({ logId = '' }) => logId));
      next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect([found.length, new Set(found).size]).toEqual([45, 45]);
    for (const query of ['limit=0', 'limit=ten', 'cursor=x'])
      expect((await client.get(`/api/miles?${query}`)).status).toBe(422);
    expect((await client.get<Miles>('/api/miles?limit=999')).body.entries).toHaveLength(45);
  });

  test('[D17 D18] is nobody else’s, and once forgotten names no activity that was typed', async () => {
    const maya = await foundOne();
    const other = await foundOne();
    const said = await scoring.log(maya, { activityType: 'Juggling' });
    await milesOf(maya, minPosition('activity', said));
    expect((await milesOf(other)).entries).toEqual([]);
    expect((await milesOf({ ...other, userId: maya.userId })).entries).toEqual([]);
    expect((await scoring.nobody.get('/api/miles')).status).toBe(401);
    await scoring.asSystem(`update credited_movements set activity_type = 'Custom activity' where org_id = $1`, [
      maya.orgId,
    ]);
    expect((await milesOf(maya)).entries[0]?.explanation).toBe('30 minutes of Custom activity: 30 ÷ 10 = 3 miles');
  });
});
