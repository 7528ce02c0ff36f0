import { randomUUID } from '@caravan/contracts/testing/seeded';
import { leaderboardSchema } from '@caravan/contracts/http/scores';
import type { Leaderboard } from '@caravan/contracts/http/scores';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { signedPhoto } from '@caravan/service-kit/testing/signed-photo';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minPosition, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

async function boardOf(member: TestMember, headers = {}): Promise<Leaderboard> {
  const { status, body, headers: answered } = await (await scoring.as(member)).get('/api/leaderboard', headers);
  expect([status, answered.get('x-stale')]).toEqual([200, null]);
  return leaderboardSchema.strict().parse(body);
}
const countsOf = ({ teams }: Leaderboard) =>
  Object.fromEntries(teams.map(({ name, memberCount, averageMiles }) => [name, [memberCount, averageMiles]]));

/** Ada and Cy in Thunder with 8 and 1 miles, Bo and Dee in Blazers with 4 and none. */
async function fourPeople() {
  const org = await scoring.foundOrganisation(['Ada', 'Bo', 'Cy', 'Dee']);
  const [ada, bo, cy, dee] = org.members;
  const [thunder, blazers] = org.teams;
  if (!ada || !bo || !cy || !dee || !thunder || !blazers) throw new Error('four members of two teams');
  for (const [member, miles] of [
    [ada, 8],
    [bo, 4],
    [cy, 1],
  ] as const) {
    const said = await scoring.log(member, { centimiles: 100 * miles });
    await boardOf(member, minPosition('activity', said));
  }
  return { ...org, ada, bo, cy, dee, thunder, blazers };
}

describe('a member who changes the team', () => {
  test('[D2] counts for the new one at once; miles stay where they were earned', async () => {
    const { orgId, ada, thunder, blazers } = await fourPeople();
    const moved = { userId: ada.userId, fromTeamId: thunder.teamId, teamId: blazers.teamId };
    const header = await scoring.tell(orgId, {
      type: 'MemberMoved',
      data: { ...moved, movedAt: new Date().toISOString() },
    });
    const board = await boardOf(ada, header);
    expect(countsOf(board)).toEqual({ Thunder: [1, 9], Blazers: [3, 1.33] });
    expect(board.users[0]).toMatchObject({ name: 'Ada', teamName: 'Blazers', totalMiles: 8 });
    const said = await scoring.log({ ...ada, teamId: blazers.teamId }, { centimiles: 200 });
    const after = await boardOf(ada, minPosition('activity', said));
    expect(after.teams.map(({ name, totalMiles }) => [name, totalMiles])).toEqual([
      ['Thunder', 9],
      ['Blazers', 6],
    ]);
    expect(after.users[0]).toMatchObject({ totalMiles: 10, rank: 1 });
  });

  test('[D2 I3] back and forth leaves every count as it was', async () => {
    const { orgId, cy, thunder, blazers } = await fourPeople();
    const before = countsOf(await boardOf(cy));
    const move = (fromTeamId: string, teamId: string) => ({
      type: 'MemberMoved',
      data: { userId: cy.userId, fromTeamId, teamId, movedAt: new Date().toISOString() },
    });
    const there = await scoring.tell(orgId, move(thunder.teamId, blazers.teamId));
    expect(countsOf(await boardOf(cy, there))).toMatchObject({ Thunder: [1, 9], Blazers: [3, 1.33] });
    const back = await scoring.tell(orgId, move(blazers.teamId, thunder.teamId));
    expect(countsOf(await boardOf(cy, back))).toEqual(before);
  });
});

describe('a member who is deactivated', () => {
  test('[D2 D12 S06] leaves the board; the miles stay with the team, whose average is per active member', async () => {
    const { orgId, ada, bo, blazers } = await fourPeople();
    const fact = { userId: bo.userId, teamId: blazers.teamId };
    const at = new Date().toISOString();
    const gone = await scoring.tell(orgId, { type: 'MemberDeactivated', data: { ...fact, deactivatedAt: at } });
    const without = await boardOf(ada, gone);
    expect(countsOf(without)).toEqual({ Thunder: [2, 4.5], Blazers: [1, 4] });
    expect(without.users.map(({ name, rank, totalMiles }) => [name, rank, totalMiles])).toEqual([
      ['Ada', 1, 8],
      ['Cy', 2, 1],
    ]);
    const back = await scoring.tell(orgId, { type: 'MemberReactivated', data: { ...fact, reactivatedAt: at } });
    const again = await boardOf(ada, back);
    expect(countsOf(again)).toEqual({ Thunder: [2, 4.5], Blazers: [2, 2] });
    expect(again.users.map(({ name, rank }) => [name, rank])).toEqual([
      ['Ada', 1],
      ['Bo', 2],
      ['Cy', 3],
    ]);
  });

  test('[D2 I3] who is moved while away is counted for the new team on coming back, and not before', async () => {
    const { orgId, ada, bo, thunder, blazers } = await fourPeople();
    const at = new Date().toISOString();
    const whose = { userId: bo.userId };
    const away = await scoring.tell(
      orgId,
      { type: 'MemberDeactivated', data: { ...whose, teamId: blazers.teamId, deactivatedAt: at } },
      { type: 'MemberMoved', data: { ...whose, fromTeamId: blazers.teamId, teamId: thunder.teamId, movedAt: at } },
    );
    expect(countsOf(await boardOf(ada, away))).toEqual({ Thunder: [2, 4.5], Blazers: [1, 4] });
    const data = { ...whose, teamId: thunder.teamId, reactivatedAt: at };
    const back = await scoring.tell(orgId, { type: 'MemberReactivated', data });
    expect(countsOf(await boardOf(ada, back))).toEqual({ Thunder: [3, 3], Blazers: [1, 4] });
  });
});

test('[7.30 D35] a new name and picture stand on the board at once, and open pages hear of it', async () => {
  const { orgId, ada, bo } = await fourPeople();
  const pages = await listenLive(scoring.env, orgId);
  const profilePhotoUrl = `/objects/photos/${randomUUID()}`;
  const data = { userId: bo.userId, name: 'Bo Diddley', timeZone: 'Europe/Berlin', profilePhotoUrl };
  const header = await scoring.tell(orgId, { type: 'ProfileEdited', data });
  const { users } = await boardOf(ada, header);
  expect(users[1]).toMatchObject({ id: bo.userId, name: 'Bo Diddley' });
  expect(signedPhoto(users[1]?.photoUrl)).toEqual({ objectPath: profilePhotoUrl, size: 64, orgId });
  await expect.poll(() => [...pages.kinds]).toEqual(expect.arrayContaining(['board', 'stats']));
  await pages.close();
});

test('[D2] of another organisation nothing is changed, not even under equal ids', async () => {
  const one = await fourPeople();
  const two = await fourPeople();
  const before = [countsOf(await boardOf(two.ada)), (await boardOf(two.ada)).users];
  const at = new Date().toISOString();
  const { userId, teamId } = two.ada;
  const header = await scoring.tell(
    one.orgId,
    { type: 'MemberDeactivated', data: { userId, teamId, deactivatedAt: at } },
    { type: 'ProfileEdited', data: { userId, name: 'Eve', timeZone: 'UTC', profilePhotoUrl: null } },
    { type: 'MemberErased', data: { userId, teamId, wasActive: true, erasedAt: at } },
    { type: 'TeamRetired', data: { teamId } },
  );
  await boardOf(one.ada, header);
  expect([countsOf(await boardOf(two.ada)), (await boardOf(two.ada)).users]).toEqual(before);
});
