import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { dashboardStatsSchema, leaderboardSchema } from '@caravan/contracts/http/scores';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberErased, minPosition, privacyChosen, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

async function seenBy(member: TestMember, headers = {}) {
  const client = await scoring.as(member);
  const board = await client.get('/api/leaderboard', headers);
  const stats = await client.get('/api/dashboard/stats', headers);
  expect([board.status, stats.status, board.headers.get('x-stale')]).toEqual([200, 200, null]);
  return {
    board: leaderboardSchema.strict().parse(board.body),
    stats: dashboardStatsSchema.strict().parse(stats.body),
    text: JSON.stringify([board.body, stats.body]),
  };
}
const standing = ({ board }: Awaited<ReturnType<typeof seenBy>>) =>
  board.users.map(({ name, rank, totalMiles }) => [name, rank, totalMiles]);

/** Ada 9, Bo 5, Cy 2, each in one log, with pictures. */
async function threePeople() {
  const org = await scoring.foundOrganisation(['Ada', 'Bo', 'Cy']);
  const [ada, bo, cy] = org.members;
  if (!ada || !bo || !cy) throw new Error('three members');
  await scoring.tell(
    org.orgId,
    ...org.members.map(({ userId, name }) => {
      const data = { userId, name: `${name} Surname`, timeZone: 'UTC', profilePhotoUrl: `/objects/photos/${userId}` };
      return { type: 'ProfileEdited', data };
    }),
  );
  for (const [member, miles] of [
    [ada, 9],
    [bo, 5],
    [cy, 2],
  ] as const) {
    const said = await scoring.log(member, { centimiles: 100 * miles, activityType: `${member.name}'s own sport` });
    await seenBy(member, minPosition('activity', said));
  }
  await eventually(async () => {
    expect(await scoring.rows(org.orgId, 'select from pending_team_credit_sets where org_id = $1')).toEqual([]);
  });
  return { ...org, ada, bo, cy };
}

describe('who hides the own numbers', () => {
  test('[6.9 D18 S22] is a teammate without picture or way to the profile for everybody, in place and with all miles', async () => {
    const { orgId, ada, bo, cy } = await threePeople();
    const header = await scoring.tell(orgId, privacyChosen(bo, { statsVisible: false }));
    for (const viewer of [ada, cy]) {
      const seen = await seenBy(viewer, header);
      expect(standing(seen)).toEqual([
        ['Ada Surname', 1, 9],
        ['A teammate', 2, 5],
        ['Cy Surname', 3, 2],
      ]);
      const [, hidden] = seen.board.users;
      expect(hidden).toMatchObject({ photoUrl: null, profileId: null, weeklyMiles: 5, teamName: 'Blazers' });
      expect(seen.board.around.find(({ rank }) => rank === 2)).toEqual(hidden);
      expect(seen.stats.recentActivities.map(({ userName }) => userName)).toContain('A teammate');
      expect(seen.text).not.toContain(bo.userId);
      expect(seen.text).not.toMatch(new RegExp(`Bo Surname|photos.${bo.userId}`));
      expect(hidden?.id).toBe('hidden-2');
    }
  });

  test('[6.9 D18] sees themselves as always', async () => {
    const { orgId, bo } = await threePeople();
    const before = await seenBy(bo);
    const after = await seenBy(bo, await scoring.tell(orgId, privacyChosen(bo, { statsVisible: false })));
    expect(after.board).toEqual(before.board);
    expect(after.stats.recentActivities.map(({ userName }) => userName)).toContain('Bo Surname');
    expect(after.board.userPosition).toBe(2);
  });

  test('[6.9 D18] is shown again the moment they choose so', async () => {
    const { orgId, ada, bo } = await threePeople();
    const idAt2 = async (choice: object) =>
      (await seenBy(ada, await scoring.tell(orgId, privacyChosen(bo, choice)))).board.users[1]?.id;
    expect(await idAt2({ statsVisible: false })).toBe('hidden-2');
    expect(await idAt2({ statsVisible: true })).toBe(bo.userId);
  });

  test('[D18 S22] has no id of their own: neither a place nor an activity can be followed, or found in the feed', async () => {
    const { orgId, ada, bo, cy } = await threePeople();
    const logIds = (
      await scoring.rows<{ id: string }>(orgId, 'select log_id as id from ledger_entries where org_id = $1')
    ).map(({ id }) => id);
    const header = await scoring.tell(orgId, privacyChosen(bo, { statsVisible: false }));
    const recentOf = async () =>
      (await seenBy(ada, header)).stats.recentActivities.filter(({ userName }) => userName === 'A teammate');
    const [recent] = await recentOf();
    expect(logIds).toHaveLength(3);
    expect(logIds).not.toContain(recent?.id);
    expect(recent).toMatchObject({
      activityType: 'Custom activity',
      createdAt: expect.stringMatching(/:(00|15|30|45):00\.000Z$/),
    });
    // The one who is overtaken stands under another id.
    const said = await scoring.log(cy, { centimiles: 400 });
    await seenBy(cy, minPosition('activity', said));
    const { board } = await seenBy(ada);
    expect(board.users.map(({ name, id }) => [name, id])).toEqual([
      ['Ada Surname', ada.userId],
      ['Cy Surname', cy.userId],
      ['A teammate', 'hidden-3'],
    ]);
  });

  test('[6.9 D18] has hidden alike when the board comes from the rows', async () => {
    const { orgId, ada, bo } = await threePeople();
    const header = await scoring.tell(orgId, privacyChosen(bo, { statsVisible: false }));
    const fast = await seenBy(ada, header);
    await scoring.asSystem('update board_generations set generation = 99 where org_id = $1', [orgId]);
    expect((await seenBy(ada)).board).toEqual(fast.board);
  });
});

