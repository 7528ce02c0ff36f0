import { casesOf } from '@caravan/contracts/testing/full';
import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { reactionEmojis } from '@caravan/contracts/events/fields';
import { reactionsSchema } from '@caravan/contracts/http/feed';
import type { FeedPost, Reaction } from '@caravan/contracts/http/feed';
import { rebuiltInSets } from '@caravan/event-store/testing/rebuilt-in-sets';
import { openPages } from '@caravan/service-kit/testing/open-pages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  memberErased,
  memberJoined,
  memberOf,
  movementLogged,
  privacyChosen,
  startSocial,
} from '../testing/social-under-test.ts';
import type { SocialUnderTest, TestMember } from '../testing/social-under-test.ts';
import { reactionsStream } from './reactions-stream.ts';
import { reactionsProjection } from './reactions.projection.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

const root = resolve(import.meta.dirname, '../../../..');
type LoggedFact = ReturnType<typeof movementLogged>;
const [strong, love, celebrate] = reactionEmojis;

/** Maya has posted; Omar and Lena may react. */
async function postedByMaya() {
  const orgId = randomUUID();
  const [maya, omar, lena] = ['Maya Okafor', 'Omar Haddad', 'Lena Fischer'].map((name) =>
    memberOf(orgId, randomUUID(), name),
  ) as [TestMember, TestMember, TestMember];
  await social.identity.publish(...[maya, omar, lena].map(memberJoined));
  const fact = movementLogged(maya, { caption: 'Along the canal' });
  await social.activity.publish(fact);
  await expect.poll(() => social.rows(orgId, 'select from posts where org_id = $1')).toHaveLength(1);
  await expect.poll(() => social.rows(orgId, 'select from members where org_id = $1')).toHaveLength(3);
  return { orgId, maya, omar, lena, fact, logId: fact.data.logId };
}

const react = async (who: TestMember, movementLogId: unknown, emoji: unknown = strong, headers = {}) =>
  (await social.as(who)).post<{ action: string; message: string }>(
    '/api/feed/react',
    { movementLogId, emoji },
    headers,
  );
const seenBy = async (who: TestMember, headers = {}, scope = 'all') => {
  const { body } = await (await social.as(who)).get<FeedPost[]>(`/api/feed/${scope}`, headers);
  return body.map(({ reactions, myReactions }) => ({ reactions, myReactions }));
};
const whoReacted = async (reader: TestMember, logId: string, query = '') => {
  const answer = await (await social.as(reader)).get<Reaction[]>(`/api/feed/${logId}/reactions${query}`);
  const people = answer.status === 200 ? reactionsSchema.parse(answer.body) : [];
  return { status: answer.status, people, link: answer.headers.get('link') };
};
const eventsOf = (orgId: string) => social.rows(orgId, `select from es.events where org_id = $1`);
const removedFact = ({ data, ...about }: LoggedFact) => {
  const { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn } = data;
  const figures = { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn };
  return { ...about, type: 'MovementRemoved', data: { ...figures, removedAt: '2026-11-17T09:00:00.000Z' } };
};

