import { type Analytics, analyticsSchema } from '@caravan/contracts/http/analytics';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { eventually } from '@caravan/event-store/testing/eventually';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memberErased, movementLogged, privacyChosen, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
beforeAll(async () => {
  scoring = await startScoring();
});
afterAll(() => scoring.close());

const path = '/api/analytics';
const timeZone = 'Europe/Berlin';
const monday = weekStartOf(localDateOf(new Date(), timeZone));
const lastWeek = addDays(monday, -7);
const weekBefore = addDays(monday, -14);

const on = (day: string, member: TestMember, activityType: string, audience = 'organisation') => {
  const startedAt = new Date(`${day}T10:00:00.000Z`);
  const loggedAt = new Date(`${day}T11:00:00.000Z`);
  const fact = movementLogged(member, { activityType, startedAt, loggedAt });
  return { ...fact, data: { ...fact.data, audience } };
};

/** Two teams of twelve; all moved in the week before the last one, of each team seven in the last one. */
async function liveThrough(names = Array.from({ length: 24 }, (_, nth) => `P${nth}`)) {
  const organisation = await scoring.foundOrganisation(names, timeZone);
  const { members } = organisation;
  const [first] = members;
  if (!first) throw new Error('a member');
  const said = await scoring.activity.publish(
    ...members.map((member) => on(weekBefore, member, 'Running')),
    ...members.slice(0, 14).map((member) => on(addDays(lastWeek, 1), member, 'Walking')),
    ...members.slice(0, 3).map((member) => on(addDays(lastWeek, 2), member, 'Surfing')),
    ...members.slice(0, 6).map((member) => on(addDays(lastWeek, 3), member, 'Lunch lap')),
    ...members.slice(0, 6).map((member) => on(addDays(lastWeek, 4), member, 'Yoga', 'owner')),
    ...members.map((member) => on(monday, member, 'Walking')),
  );
  await scoring.activity.redeliver(...said);
  const admin = await scoring.as(first, { role: 'admin' });
  const read = async (query = ''): Promise<Analytics> =>
    analyticsSchema.strict().parse((await admin.get(`${path}${query}`)).body);
  const isLate = async () =>
    (await scoring.rows(organisation.orgId, 'select from credited_movements where org_id = $1')).length < said.length ||
    (await scoring.rows(organisation.orgId, 'select from pending_team_credit_sets where org_id = $1')).length > 0;
  await eventually(async () => expect(await isLate()).toBe(false));
  return { ...organisation, admin, read };
}

const exactly = (count: number) => ({ atLeast: count, atMost: count });

test('[D3 D38] is for admins alone, of three periods', async () => {
  const { members, admin } = await liveThrough(['Maya']);
  const member = await scoring.as(members[0] ?? { userId: '', orgId: '' });
  expect((await member.get(path)).status).toBe(403);
  expect((await scoring.nobody.get(path)).status).toBe(401);
  for (const weeks of ['5', '0', 'all', '12.5']) expect((await admin.get(`${path}?weeks=${weeks}`)).status).toBe(422);
});

test('[D10 D21] tells of weeks that are over, and of nothing that fewer than five people did', async () => {
  const { read, orgId } = await liveThrough();
  const told = await read('?weeks=4');
  expect(told).toMatchObject({ weeks: 4, from: addDays(monday, -28), until: addDays(monday, -1), members: 24 });
  expect(told.participation.slice(-2)).toEqual([
    { weekStartsOn: weekBefore, members: 24, moved: exactly(24) },
    { weekStartsOn: lastWeek, members: 24, moved: exactly(14) },
  ]);
  expect(told.logs.weeks.slice(-2)).toEqual([
    { weekStartsOn: weekBefore, logs: 24, days: [24, 0, 0, 0, 0, 0, 0] },
    // Three surfed on Wednesday; what six did on Thursday would give it away, what is theirs alone is nowhere.
    { weekStartsOn: lastWeek, logs: 23, days: [0, 14, null, null, 0, 0, 0] },
  ]);
  expect(told.logs).toMatchObject({
    total: 47,
    activities: [
      { activity: 'Running', logs: 24 },
      { activity: 'Walking', logs: 14 },
    ],
    others: 9,
  });
  expect(told.teams).toMatchObject([
    { names: [{ name: 'Thunder', emoji: '⚡' }], members: 12, participation: exactly(40) },
    { names: [{ name: 'Blazers', emoji: '🔥' }], members: 12, participation: exactly(40) },
  ]);
  // 24, 14 with the six who have theirs for themselves, at 3 miles each.
  expect(told.teams.reduce((sum, team) => sum + (team.milesPerMemberAndWeek ?? 0) * 12 * 4, 0)).toBeCloseTo(159, 0);
  expect(told.challenges).toEqual({ completed: null, others: { ...exactly(60), times: 20 } });
  expect((await tenancyOf(scoring.pool, orgId)).leaking).toEqual([]);
});

test('[D18 D32] past weeks stay as they were told when somebody hides or is erased', async () => {
  const { read, orgId, members, admin } = await liveThrough();
  const before = await read();
  const [hiding, , , leaving] = members;
  if (!hiding || !leaving) throw new Error('members');
  const hidden = privacyChosen(hiding, { profileVisible: false, activityVisible: false, statsVisible: false });
  await admin.get(path, await scoring.tell(orgId, hidden));
  expect(await read()).toEqual(before);
  await admin.get(path, await scoring.tell(orgId, memberErased(leaving)));
  await eventually(async () => expect((await read()).members).toBe(23));
  const after = await read();
  expect(after).toEqual({ ...before, members: 23 });
  expect(after.retention[0]?.people).toBe(24);
});

test('[D4] an organisation of four is told nothing, and one sees nothing of another', async () => {
  const { read } = await liveThrough(['Maya', 'Omar', 'Zoe', 'Lena']);
  const told = await read();
  expect(told).toMatchObject({
    members: null,
    retention: [],
    teams: [],
    challenges: { completed: null, others: null },
  });
  expect(told.participation.every(({ members, moved }) => members === null && moved === null)).toBe(true);
  expect(told.logs).toMatchObject({ total: 0, activities: [], others: 0 });
  expect(JSON.stringify(told)).not.toMatch(/Walking|Thunder/);
});

test('who began together is told of by how many stayed', async () => {
  const { orgId, read } = await liveThrough();
  const joined = addDays(monday, -20);
  await scoring.asSystem('update members set joined_on = $2 where org_id = $1', [orgId, joined]);
  expect((await read()).retention).toEqual([
    {
      firstWeek: addDays(monday, -21),
      lastWeek: addDays(monday, -21),
      people: 24,
      moved: [exactly(24), exactly(14)],
    },
  ]);
});
