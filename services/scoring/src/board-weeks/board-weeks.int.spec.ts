import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { type BoardWeeks, boardWeeksSchema } from '@caravan/contracts/http/scores';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  memberErased,
  minPosition,
  movementCorrected,
  movementLogged,
  movementRemoved,
  privacyChosen,
  startScoring,
} from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';
import { RankWeeks } from './rank-weeks.job.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

const running = weekStartOf(localDateOf(new Date(), 'Europe/Berlin'));
/** The Monday of so many weeks ago. */
const monday = (weeksAgo: number) => addDays(running, -7 * weeksAgo);
const logOf = (member: TestMember, weeksAgo: number, centimiles: number) =>
  movementLogged(member, { centimiles, startedAt: new Date(`${monday(weeksAgo)}T12:00:00.000Z`) });

const rankWeeks = () => scoring.app.get(RankWeeks, { strict: false }).rankAll(new Date());

async function weeksOf(member: TestMember, position: Record<string, string> = {}): Promise<BoardWeeks> {
  const client = await scoring.as(member);
  const read = () => client.get('/api/leaderboard/weeks', position);
  await expect.poll(async () => (await read()).headers.get('x-stale')).toBeNull();
  const { status, body } = await read();
  expect(status).toBe(200);
  return boardWeeksSchema.parse(body);
}
type Said = Parameters<typeof minPosition>[1];
/** Waits for the last log of each member: a position is waited for by the member whose log it is. */
async function waitForLogs(reader: TestMember, said: Said): Promise<void> {
  const lastByKey = new Map(said.map((envelope) => [envelope.key, envelope]));
  for (const [userId, last] of lastByKey) await weeksOf({ ...reader, userId }, minPosition('activity', [last]));
}

/** Waits for the miles, writes the ranks, and reads them. */
async function rankedOf(member: TestMember, said: Said): Promise<unknown[]> {
  await waitForLogs(member, said);
  await rankWeeks();
  return (await weeksOf(member)).ranks.map(({ weekStartsOn, rank, miles }) => [weekStartsOn, rank, miles]);
}
const deactivation = ({ userId, teamId }: TestMember) => {
  return { type: 'MemberDeactivated', data: { userId, teamId, deactivatedAt: '2026-11-21T08:00:00.000Z' } };
};
const twice = <Fact>(...facts: Fact[]): Fact[] => facts.flatMap((fact) => [fact, fact]);

async function threeMembers() {
  const { orgId, members } = await scoring.foundOrganisation(['Ada', 'Bo', 'Cy']);
  const [ada, bo, cy] = members;
  if (!ada || !bo || !cy) throw new Error('three members');
  return { orgId, ada, bo, cy };
}

test('[D8 D12] own ranks follow totals at the end of each finished week, ties share one, corrections move them', async () => {
  const { ada, bo, cy } = await threeMembers();
  const late = logOf(cy, 1, 300);
  const facts = [logOf(ada, 3, 500), logOf(bo, 3, 500), logOf(cy, 2, 300), late, logOf(bo, 0, 9_000)];
  const said = await scoring.activity.publish(...twice(...facts));
  expect(await rankedOf(cy, said)).toEqual([
    [monday(2), 3, 3],
    [monday(1), 1, 6],
  ]);
  expect(await rankedOf(bo, said)).toEqual([
    [monday(3), 1, 5],
    [monday(2), 1, 5],
    [monday(1), 2, 5],
  ]);
  const corrected = await scoring.activity.publish(...twice(movementCorrected(late, { durationMinutes: 10 })));
  expect(await rankedOf(cy, corrected)).toContainEqual([monday(1), 3, 4]);
  const removed = await scoring.activity.publish(...twice(movementRemoved(late)));
  await scoring.activity.redeliver(...said, ...corrected, ...removed);
  expect(await rankedOf(cy, removed)).toContainEqual([monday(1), 3, 3]);
});

test('[D10 D12] a week before the last twelve counts for totals and has no rank of its own', async () => {
  const { ada, bo } = await threeMembers();
  const said = await scoring.activity.publish(logOf(bo, 20, 700), logOf(ada, 11, 200), logOf(ada, 2, 600));
  const ranks = await rankedOf(bo, said);
  expect(ranks).toHaveLength(11);
  expect(ranks[0]).toEqual([monday(11), 1, 7]);
  expect(ranks.at(-1)).toEqual([monday(1), 2, 7]);
  expect((await weeksOf(bo)).weeks).toEqual(Array.from({ length: 12 }, (_, nth) => monday(11 - nth)));
});