describe('a reaction', () => {
  test('[7.26 4.36 2.90 D19] is given and taken back; every feed counts it, and says which is one’s own', async () => {
    const { maya, omar, lena, logId } = await postedByMaya();
    expect(await react(omar, logId)).toMatchObject({ status: 200, body: { action: 'added' } });
    expect((await react(omar, logId, love)).body).toEqual({ action: 'added' });
    const { headers } = await react(lena, logId);
    expect(headers.get('x-event-position')).toMatch(/^social:\d+(@\d+)?$/);
    const counted = { [strong]: 2, [love]: 1 };
    expect(await seenBy(omar)).toEqual([{ reactions: counted, myReactions: [strong, love].toSorted() }]);
    expect(await seenBy(lena)).toEqual([{ reactions: counted, myReactions: [strong] }]);
    expect(await seenBy(maya, {}, 'mine')).toEqual([{ reactions: counted, myReactions: [] }]);
    expect((await react(omar, logId)).body).toEqual({ action: 'removed' });
    expect((await react(lena, logId)).body).toEqual({ action: 'removed' });
    expect(await seenBy(maya)).toEqual([{ reactions: { [love]: 1 }, myReactions: [] }]);
  });

  test('[3.43 D41] is a like in the activity feed, whichever it is, which also says which is one’s own', async () => {
    const { maya, omar, lena, logId } = await postedByMaya();
    for (const [who, emoji] of [
      [omar, strong],
      [omar, love],
      [lena, celebrate],
    ] as const)
      await react(who, logId, emoji);
    await react(omar, logId, love);
    const { body } = await (await social.as(maya)).get('/api/activity-feed/all');
    expect(body).toMatchObject({ activities: [{ id: logId, reactions: { likes: 2 }, myReactions: [] }] });
    const own = await (await social.as(omar)).get('/api/activity-feed/all');
    expect(own.body).toMatchObject({ activities: [{ id: logId, myReactions: [strong] }] });
  });

  test('[8.12 D19 D38] with an unknown emoji, null, a number or nothing is refused with the reason; nothing is written', async () => {
    const { orgId, omar, logId } = await postedByMaya();
    for (const emoji of ['🔥', '', '❤', null, 7, undefined, `${strong}${strong}`])
      expect(await react(omar, logId, emoji === undefined ? [] : emoji)).toMatchObject({
        status: 422,
        body: { message: 'Choose 💪, ❤️ or 🙌' },
      });
    for (const id of [null, 7, undefined, {}, 'x'.repeat(65)])
      expect(await react(omar, id)).toMatchObject({ status: 422, body: { message: 'Choose a post' } });
    const client = await social.as(omar);
    expect((await client.post('/api/feed/react', null)).status).toBe(422);
    expect((await client.send('/api/feed/react', '{"movement', 'application/json')).status).toBe(400);
    expect((await social.nobody.post('/api/feed/react', { movementLogId: logId, emoji: strong })).status).toBe(401);
    expect(await eventsOf(orgId)).toEqual([]);
  });

  test('[D4 D18 D19] to a post that one may not see is one to a post that is not there', async () => {
    const { orgId, maya, omar, fact, logId } = await postedByMaya();
    const other = await postedByMaya();
    const outcomes = async (id: string) => [
      (await react(omar, id)).status,
      (await whoReacted(omar, id)).status,
      (await react(omar, id, '🔥')).status,
    ];
    for (const id of [other.logId, randomUUID(), 'no-such-post', "'; drop table posts"])
      expect((await outcomes(id)).slice(0, 2)).toEqual([404, 404]);
    expect((await react(omar, other.logId)).body.message).toBe((await react(omar, randomUUID())).body.message);
    await social.tell(orgId, privacyChosen(maya, { activityVisible: false }));
    await expect.poll(() => outcomes(logId)).toEqual([404, 404, 422]);
    expect((await react(maya, logId)).body).toEqual({ action: 'added' });
    await social.tell(orgId, privacyChosen(maya, {}));
    await expect.poll(() => outcomes(logId)).toEqual([200, 200, 422]);
    await social.activity.publish(removedFact(fact));
    await expect.poll(() => outcomes(logId)).toEqual([404, 404, 422]);
    expect(await eventsOf(other.orgId)).toEqual([]);
  });

  test('[D38] sent again under its key is answered as before and given once; another one under it is refused', async () => {
    const { orgId, omar, logId } = await postedByMaya();
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => react(omar, logId, strong, key)));
    expect(answers.map(({ body }) => body)).toEqual(Array(5).fill({ action: 'added' }));
    expect((await react(omar, logId, love, key)).status).toBe(422);
    expect(await eventsOf(orgId)).toHaveLength(1);
  });
});

