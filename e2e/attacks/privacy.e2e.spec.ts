import { randomUUID } from '@caravan/contracts/testing/seeded';
import { settle } from '@caravan/check-invariants/invariants';
import { operations } from '@caravan/contracts/http/operations';
import { expect, test } from '@playwright/test';
import { Client } from '@caravan/event-store/postgres/client';
import { target } from '../env.ts';
import { password } from '../people.ts';
import { allOperations } from './places.ts';
import { type Call, send } from './send.ts';
import { must, type Party, party, type Person } from './world.ts';

let home: Party;
let third: Person;
test.beforeAll(async () => {
  home = await party('Privacy');
  third = await home.newMember();
});

type Row = { id: string; name: string; totalMiles: number; rank: number; teamName: string; photoUrl: string | null };
type Post = { user: { name: string }; caption: string | null };
const read = async <Json>(id: keyof typeof operations, who: Person, call: Call = {}) =>
  (await must(id, who, call)).json as Json;
const board = async (who: Person) => (await read<{ users: Row[] }>('readLeaderboard', who)).users;
const feed = (who: Person) => read<Post[]>('readFeedOfAll', who, { query: { limit: '50' } });
const recent = async (who: Person) =>
  (await read<{ recentActivities: { userName: string }[] }>('readDashboardStats', who)).recentActivities;
const profile = (who: Person, of: Person) => send(operations.readUser, { path: { id: of.id } }, who);
const choose = (who: Person, privacy: object) => must('changeSettings', who, { body: { privacy } });
const log = (who: Person) =>
  must('logMovement', who, { body: { activityType: 'Own sport', durationMinutes: 10, photoPrompt: 'Own words' } });

test('[6.9 D18 S22] hidden numbers: a teammate on every board for others, oneself for oneself', async () => {
  const { member, admin, canary } = home;
  const name = `${canary} Member`;
  const before = await board(admin);
  const place = before.findIndex(({ id }) => id === member.id);
  await choose(member, { statsVisible: false });
  expect((await board(member)).find(({ id }) => id === member.id)?.name).toBe(name);
  for (const viewer of [admin, third]) {
    await expect.poll(async () => (await board(viewer))[place]?.name).toBe('A teammate');
    const seen = await board(viewer);
    expect(seen.map(({ rank, totalMiles }) => [rank, totalMiles])).toEqual(
      before.map(({ rank, totalMiles }) => [rank, totalMiles]),
    );
    expect(JSON.stringify(seen)).not.toContain(member.id);
    expect((await send(operations.readUser, { path: { id: seen[place]?.id ?? '' } }, viewer)).status).toBe(404);
    expect((await profile(viewer, member)).json).toMatchObject({
      name,
      totalMiles: null,
      streakCount: null,
      badges: [],
    });
  }
  await choose(member, { statsVisible: true });
  await expect.poll(async () => (await board(admin))[place]?.id).toBe(member.id);
});

