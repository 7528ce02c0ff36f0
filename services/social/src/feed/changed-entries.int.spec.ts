import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { closeRedis, createRedis, isRedisReady, Redis } from '@caravan/service-kit/storage/redis';
import { openPages } from '@caravan/service-kit/testing/open-pages';
import { testServers } from '@caravan/service-kit/testing/servers';
import { startTcpProxy } from '@caravan/service-kit/testing/tcp-proxy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChangedEntries } from './changed-entries.client.ts';
import { type Walk, walkWithComments, writeComment } from '../testing/commented-walk.ts';
import {
  memberErased,
  movementLogged,
  privacyChosen,
  profileEdited,
  startSocial,
} from '../testing/social-under-test.ts';
import type { SocialUnderTest, TestMember } from '../testing/social-under-test.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

/** However long the machine took to write them, they are of this moment. */
const noteAnew: ChangedEntries['note'] = (...changes) => social.app.get(ChangedEntries).note(...changes);

describe('open threads', () => {
  const openPagesOf = async (walk: Walk) => {
    const readers = [walk.maya, walk.omar, walk.lena].map(({ userId }) => userId);
    const pages = await openPages(social.env, walk.orgId, { readers, topics: ['comments'] });
    return { pages, commentsGiven: (who: TestMember) => pages.partGiven(who.userId, 'comments') };
  };

  test('[D35 S18] are told counts and what changed; who sees more of their own asks', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, lena } = walk;
    const { pages, commentsGiven } = await openPagesOf(walk);
    for (const text of ['One', 'Two', 'Three', 'Four']) await writeComment(walk, omar, text);
    const all = await walk.thread(maya);
    await eventually(async () => {
      const told = { threads: [{ entryId: walk.postId, count: 4, changed: all, gone: [] }] };
      expect([commentsGiven(maya), commentsGiven(lena)]).toEqual([told, told]);
    });
    const last = all.at(-1)?.id ?? '';
    await walk.hide(maya, last, 'Too much');
    await eventually(() => {
      expect(commentsGiven(lena)).toMatchObject({ threads: [{ count: 3, gone: [last] }] });
      expect(commentsGiven(omar)).toBe('ask');
    });
    await pages.close();
  });

  test('[D35 D50] are told of an edit and a deletion of an old comment too', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar } = walk;
    const first = await writeComment(walk, omar, 'First');
    const second = await writeComment(walk, omar, 'Second');
    for (const text of ['Three', 'Four', 'Five']) await writeComment(walk, omar, text);
    const { pages, commentsGiven } = await openPagesOf(walk);
    await walk.edit(omar, first.id, 'First, edited');
    await eventually(() =>
      expect(commentsGiven(maya)).toMatchObject({
        threads: [{ count: 5, changed: [{ id: first.id, text: 'First, edited' }, {}, {}, {}, {}] }],
      }),
    );
    await (await social.as(omar)).delete(`/api/feed/comments/${second.id}`);
    await eventually(() => expect(commentsGiven(maya)).toMatchObject({ threads: [{ count: 4, gone: [second.id] }] }));
    await pages.close();
  });

  test('[D35] ask where more changed than is told one by one, and hear nothing wrong', async () => {
    const walk = await walkWithComments(social);
    const { pages, commentsGiven } = await openPagesOf(walk);
    const texts = Array.from({ length: 25 }, (_, nth) => `Nr. ${nth}`);
    const first = await Promise.all(texts.map((text) => writeComment(walk, walk.omar, text)));
    await eventually(() =>
      expect(commentsGiven(walk.maya)).toMatchObject({ threads: [{ count: 25, changed: null, gone: [] }] }),
    );
    const others = Array.from({ length: 75 }, (_, nth) => `Other ${nth}`);
    const next = await Promise.all(others.map((text) => writeComment(walk, walk.lena, text)));
    noteAnew(
      'comments',
      walk.orgId,
      [...first, ...next].map(({ id }) => ({ entryId: walk.postId, commentId: id })),
    );
    await writeComment(walk, walk.lena, 'One more');
    await eventually(() => expect(commentsGiven(walk.maya)).toBe('ask'));
    await pages.close();
  });

  test('[D35 D53] show a new name beside what was written before', async () => {
    const walk = await walkWithComments(social);
    const comment = await writeComment(walk, walk.omar);
    const { pages, commentsGiven } = await openPagesOf(walk);
    await walk.tell(profileEdited(walk.omar, 'Omar the Swift'));
    await eventually(() =>
      expect(commentsGiven(walk.maya)).toMatchObject({
        threads: [{ count: 1, changed: [{ id: comment.id, user: { name: 'Omar the Swift' } }], gone: [] }],
      }),
    );
    await pages.close();
  });

  test.each([
    ['hides what they do', (omar: TestMember) => privacyChosen(omar, { activityVisible: false })],
    ['hides their profile', (omar: TestMember) => privacyChosen(omar, { profileVisible: false })],
    ['is erased', memberErased],
  ])('[D18 D32 D35] ask where a member %s: what they wrote may stand in any of them', async (_how, fact) => {
    const walk = await walkWithComments(social);
    await writeComment(walk, walk.omar);
    const { pages, commentsGiven } = await openPagesOf(walk);
    await walk.tell(fact(walk.omar));
    await eventually(() => {
      expect([commentsGiven(walk.maya), commentsGiven(walk.lena)]).toEqual(['ask', 'ask']);
      expect(pages.allTexts()).toMatch(/"kinds":\[[^\]]*"reactions"/);
    });
    await pages.close();
  });
});