describe('reactions follow their post', () => {
  test('[D8 D19] corrected it keeps them, taken back nobody sees them', async () => {
    const { maya, omar, fact, logId } = await postedByMaya();
    await react(omar, logId);
    const { durationMinutes, centimiles, loggedOn } = fact.data;
    const corrected = {
      ...fact,
      type: 'MovementCorrected',
      data: {
        ...fact.data,
        caption: 'Corrected',
        revision: 2,
        correctedAt: '2026-11-17T09:00:00.000Z',
        previous: { durationMinutes, centimiles, loggedOn },
      },
    };
    await social.activity.publish(corrected, corrected);
    await expect
      .poll(async () => (await (await social.as(maya)).get<FeedPost[]>('/api/feed/mine')).body)
      .toMatchObject([{ caption: 'Corrected', reactions: { [strong]: 1 } }]);
    await social.activity.publish(removedFact(fact), removedFact(fact));
    await expect.poll(() => seenBy(maya)).toEqual([]);
    expect((await whoReacted(maya, logId)).status).toBe(404);
  });

  test('[D18 D32] they stay when its author, or who reacted, is erased: as a former member', async () => {
    const { orgId, maya, omar, lena, logId } = await postedByMaya();
    await react(omar, logId);
    await react(lena, logId, celebrate);
    await social.tell(orgId, memberErased(maya), memberErased(omar));
    await expect
      .poll(async () => (await whoReacted(lena, logId)).people)
      .toEqual([
        { emoji: celebrate, user: { name: 'Lena Fischer', avatar: null, profileId: lena.userId } },
        { emoji: strong, user: { name: 'A former member', avatar: null, profileId: null } },
      ]);
    expect(await seenBy(lena)).toEqual([{ reactions: { [strong]: 1, [celebrate]: 1 }, myReactions: [celebrate] }]);
  });
});

describe('who reacted', () => {
  test('[2.90 D18 D53] is told the latest first, without name and link of who hides', async () => {
    const { orgId, maya, omar, lena, logId } = await postedByMaya();
    await react(omar, logId);
    await react(lena, logId, love);
    const lenas = { emoji: love, user: { name: 'Lena Fischer', avatar: null, profileId: lena.userId } };
    const omars = { emoji: strong, user: { name: 'Omar Haddad', avatar: null, profileId: omar.userId } };
    expect((await whoReacted(maya, logId)).people).toEqual([lenas, omars]);
    await social.tell(
      orgId,
      privacyChosen(omar, { activityVisible: false }),
      privacyChosen(lena, { profileVisible: false }),
    );
    await expect
      .poll(async () => (await whoReacted(maya, logId)).people)
      .toEqual([
        { ...lenas, user: { ...lenas.user, profileId: null } },
        { emoji: strong, user: { name: 'A teammate', avatar: null, profileId: null } },
      ]);
    expect((await whoReacted(omar, logId)).people).toContainEqual(omars);
    expect(await seenBy(maya)).toMatchObject([{ reactions: { [strong]: 1, [love]: 1 } }]);
  });

  test('[D17 D38] is told page by page; another limit or a tampered cursor is refused', async () => {
    const { maya, omar, lena, logId } = await postedByMaya();
    for (const who of [maya, omar, lena]) for (const emoji of reactionEmojis) await react(who, logId, emoji);
    const found: Reaction[] = [];
    for (let query: string | undefined = '?limit=4'; query !== undefined;) {
      const { people, link } = await whoReacted(maya, logId, query);
      found.push(...people);
      query = /reactions(\?.+)>; rel="next"$/.exec(link ?? '')?.[1];
    }
    expect(found).toEqual((await whoReacted(maya, logId)).people);
    expect(new Set(found.map(({ emoji, user }) => `${emoji} ${user.name}`)).size).toBe(9);
    for (const query of ['?limit=0', '?limit=-1', '?limit=ten', '?cursor=tampered', '?cursor=WyJub3ciLDEsMl0'])
      expect((await whoReacted(maya, logId, query)).status).toBe(422);
    expect((await whoReacted(maya, logId, '?limit=51')).people).toHaveLength(9);
  });
});

test('[D35 S18 D18] open pages are given the counts; of who hides them nothing, and who hides asks', async () => {
  const { orgId, maya, omar, lena, logId } = await postedByMaya();
  const hidden = movementLogged(lena);
  await social.activity.publish(hidden);
  await social.tell(orgId, privacyChosen(lena, { activityVisible: false }));
  await expect.poll(() => social.rows(orgId, 'select from posts where org_id = $1')).toHaveLength(2);
  await expect
    .poll(() => social.rows(orgId, 'select from members where org_id = $1 and not activity_visible'))
    .toHaveLength(1);
  const readers = [maya, omar, lena].map(({ userId }) => userId);
  const pages = await openPages(social.env, orgId, { readers, topics: ['reactions'] });
  await Promise.all([react(omar, logId), react(lena, logId), react(lena, hidden.data.logId, love)]);
  const reactionsGiven = ({ userId }: TestMember) => pages.partGiven(userId, 'reactions');
  await expect.poll(() => reactionsGiven(lena)).toBe('ask');
  for (const reader of [maya, omar])
    await expect.poll(() => reactionsGiven(reader)).toEqual({ posts: { [logId]: { [strong]: 2 } } });
  expect(pages.allTexts()).not.toContain(hidden.data.logId);
  await react(omar, logId);
  await expect.poll(() => reactionsGiven(maya)).toEqual({ posts: { [logId]: { [strong]: 1 } } });
  await react(lena, logId);
  await expect.poll(() => reactionsGiven(maya)).toEqual({ posts: { [logId]: {} } });
  await pages.close();
});

