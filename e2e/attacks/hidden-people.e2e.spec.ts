import { randomUUID } from '@caravan/contracts/testing/seeded';
import { settle } from '@caravan/check-invariants/invariants';
import { unzip } from '@caravan/service-kit/testing/unzip';
import { operations } from '@caravan/contracts/http/operations';
import { expect, test } from '@playwright/test';
import { Client } from '@caravan/event-store/postgres/client';
import { target } from '../env.ts';
import { LivePage } from './live-ears.ts';
import { ownPhoto } from './photos.ts';
import { allOperations } from './places.ts';
import { pathOf, send } from './send.ts';
import { must, type Party, party, type Person } from './world.ts';

let home: Party;
let viewer: Person;
let hana: Person;
/** Stands in Hana's name and in everything that she writes. */
const canary = `Hana${randomUUID().slice(0, 8)}`;
let viewersLog: string;
let hanasLog: string;

test.beforeAll(async () => {
  home = await party('Hidden');
  [viewer, hana] = [await home.newMember(), await home.newMember()];
  await must('editProfile', hana, { body: { name: canary, bio: `${canary} bio`, location: `${canary} place` } });
  await must('editProfile', viewer, { body: { name: 'Vera Viewer' } });
  viewersLog = await log(viewer, 'A walk');
  hanasLog = await log(hana, `${canary} caption`);
  await settle(target().postgres, 30_000);
  await must('follow', hana, { path: { id: viewer.id } });
  await must('follow', viewer, { path: { id: hana.id } });
  await must('reactToPost', hana, { body: { movementLogId: viewersLog, emoji: '🙌' } });
  await comment(hana, `${canary} words for @Vera Viewer`, [viewer.id]);
  await comment(viewer, `Thank you @${canary}`, [hana.id]);
  await settle(target().postgres, 30_000);
});

async function log(person: Person, caption: string): Promise<string> {
  const { objectPath: photoPath } = await ownPhoto(person, caption);
  const body = { activityType: 'Walking', durationMinutes: 30, photoPrompt: caption, location: caption, photoPath };
  return ((await must('logMovement', person, { body })).json as { id: string }).id;
}

const comment = (person: Person, text: string, mentions: string[]) =>
  must('writeComment', person, { path: { id: viewersLog }, body: { text, mentions } });

const choices = {
  everything: { profileVisible: true, activityVisible: true, statsVisible: true },
  'no profile': { profileVisible: false, activityVisible: true, statsVisible: true },
  'no activity': { profileVisible: true, activityVisible: false, statsVisible: true },
  'no figures': { profileVisible: true, activityVisible: true, statsVisible: false },
  nothing: { profileVisible: false, activityVisible: false, statsVisible: false },
};

/** The answers of every operation that a member may read, asked about everything that there is. */
async function answersTo(person: Person): Promise<ReadonlyMap<string, string>> {
  const ids = [hana.id, viewer.id, viewersLog, hanasLog, home.challengeId, home.recapId, home.recapWeek];
  const reads = allOperations.filter(
    ([id, { method, access }]) =>
      method === 'get' && (access === 'guest' || access === 'member') && id !== 'streamChanges',
  );
  const calls = reads.flatMap(([id, operation]) => {
    const [, name] = /\{(\w+)\}/.exec(operation.path) ?? [];
    const query = id === 'listMentionable' ? { query: { name: canary.slice(0, 6) } } : {};
    return (name === undefined ? [''] : ids).map((value) => ({
      id,
      operation,
      call: name === undefined ? query : { path: { [name]: value } },
    }));
  });
  const told = new Map<string, string>();
  for (const { id, operation, call } of calls) {
    const heard = await send(operation, call, person);
    // A refusal repeats the address that was asked for, and says nothing else.
    if (heard.status < 400) told.set(`${id} ${pathOf(operation, call)}`, heard.told);
  }
  return told;
}

type Files = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;

/** The files of the person's export. Two a day are allowed, and a day is long. */
async function exportOf(person: Person): Promise<Files> {
  const identity = new Client({ connectionString: target().postgres.identity, options: '-c app.org=system' });
  await identity.connect();
  await identity.query('delete from exports where user_id = $1', [person.id]);
  await identity.end();
  await must('requestExport', person, { body: {} });
  await expect
    .poll(async () => (await must('readExport', person)).json, { timeout: 60_000 })
    .toMatchObject({ state: 'ready' });
  const file = await fetch(`${target().url}/api/me/export/file`, {
    headers: { authorization: `Bearer ${person.token}` },
  });
  return unzip(Buffer.from(await file.arrayBuffer()));
}

const rowsOf = (files: Files, file: string) => JSON.parse(files[`${file}.json`] ?? '') as Row[];
const textsWithNames = (texts: Iterable<readonly [string, string]>) =>
  [...texts].filter(([, text]) => text.includes(canary) || text.includes(hana.id)).map(([name]) => name);