/** What could be an id: UUIDs and instants, by the rows of an answer that show a name. */
function idsBeside(name: string, answer: unknown): string[] {
  if (Array.isArray(answer)) return answer.flatMap((row) => idsBeside(name, row));
  if (typeof answer !== 'object' || answer === null) return [];
  const lists = Object.values(answer).filter(Array.isArray);
  const row = JSON.stringify(Object.entries(answer).filter(([, value]) => !Array.isArray(value)));
  const own = row.includes(JSON.stringify(name)) ? (row.match(/[0-9a-f-]{36}|\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? []) : [];
  return [...own, ...lists.flatMap((list) => idsBeside(name, list))];
}

test('[D18 S22] hidden numbers: nothing in any answer leads from the teammate to the member', async () => {
  const { member, admin, canary } = home;
  await log(member);
  await choose(member, { statsVisible: false });
  await expect.poll(async () => (await recent(third)).map(({ userName }) => userName)).toContain('A teammate');
  const reads = allOperations.filter(
    ([, { method, access }]) => method === 'get' && (access === 'guest' || access === 'member'),
  );
  for (const viewer of [third, admin]) {
    const heard = await Promise.all(
      reads.map(([id, { path }]) =>
        send(operations[id], { path: { id: path.includes('/users/') ? member.id : home.challengeId } }, viewer),
      ),
    );
    const answers = heard.map(({ json }) => json);
    const named = new Set(answers.flatMap((answer) => idsBeside(`${canary} Member`, answer)));
    const hidden = answers.flatMap((answer) => idsBeside('A teammate', answer));
    expect(named).toContain(member.id);
    expect(hidden.length).toBeGreaterThan(0);
    expect(hidden.filter((id) => named.has(id))).toEqual([]);
  }
  await choose(member, { statsVisible: true });
});

test('[6.9 D18 S22] hidden activity: in nobody else’s feed or recent activity, in the own ones as always', async () => {
  const { member, admin, canary } = home;
  const name = `${canary} Member`;
  await log(member);
  await expect.poll(async () => (await recent(admin)).map(({ userName }) => userName)).toContain(name);
  const own = await feed(member);
  await choose(member, { activityVisible: false });
  expect(await feed(member)).toEqual(own);
  for (const viewer of [admin, third]) {
    await expect.poll(async () => JSON.stringify([await feed(viewer), await recent(viewer)])).not.toContain(name);
    expect((await board(viewer)).map(({ id }) => id)).toContain(member.id);
  }
  expect((await recent(member)).map(({ userName }) => userName)).toContain(name);
  await choose(member, { activityVisible: true });
  await expect.poll(() => feed(admin)).toEqual(own);
});

test('[6.9 D4 D18 S22] a hidden profile does not exist for others', async () => {
  const { member, admin } = home;
  await choose(member, { profileVisible: false });
  for (const viewer of [admin, third]) {
    expect((await profile(viewer, member)).status).toBe(404);
    expect((await send(operations.follow, { path: { id: member.id } }, viewer)).status).toBe(404);
  }
  expect((await profile(member, member)).status).toBe(200);
  await choose(member, { profileVisible: true });
});

test('[7.30] who changes the own name reads it from every service in the very next answers', async () => {
  for (const nth of [1, 2, 3, 4, 5]) {
    const name = `Renamed ${nth} ${randomUUID().slice(0, 8)}`;
    await must('editProfile', home.admin, { body: { name } });
    const [users, posts] = await Promise.all([board(home.admin), feed(home.admin)]);
    expect(users.find(({ id }) => id === home.admin.id)?.name).toBe(name);
    expect(posts.map(({ user }) => user.name)).toContain(name);
  }
});

test('[D2] who moves to another team earns for it with the very next log', async () => {
  const { admin, teamId } = home;
  type Teams = { teams: { id: string; totalMiles: number }[] };
  const milesOfTeam = async () =>
    (await read<Teams>('readLeaderboard', admin)).teams.find(({ id }) => id === teamId)?.totalMiles ?? 0;
  const before = await milesOfTeam();
  await must('changeMember', admin, { path: { id: admin.id }, body: { teamId } });
  await log(admin);
  expect(await milesOfTeam()).toBe(before + 1);
  expect((await read<Post[]>('readFeedOfTeam', admin)).map(({ caption }) => caption)).toContain('Own words');
});

test('[D2] who was moved by an admin and is shown the new team earns for it, however late activity hears of it', async () => {
  const { admin, teamId } = home;
  const moved = await home.newMember();
  await settle(target().postgres, 30_000);
  const activity = new Client({ connectionString: target().postgres.activity, options: '-c app.org=system' });
  await activity.connect();
  const readLogs = () =>
    send(operations.logMovement, { body: { activityType: 'Walking', durationMinutes: 10, source: 'timer' } }, moved);
  try {
    // Whatever activity hears of this member waits behind this lock.
    await activity.query('begin');
    await activity.query('select from members where user_id = $1 for update', [moved.id]);
    await must('changeMember', admin, { path: { id: moved.id }, body: { teamId } });
    const shown = await read<{ team: { id: string } }>('readMe', moved);
    expect(shown.team.id).toBe(teamId);
    expect((await readLogs()).status).toBe(503);
    await activity.query('rollback');
    await expect.poll(async () => (await readLogs()).status).toBe(200);
    const { rows } = await activity.query('select distinct team_id from movement_logs where user_id = $1', [moved.id]);
    expect(rows).toEqual([{ teamId }]);
  } finally {
    await activity.end();
  }
});

test('[D18 D32] who erases the account is a former member everywhere within a second; ranks and totals stay', async () => {
  const leaving = await home.newMember();
  await must('editProfile', leaving, { body: { name: 'Somebody Leaving', bio: 'Own bio' } });
  await log(leaving);
  const standing = async () => (await board(home.admin)).map(({ rank, totalMiles }) => [rank, totalMiles]);
  await expect.poll(async () => (await board(home.admin)).map(({ id }) => id)).toContain(leaving.id);
  const before = await standing();
  await must('eraseMe', leaving, { body: { password } });
  expect((await send(operations.readMe, {}, leaving)).status).toBe(401);
  const everything = async () =>
    JSON.stringify([await board(home.admin), await feed(home.admin), await recent(home.admin)]);
  await expect.poll(everything).not.toMatch(/Somebody Leaving|Own bio/);
  expect(await everything()).toContain('A former member');
  expect(await everything()).not.toContain(leaving.id);
  expect(await standing()).toEqual(before);
  expect((await profile(home.admin, leaving)).status).toBe(404);
});