const togglers = casesOf({ core: 100, full: 500 });
const togglesOfEach = 20;

test('[4.36 D19 I6] thousands of toggles by many members on one post, all at once, are counted to the last one', async () => {
  const { orgId, logId, maya } = await postedByMaya();
  const members = Array.from({ length: togglers }, (_, nth) => memberOf(orgId, maya.teamId, `Member ${nth}`));
  await social.identity.publish(...members.map(memberJoined));
  await expect.poll(() => social.rows(orgId, 'select from members where org_id = $1')).toHaveLength(togglers + 3);
  const senders = await Promise.all(members.map((member) => social.sender(member, '/api/feed/react')));
  const toggles = senders.flatMap((send, nth) =>
    Array.from({ length: togglesOfEach }, (_, turn) => ({
      send,
      nth,
      emoji: reactionEmojis[(nth * 7 + turn ** 2) % 3],
    })),
  );
  const shuffled = toggles.map((toggle, nth) => ({ toggle, at: (nth * 7_919) % toggles.length }));
  const queue = shuffled.toSorted((a, b) => a.at - b.at).map(({ toggle }) => toggle);
  const refused: unknown[] = [];
  const runner = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const status = await next.send({ movementLogId: logId, emoji: next.emoji });
      // A busy machine says so and has done nothing: they ask again, and still each counts once.
      if (status === 503) queue.push(next);
      else if (status !== 200) refused.push(status);
    }
  };
  await Promise.all(Array.from({ length: 64 }, runner));
  expect(refused).toEqual([]);
  const times = Map.groupBy(toggles, ({ nth, emoji }) => `${nth} ${emoji}`);
  const expected = reactionEmojis.flatMap((emoji) => {
    const count = [...times].filter(([id, all]) => id.endsWith(emoji) && all.length % 2 === 1).length;
    return count > 0 ? [[emoji, count] as const] : [];
  });
  expect(expected.length).toBeGreaterThan(0);
  expect(await seenBy(maya)).toEqual([{ reactions: Object.fromEntries(expected), myReactions: [] }]);
  expect(await eventsOf(orgId)).toHaveLength(togglers * togglesOfEach);
  const rows = await social.rows(
    orgId,
    'select emoji, count(*)::int as count from reactions where org_id = $1 group by emoji',
  );
  expect(rows).toEqual(expect.arrayContaining(expected.map(([emoji, count]) => ({ emoji, count }))));
}, 300_000);

test('[D49] reactions are made again from their log, one by one or in sets', async () => {
  const orgId = randomUUID();
  const logId = randomUUID();
  const authorId = randomUUID();
  const givenAt = '2026-11-16T10:00:00.000Z';
  const people = Array.from({ length: 40 }, () => randomUUID());
  const event = (type: string, userId: string, emoji = strong as string) => ({
    orgId,
    category: 'reactions',
    type,
    data: { logId, userId, authorId, emoji, ...(type === 'ReactionGiven' ? { givenAt } : { takenBackAt: givenAt }) },
  });
  const { oneByOne, inSets } = await rebuiltInSets({
    folders: ['libs/event-store', 'services/social/prisma'].map((path) => resolve(root, path, 'migrations')),
    kinds: [reactionsStream],
    projection: reactionsProjection,
    events: [
      ...people.map((userId) => event('ReactionGiven', userId)),
      ...people.slice(0, 30).map((userId) => event('ReactionTakenBack', userId)),
      ...people.map((userId) => event('ReactionGiven', userId, love)),
      ...people.slice(0, 5).map((userId) => event('ReactionGiven', userId)),
    ],
  });
  expect(oneByOne.map((rows) => rows.length)).toEqual([55, 2]);
  for (const tables of inSets) expect(tables).toEqual(oneByOne);
});
