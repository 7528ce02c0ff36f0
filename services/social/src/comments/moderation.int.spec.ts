import { randomUUID } from '@caravan/contracts/testing/seeded';
import { type CommentReport, type ConcealedComment, concealedCommentsSchema } from '@caravan/contracts/http/comments';
import { eventually } from '@caravan/event-store/testing/eventually';
import { type Listener, listenTo } from '@caravan/messaging/testing/listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { walkWithComments, writeComment } from '../testing/commented-walk.ts';
import { memberJoined, memberOf, privacyChosen, startSocial } from '../testing/social-under-test.ts';
import type { SocialUnderTest, TestMember } from '../testing/social-under-test.ts';

let social: SocialUnderTest;
let heard: Listener;
beforeAll(async () => {
  social = await startSocial();
  heard = await listenTo('social', social.env);
});
afterAll(async () => {
  await heard.close();
  await social.close();
});

/** What the audit log is told that somebody did; of comments never with words. */
const actsOf = ({ userId }: TestMember) =>
  heard.heard
    .filter(({ key, type }) => key === userId && type === 'ActAudited')
    .map(({ data }) => data as { act: string; text: string | null })
    .map(({ act, text }) => (text === null ? act : text));

describe('what is reported', () => {
  test('[D50] is told to admins without who did, and counts once for each', async () => {
    const walk = await walkWithComments(social);
    const { id } = await writeComment(walk, walk.omar, 'Rude');
    for (const reason of ['Not kind', 'Again'])
      expect((await walk.report(walk.lena, id, reason)).body).toEqual({ reported: true });
    expect((await walk.report(walk.omar, id, 'Mine')).body.code).toBe('comments/own');
    const path = '/api/feed/reported-comments';
    const { body } = await (await social.as(walk.maya, { role: 'admin' })).get(path);
    expect(body).toMatchObject(
      [
        { entryId: walk.postId, comment: { id, text: 'Rude' }, reports: [{ reason: 'Not kind', reportedAt: /Z$/ }] },
      ].map((one) => ({ ...one, reports: [{ reason: 'Not kind', reportedAt: expect.stringMatching(/Z$/) }] })),
    );
    expect(JSON.stringify(body)).not.toContain(walk.lena.userId);
    expect((await (await social.as(walk.maya)).get(path)).status).toBe(403);
  });

  test('[D3 D50] is hidden by an admin: its author reads why, for others it is gone', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, lena } = walk;
    const { id } = await writeComment(walk, omar, 'Rude');
    await walk.report(lena, id, 'Not kind');
    expect((await (await social.as(lena)).post(`/api/feed/comments/${id}/hide`, { reason: 'x' })).status).toBe(403);
    for (const reason of ['Be kind', 'Another'])
      expect((await walk.hide(maya, id, reason)).body).toEqual({ hidden: true });
    expect(await walk.thread(omar)).toMatchObject([{ id, text: 'Rude', hidden: { reason: 'Be kind' } }]);
    expect([await walk.thread(lena), await walk.thread(maya)]).toEqual([[], []]);
    expect([await walk.counts(omar), await walk.counts(lena)]).toEqual([
      [1, 1],
      [0, 0],
    ]);
    expect((await walk.edit(omar, id, 'Kinder')).body.code).toBe('comments/hidden');
    expect((await walk.report(lena, id, 'Still')).status).toBe(404);
    expect((await (await social.as(maya, { role: 'admin' })).get('/api/feed/reported-comments')).body).toEqual([]);
    await eventually(() => expect(actsOf(maya)).toEqual(['comment.hidden']));
    expect((await (await social.as(omar)).delete(`/api/feed/comments/${id}`)).status).toBe(200);
  });
});

describe('an admin', () => {
  test('[D3 D50] reads what is hidden and why, and shows it again: for everybody, its reports dismissed, on record', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, lena } = walk;
    const { id } = await writeComment(walk, omar, 'Not so rude');
    await walk.report(lena, id, 'Not kind');
    await walk.hide(maya, id, 'Be kind');
    const admin = await social.as(maya, { role: 'admin' });
    const hiddenComments = async () => (await admin.get<ConcealedComment[]>('/api/feed/hidden-comments')).body;
    expect(concealedCommentsSchema.parse(await hiddenComments())).toMatchObject([
      { entryId: walk.postId, comment: { id, text: 'Not so rude', hidden: null }, reason: 'Be kind' },
    ]);
    const show = async (client = admin) => (await client.post(`/api/feed/comments/${id}/show`, {})).status;
    expect([
      await show(await social.as(lena)),
      (await (await social.as(lena)).get('/api/feed/hidden-comments')).status,
    ]).toEqual([403, 403]);
    expect([await show(), await show()]).toEqual([200, 200]);
    expect(await walk.thread(omar)).toMatchObject([{ id, hidden: null }]);
    expect([await walk.thread(lena), await walk.counts(lena)]).toMatchObject([[{ id }], [1, 1]]);
    expect([await hiddenComments(), (await admin.get('/api/feed/reported-comments')).body]).toEqual([[], []]);
    await eventually(() => expect(actsOf(maya)).toEqual(['comment.hidden', 'comment.shown']));
  });

  test('[D3 D50] dismisses reports once; who reported cannot again, others can', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, lena } = walk;
    const { id } = await writeComment(walk, omar, 'Fine');
    await walk.report(lena, id, 'Not kind');
    const admin = await social.as(maya, { role: 'admin' });
    const dismiss = async (client = admin) => {
      const { status, body } = await client.post(`/api/feed/comments/${id}/dismiss-reports`, {});
      return [status, body['dismissed']];
    };
    const reasons = async () =>
      (await admin.get<CommentReport[]>('/api/feed/reported-comments')).body.map(({ reports }) =>
        reports.map(({ reason }) => reason),
      );
    expect(await dismiss(await social.as(lena))).toEqual([403, undefined]);
    expect([await reasons(), await dismiss(), await dismiss(), await reasons()]).toEqual([
      [['Not kind']],
      [200, true],
      [200, true],
      [],
    ]);
    await walk.report(lena, id, 'Again');
    expect(await reasons()).toEqual([]);
    await walk.report(maya, id, 'I think so too');
    expect(await reasons()).toEqual([['I think so too']]);
    expect(await walk.thread(lena)).toMatchObject([{ id }]);
    await eventually(() => expect(actsOf(maya)).toEqual(['comment.reports-dismissed']));
    const stranger = memberOf(randomUUID(), randomUUID(), 'Zoe Elsewhere');
    await social.identity.publish(memberJoined(stranger));
    await eventually(async () => expect((await dismiss(await social.as(stranger, { role: 'admin' })))[0]).toBe(404));
    expect((await admin.post(`/api/feed/comments/${randomUUID()}/show`, {})).status).toBe(404);
  });

  test('[D18] neither lists nor shows what its author hides', async () => {
    const walk = await walkWithComments(social);
    const { id } = await writeComment(walk, walk.omar, 'Mine');
    await walk.hide(walk.maya, id, 'Be kind');
    await walk.tell(privacyChosen(walk.omar, { activityVisible: false }));
    const admin = await social.as(walk.maya, { role: 'admin' });
    expect((await admin.get('/api/feed/hidden-comments')).body).toEqual([]);
    expect((await admin.post(`/api/feed/comments/${id}/show`, {})).status).toBe(404);
  });
});
