import { ownDaysSchema, type OwnDays } from '@caravan/contracts/http/scores';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minPosition, movementLogged, movementRemoved, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

const span = '?from=2026-03-02&to=2026-03-08';

async function foundOne(): Promise<TestMember> {
  const { members } = await scoring.foundOrganisation(['Maya'], 'UTC');
  const [maya] = members;
  if (!maya) throw new Error('one member');
  return maya;
}

async function daysOf(member: TestMember, query: string, position: Record<string, string> = {}): Promise<OwnDays> {
  const client = await scoring.as(member);
  const path = `/api/miles/days${query}`;
  await expect.poll(async () => (await client.get(path, position)).headers.get('x-stale')).toBeNull();
  const { status, body } = await client.get(path, position);
  expect(status).toBe(200);
  return ownDaysSchema.parse(body);
}

/** Half past ten, UTC, in March 2026; the 2nd is a Monday. */
const logOf = (member: TestMember, day: number, centimiles: number) =>
  movementLogged(member, { centimiles, startedAt: new Date(Date.UTC(2026, 2, day, 10, 30)) });

test('[D9 D10 D11] own days are sums of the ledger by local date, removed logs are gone, rests are named', async () => {
  const maya = await foundOne();
  const [walk, ride, swim, gone] = [
    [2, 200],
    [2, 150],
    [4, 100],
    [6, 300],
  ].map(([day = 0, centimiles = 0]) => logOf(maya, day, centimiles));
  if (!walk || !ride || !swim || !gone) throw new Error('four logs');
  const facts = [walk, ride, swim, gone, movementRemoved(gone)];
  const said = await scoring.activity.publish(...facts.flatMap((fact) => [fact, fact]));
  const { from, to, days, restDays } = await daysOf(maya, span, minPosition('activity', said));
  expect([from, to]).toEqual(['2026-03-02', '2026-03-08']);
  expect(days).toEqual([
    { on: '2026-03-02', miles: 3.5, movements: 2 },
    { on: '2026-03-04', miles: 1, movements: 1 },
  ]);
  expect(restDays).toEqual(['2026-03-03']);
  expect((await daysOf(maya, '?from=2026-03-04&to=2026-03-04')).restDays).toEqual([]);
});

test('[D11] an organisation without streak freezes has no rest days', async () => {
  const maya = await foundOne();
  const logged = await scoring.activity.publish(logOf(maya, 2, 200), logOf(maya, 4, 100));
  expect((await daysOf(maya, span, minPosition('activity', logged))).restDays).toEqual(['2026-03-03']);
  const data = { areOn: false, switchedAt: '2026-11-21T08:00:00.000Z' };
  const header = await scoring.tell(maya.orgId, { type: 'StreakFreezesSwitched', data });
  expect((await daysOf(maya, span, header)).restDays).toEqual([]);
});

test('[D18] own days are shown to their member alone', async () => {
  const maya = await foundOne();
  const other = await foundOne();
  const said = await scoring.activity.publish(logOf(maya, 2, 200));
  expect((await daysOf(maya, span, minPosition('activity', said))).days).toHaveLength(1);
  expect((await daysOf(other, span)).days).toEqual([]);
  expect((await daysOf({ ...other, userId: maya.userId }, span)).days).toEqual([]);
  expect((await scoring.nobody.get('/api/miles/days')).status).toBe(401);
});

test('[D10 D38] a request without dates answers the days from the Monday eleven weeks ago; wrong spans are refused', async () => {
  const maya = await foundOne();
  const { from, to, today } = await daysOf(maya, '');
  expect(to).toBe(today);
  expect(new Date(`${from}T00:00:00Z`).getUTCDay()).toBe(1);
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(77);
  expect(days).toBeLessThan(84);
  const client = await scoring.as(maya);
  for (const query of [
    'from=2026-03-08&to=2026-03-02',
    'from=2024-01-01&to=2026-03-02',
    'from=yesterday',
    'to=2026-02-30',
  ])
    expect((await client.get(`/api/miles/days?${query}`)).status).toBe(422);
});