test('[D18] ranks are shown to their member alone; a member who hides numbers counts and sees their own', async () => {
  const { ada, bo, cy } = await threeMembers();
  const said = await scoring.activity.publish(logOf(ada, 1, 500), logOf(bo, 1, 400));
  await scoring.tell(ada.orgId, privacyChosen(ada, { statsVisible: false, profileVisible: false }));
  expect(await rankedOf(ada, said)).toEqual([[monday(1), 1, 5]]);
  expect(await rankedOf(bo, said)).toEqual([[monday(1), 2, 4]]);
  expect((await weeksOf(cy)).ranks).toEqual([]);
  const { members } = await scoring.foundOrganisation(['Stranger']);
  const [stranger] = members;
  if (!stranger) throw new Error('one member');
  expect((await weeksOf({ ...stranger, userId: ada.userId })).ranks).toEqual([]);
  expect((await scoring.nobody.get('/api/leaderboard/weeks')).status).toBe(401);
});

test('[D12 D18] deactivated members leave the ranks of past weeks, and nothing is stored of erased ones', async () => {
  const { orgId, ada, bo, cy } = await threeMembers();
  const said = await scoring.activity.publish(logOf(ada, 1, 500), logOf(bo, 1, 400), logOf(cy, 1, 300));
  expect(await rankedOf(cy, said)).toEqual([[monday(1), 3, 3]]);
  await scoring.tell(orgId, deactivation(ada));
  await expect.poll(() => rankedOf(cy, said)).toEqual([[monday(1), 2, 3]]);
  await scoring.tell(orgId, memberErased(bo));
  const readStored = () =>
    scoring.rows<{ userId: string }>(orgId, 'select user_id from member_ranks where org_id = $1');
  await expect.poll(readStored).toEqual([{ userId: cy.userId }]);
  await rankWeeks();
  expect([await readStored(), await rankedOf(cy, said)]).toEqual([[{ userId: cy.userId }], [[monday(1), 2, 3]]]);
  await scoring.tell(orgId, { type: 'OrganisationClosed', data: { closedAt: '2026-11-21T08:00:00.000Z' } });
  await expect.poll(readStored).toEqual([]);
});

test('[D49] ranks that are lost are written again as they were, and those that still hold are not written', async () => {
  const { orgId, ada, bo } = await threeMembers();
  const said = await scoring.activity.publish(logOf(ada, 3, 500), logOf(bo, 2, 900));
  await rankedOf(bo, said);
  const readStored = () =>
    scoring.rows(orgId, 'select *, xmin::text from member_ranks where org_id = $1 order by 2, 3');
  const from = () => scoring.rows(orgId, 'select *, xmin::text from ranked_organisations where org_id = $1');
  const before = await readStored();
  const rankedFrom = await from();
  expect(before).toHaveLength(5);
  const now = await scoring.log(ada, { centimiles: 100 });
  await rankedOf(bo, now);
  expect([await readStored(), await from()]).toEqual([before, rankedFrom]);
  for (const table of ['member_ranks', 'ranked_organisations'])
    await scoring.asSystem(`delete from ${table} where org_id = $1`, [orgId]);
  await rankWeeks();
  const withoutXmin = (rows: object[]) => rows.map((row) => Object.fromEntries(Object.entries(row).slice(0, -1)));
  expect(withoutXmin(await readStored())).toEqual(withoutXmin(before));
});

test('[2.75 D45] every member reads what each team brought in each week, the running one included', async () => {
  const { ada, bo, cy } = await threeMembers();
  const moved = logOf(bo, 2, 250);
  const facts = [logOf(ada, 2, 500), logOf(cy, 2, 100), logOf(ada, 20, 800), moved, movementRemoved(moved)];
  const said = await scoring.activity.publish(...twice(...facts, movementLogged(cy, { centimiles: 70 })));
  await waitForLogs(bo, said);
  const { weeks, teams } = await weeksOf(bo);
  const shown = teams.map(({ name, emoji, miles }) => [name, emoji, miles[9], miles[11], miles.length]);
  expect(weeks[9]).toBe(monday(2));
  expect(shown).toEqual([
    ['Thunder', '⚡', 6, 0.7, 12],
    ['Blazers', '🔥', 0, 0, 12],
  ]);
});