describe('who hides the own profile', () => {
  test('[6.9 D18] is listed by name, and the name leads nowhere but for themselves', async () => {
    const { orgId, ada, bo } = await threePeople();
    const linkedPeople = (seen: Awaited<ReturnType<typeof seenBy>>) => ({
      board: seen.board.users.find(({ name }) => name === 'Bo Surname')?.profileId,
      recent: seen.stats.recentActivities.find(({ userName }) => userName === 'Bo Surname')?.profileId,
    });
    expect(linkedPeople(await seenBy(ada))).toEqual({ board: bo.userId, recent: bo.userId });
    const header = await scoring.tell(orgId, privacyChosen(bo, { profileVisible: false }));
    expect(linkedPeople(await seenBy(ada, header))).toEqual({ board: null, recent: null });
    expect(linkedPeople(await seenBy(bo, header))).toEqual({ board: bo.userId, recent: bo.userId });
  });
});

describe('who hides the own activity', () => {
  test('[6.9 9.6 D18 S22] is not in the recent activity of others; the next ones move up, miles count', async () => {
    const { orgId, ada, bo, cy } = await threePeople();
    const header = await scoring.tell(orgId, privacyChosen(cy, { activityVisible: false }));
    const recent = async (viewer: TestMember) =>
      (await seenBy(viewer, header)).stats.recentActivities.map(({ userName }) => userName);
    const said = await scoring.log(ada, { centimiles: 100 });
    await seenBy(ada, minPosition('activity', said));
    for (const viewer of [ada, bo]) expect(await recent(viewer)).toEqual(['Ada Surname', 'Bo Surname', 'Ada Surname']);
    expect(await recent(cy)).toEqual(['Ada Surname', 'Cy Surname', 'Bo Surname']);
    expect(standing(await seenBy(ada))).toContainEqual(['Cy Surname', 3, 2]);
  });
});

describe('who is not known yet', () => {
  test('[D18 S22] is a teammate on the board and in nobody else’s recent activity until their choice has come', async () => {
    const { orgId, ada, bo } = await threePeople();
    const before = await seenBy(ada);
    const unknown = ['Early Bird', 'Hidden Early'].map((name) => ({ ...bo, userId: randomUUID(), name }));
    const [early, hiding] = unknown;
    if (!early || !hiding) throw new Error('two people');
    for (const member of unknown) {
      const said = await scoring.log(member, { centimiles: 100 });
      await scoring.activity.redeliver(...said);
      await seenBy(member, minPosition('activity', said));
    }
    const seen = await seenBy(ada);
    expect(seen.stats.recentActivities).toEqual(before.stats.recentActivities);
    expect(standing(seen)).toEqual([...standing(before), ['A teammate', 4, 1], ['A teammate', 4, 1]]);
    for (const { userId } of unknown) expect(seen.text).not.toContain(userId);
    const joined = unknown.map(({ userId, teamId, name }) => ({
      type: 'MemberJoined',
      data: {
        userId,
        teamId,
        name,
        timeZone: 'UTC',
        role: 'member',
        joinedOn: '2026-01-01',
        joinedAt: '2026-01-01T08:00:00.000Z',
      },
    }));
    const choice = privacyChosen(hiding, { activityVisible: false, statsVisible: false });
    const known = await seenBy(ada, await scoring.tell(orgId, ...joined, choice));
    expect(known.stats.recentActivities.map(({ userName }) => userName)).toEqual([
      'Early Bird',
      'Cy Surname',
      'Bo Surname',
    ]);
    expect(standing(known).slice(3).toSorted()).toEqual([
      ['A teammate', 4, 1],
      ['Early Bird', 4, 1],
    ]);
  });
});

describe('who was erased', () => {
  test('[D18 D32] is a former member; every rank and total stays exact', async () => {
    const { orgId, ada, bo } = await threePeople();
    const before = await seenBy(ada);
    const header = await scoring.tell(orgId, privacyChosen(bo, { statsVisible: false }), memberErased(bo));
    const seen = await seenBy(ada, header);
    expect(standing(seen)).toEqual([
      ['Ada Surname', 1, 9],
      ['A former member', 2, 5],
      ['Cy Surname', 3, 2],
    ]);
    expect(seen.board.teams.map(({ name, totalMiles, memberCount }) => [name, totalMiles, memberCount])).toEqual([
      ['Thunder', 11, 2],
      ['Blazers', 5, 0],
    ]);
    expect(seen.board.users[1]).toMatchObject({ photoUrl: null, profileId: null, teamName: 'Blazers' });
    expect(seen.stats.teamProgress).toEqual(before.stats.teamProgress);
    expect(seen.text).not.toMatch(/Bo\b|Bo's/);
    expect(seen.text).not.toContain(bo.userId);
  });

  test('[D32] leaves no name, no picture and no own words in any table', async () => {
    const { orgId, ada, bo } = await threePeople();
    const late = scoring.log(bo, { centimiles: 300, activityType: "Bo's secret sport" });
    const header = await scoring.tell(orgId, memberErased(bo));
    await late;
    const said = await scoring.log(bo, { centimiles: 100, activityType: "Bo's last words" });
    await seenBy(bo, minPosition('activity', said));
    const seen = await seenBy(ada, header);
    expect(standing(seen)).toContainEqual(['A former member', 1, 9]);
    const tables = ['members', 'credited_movements', 'ledger_entries', 'member_totals'];
    for (const table of tables) {
      const rows = await scoring.rows(orgId, `select * from ${table} where org_id = $1 and user_id = $2`, bo.userId);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toMatch(/Bo|photos/);
    }
    const kept = await scoring.rows(orgId, `select activity_type from credited_movements where org_id = $1`);
    expect(kept).toContainEqual({ activityType: 'Custom activity' });
  });
});