/** Something that pages of everybody are told of. Who hides what they do cannot comment: nobody could read it. */
async function lively(): Promise<void> {
  await send(operations.writeComment, { path: { id: viewersLog }, body: { text: `${canary} more words` } }, hana);
  await must('reactToPost', hana, { body: { movementLogId: viewersLog, emoji: '💪' } });
  await log(hana, `${canary} again`);
  await log(viewer, 'Another walk');
  await settle(target().postgres, 30_000);
}

const read = async <Json>(...asked: Parameters<typeof must>) => (await must(...asked)).json as Json;

async function expectSameLists(files: Files): Promise<void> {
  const namesIn = (rows: readonly Row[]) => rows.map(({ name }) => String(name)).toSorted();
  const path = { id: viewer.id };
  const followers = await read<Row[]>('listFollowers', viewer, { path });
  expect(namesIn(rowsOf(files, 'account/followers'))).toEqual(namesIn(followers));
  const following = await read<Row[]>('listFollowing', viewer, { path });
  expect(namesIn(rowsOf(files, 'account/following'))).toEqual(namesIn(following));
}

async function expectSameComments(files: Files): Promise<void> {
  const path = { id: viewersLog };
  const thread = await read<{ text: string; isMine: boolean }[]>('listComments', viewer, { path });
  const own = thread.filter(({ isMine }) => isMine).map(({ text }) => text);
  expect(rowsOf(files, 'social/comments').map(({ text }) => text)).toEqual(own);
}

const kindsOfColleagues = new Set(['reaction', 'comment', 'mention', 'follower', 'rank-lost']);

async function expectSameNotices(files: Files): Promise<void> {
  const notifications = await read<Row[]>('listNotifications', viewer);
  // Badges and the export itself are told of while this runs.
  const countRows = (rows: readonly Row[]) =>
    rows
      .filter(({ kind }) => kindsOfColleagues.has(String(kind)))
      .map(({ kind, count }) => `${String(kind)} ${String(count)}`)
      .toSorted();
  expect(countRows(rowsOf(files, 'social/notifications'))).toEqual(countRows(notifications));
  const naming = (rows: readonly Row[]) =>
    rows.filter(({ text }) => String(text).includes(canary)).map(({ kind }) => String(kind));
  const kindsInApp = new Set(naming(notifications));
  expect(naming(rowsOf(files, 'account/notices-by-mail-and-push')).filter((kind) => !kindsInApp.has(kind))).toEqual([]);
}

type Post = { readonly id: string; readonly user: { readonly name: string; readonly profileId: string | null } };

async function expectSameFeed(page: LivePage): Promise<void> {
  const feed = await read<Post[]>('readFeedOfAll', viewer, { query: { limit: '10' } });
  const shownOf = (posts: readonly Post[]) => posts.map(({ id, user }) => [id, user.name, user.profileId]);
  const live = () => page.messages.flatMap(({ shown }) => shown?.feed?.posts ?? []).slice(-feed.length);
  await expect.poll(() => shownOf(live())).toEqual(shownOf(feed));
}

/** Where others are named; each is compared. Another file that names somebody needs a comparison of its own. */
const filesNamingOthers = [
  'account/followers',
  'account/following',
  'account/notices-by-mail-and-push',
  'social/comments',
];
const operationsNamingOthers = [
  'readFeedOfAll',
  'readActivitiesOfAll',
  'listComments',
  'listReactions',
  'listFollowers',
  'listFollowing',
  'readLeaderboard',
  'readUser',
  'listMentionable',
  'listNotifications',
  'readDashboardStats',
];

async function expectNamedEverywhere(files: Files, page: LivePage): Promise<void> {
  const calls = textsWithNames(await answersTo(viewer));
  expect(calls.map((call) => call.split(' ')[0])).toEqual(expect.arrayContaining(operationsNamingOthers));
  const tables = textsWithNames(Object.entries(files)).map((file) => file.replace(/[.](json|csv)$/, ''));
  expect([...new Set(tables)].toSorted()).toEqual(filesNamingOthers);
  expect(textsWithNames([['the live stream', page.text]])).toHaveLength(1);
}

async function expectNamedNowhere(files: Files, page: LivePage): Promise<void> {
  expect(textsWithNames(await answersTo(viewer))).toEqual([]);
  expect(textsWithNames(Object.entries(files))).toEqual([]);
  expect(textsWithNames([['the live stream', page.text]])).toEqual([]);
}

for (const [title, privacy] of Object.entries(choices))
  test(`[D18 D46 D50 S22] a member who shows ${title} is the same in the app, the export and the live stream`, async () => {
    await must('changeSettings', hana, { body: { privacy } });
    await settle(target().postgres, 30_000);
    const page = await LivePage.openFor(viewer);
    await lively();
    const files = await exportOf(viewer);
    await expectSameLists(files);
    await expectSameComments(files);
    await expectSameNotices(files);
    await expectSameFeed(page);
    if (privacy === choices.everything) await expectNamedEverywhere(files, page);
    if (privacy === choices.nothing) await expectNamedNowhere(files, page);
    page.close();
  });