test('[D35] open pages ask where reactions to more than 100 posts are new', async () => {
  const { orgId, maya, omar } = await walkWithComments(social);
  const facts = Array.from({ length: 101 }, () => movementLogged(maya));
  await social.activity.publish(...facts);
  await expect.poll(() => social.rows(orgId, 'select from posts where org_id = $1')).toHaveLength(102);
  const pages = await openPages(social.env, orgId, { readers: [maya.userId], topics: ['reactions'] });
  const client = await social.as(omar);
  const react = async (logId: string) => {
    const { status } = await client.post('/api/feed/react', { movementLogId: logId, emoji: '💪' });
    // As a client does where the service has too much to do.
    if (status === 503) await react(logId);
  };
  const entryOf = (entryId: string) => ({ entryId });
  const [over = '', last = '', ...most] = facts.map(({ data }) => data.logId);
  await Promise.all(most.map(react));
  noteAnew('reactions', orgId, most.map(entryOf));
  await react(last);
  const toldReactions = () => pages.partGiven(maya.userId, 'reactions') as { posts: object } | undefined;
  await expect.poll(() => Object.keys(toldReactions()?.posts ?? {})).toHaveLength(100);
  noteAnew('reactions', orgId, [last, ...most].map(entryOf));
  await react(over);
  await expect.poll(() => pages.partGiven(maya.userId, 'reactions')).toBe('ask');
  await pages.close();
});

test('[D35 D19] a Redis that is emptied costs nothing but what it was about to tell: counts are right, the next news is told', async () => {
  const { orgId, postId, maya, omar, lena } = await walkWithComments(social);
  const show = () => openPages(social.env, orgId, { readers: [maya.userId], topics: ['reactions', 'comments'] });
  const react = async (who: TestMember, emoji: string) =>
    (await social.as(who)).post<{ action: string }>('/api/feed/react', { movementLogId: postId, emoji });
  const before = await show();
  expect((await react(omar, '💪')).body).toEqual({ action: 'added' });
  await expect.poll(() => before.partGiven(maya.userId, 'reactions')).toEqual({ posts: { [postId]: { '💪': 1 } } });
  const redis = social.app.get<Redis>(Redis);
  const { REDIS_PREFIX: prefix } = social.env;
  const keys = await redis.keys(`${prefix}*`);
  expect(keys.length).toBeGreaterThan(0);
  await redis.del(...keys.map((key) => key.slice(prefix.length)));
  await before.close();
  const pages = await show();
  expect((await react(lena, '💪')).body).toEqual({ action: 'added' });
  expect((await react(omar, '💪')).body).toEqual({ action: 'removed' });
  await expect.poll(() => pages.partGiven(maya.userId, 'reactions')).toEqual({ posts: { [postId]: { '💪': 1 } } });
  const { body } = await (await social.as(maya)).get('/api/feed/all');
  expect(body).toMatchObject([{ id: postId, reactions: { '💪': 1 } }]);
  await pages.close();
});

test('[D35] what changed while Redis was away for a moment is told once it is back', async () => {
  const url = new URL(testServers().redis);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const redis = createRedis({ url: url.href, prefix: `t:${randomUUID()}:`, name: 'test' });
  const changed = new ChangedEntries(redis);
  const orgId = randomUUID();
  const entryId = randomUUID();
  expect(await isRedisReady(redis)).toBe(true);
  await proxy.cut();
  await eventually(() => expect(redis.status).not.toBe('ready'));
  changed.note('reactions', orgId, [{ entryId }]);
  await proxy.restore();
  await eventually(async () => expect(await changed.latest('reactions', orgId)).toEqual([{ entryId }]));
  await closeRedis(redis);
  await proxy.close();
});
