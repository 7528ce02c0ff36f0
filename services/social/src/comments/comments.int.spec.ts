import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { Comment, Mentionable } from '@caravan/contracts/http/comments';
import { myDataPath } from '@caravan/contracts/http/my-data';
import { eventually } from '@caravan/event-store/testing/eventually';
import type { Answer } from '@caravan/service-kit/testing/api-client';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minutesLater, walkWithComments, writeComment } from '../testing/commented-walk.ts';
import {
  checkpointReached,
  memberErased,
  memberJoined,
  memberOf,
  privacyChosen,
  profileEdited,
  teamFormed,
  startSocial,
} from '../testing/social-under-test.ts';
import type { SocialUnderTest, TestMember } from '../testing/social-under-test.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

describe('a comment', () => {
  test('[3.43 D50 D53] stands below its post for everybody who sees that, oldest first, and is counted', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, lena, counts, thread } = walk;
    const first = await writeComment(walk, omar, 'Well done <b>Maya</b>\nhttps://example.org');
    await writeComment(walk, maya, 'Thanks!');
    expect(first).toEqual({
      id: expect.any(String),
      user: { name: 'Omar Haddad', avatar: null, profileId: omar.userId },
      text: 'Well done <b>Maya</b>\nhttps://example.org',
      mentions: [],
      createdAt: expect.any(String),
      editedAt: null,
      isMine: true,
      hidden: null,
    });
    expect((await thread(lena)).map(({ text, isMine }) => [text, isMine])).toEqual([
      [first.text, false],
      ['Thanks!', false],
    ]);
    expect(await counts(lena)).toEqual([2, 2]);
    expect((await thread(omar))[0]).toEqual(first);
  });

  test('[D17] threads are read page by page, each comment once', async () => {
    const walk = await walkWithComments(social);
    for (let nth = 0; nth < 5; nth += 1) await writeComment(walk, walk.omar, `Nr. ${nth}`);
    const client = await social.as(walk.lena);
    const found: string[] = [];
    for (let path: string | undefined = `/api/feed/${walk.postId}/comments?limit=2`; path !== undefined;) {
      const { body, headers }: Answer<Comment[]> = await client.get(path);
      found.push(...body.map(({ text }) => text));
      path = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(found).toEqual([0, 1, 2, 3, 4].map((nth) => `Nr. ${nth}`));
    for (const query of ['limit=0', 'limit=-1', 'limit=ten', 'cursor=x'])
      expect((await client.get(`/api/feed/${walk.postId}/comments?${query}`)).status).toBe(422);
    expect((await client.get(`/api/feed/${walk.postId}/comments?limit=51`)).status).toBe(200);
  });

  test('[D50] is edited by its author for five minutes, and says so', async () => {
    const walk = await walkWithComments(social);
    const { id } = await writeComment(walk, walk.omar);
    expect((await walk.edit(walk.omar, id, 'Well done')).body.editedAt).toBeNull();
    const { status, body } = await walk.edit(walk.omar, id, 'Very well done');
    expect([status, body.text, body.editedAt]).toEqual([200, 'Very well done', expect.any(String)]);
    for (const who of [walk.maya, walk.lena]) expect((await walk.edit(who, id, 'Mine')).status).toBe(404);
    await minutesLater(walk, id, 5);
    const late = await walk.edit(walk.omar, id, 'Too late');
    expect([late.status, late.body.code]).toEqual([422, 'comments/too-late']);
    expect((await walk.thread(walk.lena)).map(({ text }) => text)).toEqual(['Very well done']);
  });

  test('[D50] is deleted by its author alone', async () => {
    const walk = await walkWithComments(social);
    const { id } = await writeComment(walk, walk.omar);
    expect((await (await social.as(walk.maya)).delete(`/api/feed/comments/${id}`)).status).toBe(404);
    const { status, body } = await (await social.as(walk.omar)).delete(`/api/feed/comments/${id}`);
    expect([status, body]).toEqual([200, { removed: true }]);
    expect((await (await social.as(walk.omar)).delete(`/api/feed/comments/${id}`)).status).toBe(404);
    expect([await walk.thread(walk.lena), await walk.counts(walk.lena)]).toEqual([[], [0, 0]]);
  });

  test('[D38] with an Idempotency-Key is written once, under 20 tries at once', async () => {
    const walk = await walkWithComments(social);
    const tries = Array.from({ length: 20 }, () => walk.write(walk.omar, 'Once', {}, { 'idempotency-key': 'c-1' }));
    const answers = await Promise.all(tries);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await walk.counts(walk.lena)).toEqual([1, 1]);
    const other = await walk.write(walk.omar, 'Another', {}, { 'idempotency-key': 'c-1' });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency/key-reused']);
  });

  test('[D33] stands below a checkpoint too', async () => {
    const walk = await walkWithComments(social);
    const reachedAt = '2026-11-17T10:00:00.000Z';
    const [said] = await social.scoring.publish(
      checkpointReached(walk.orgId, walk.maya.teamId, { name: 'Chollerford', mileMark: 27, reachedAt }),
    );
    const path = `/api/feed/${said?.id}/comments`;
    const client = await social.as(walk.omar);
    await eventually(async () => expect((await client.post(path, { text: 'On we go' })).status).toBe(201));
    expect((await client.get<Comment[]>(path)).body).toMatchObject([{ text: 'On we go' }]);
  });
});

describe('a mention', () => {
  test('[D18 D50] names the member as the reader may know them now', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, lena } = walk;
    const { body } = await walk.write(omar, 'Look, @Lena Fischer!', { mentions: [lena.userId] });
    expect([body.text, body.mentions]).toEqual([
      'Look, @Lena Fischer!',
      [{ start: 6, length: 13, profileId: lena.userId }],
    ]);
    const stored = await social.rows(walk.orgId, 'select content from comments where org_id = $1');
    expect(JSON.stringify(stored)).not.toContain('Lena');
    await walk.tell(profileEdited(lena, 'Lena F.'));
    expect(await walk.thread(maya)).toMatchObject([{ text: 'Look, @Lena F.!' }]);
    await walk.tell(privacyChosen(lena, { profileVisible: false }));
    expect(await walk.thread(maya)).toMatchObject([{ text: 'Look, @A teammate!', mentions: [{ profileId: null }] }]);
    expect(await walk.thread(lena)).toMatchObject([{ text: 'Look, @Lena F.!' }]);
    await walk.tell(memberErased(lena));
    expect(await walk.thread(maya)).toMatchObject([
      { text: 'Look, @A former member!', mentions: [{ profileId: null }] },
    ]);
  });

  test('[D18 D50] is of members who can be seen, of one’s own organisation', async () => {
    const walk = await walkWithComments(social);
    const stranger = memberOf(randomUUID(), randomUUID(), 'Zoe Elsewhere');
    await social.identity.publish(memberJoined(stranger));
    await walk.tell(privacyChosen(walk.lena, { profileVisible: false }));
    const names = async (name: string) =>
      (await (await social.as(walk.omar)).get<{ name: string }[]>(`/api/feed/mentionable?name=${name}`)).body.map(
        (one) => one.name,
      );
    expect([await names('ma'), await names('OKA'), await names('kaf'), await names('%25'), await names('')]).toEqual([
      ['Maya Okafor'],
      ['Maya Okafor'],
      [],
      [],
      ['Maya Okafor'],
    ]);
    expect([await names('mäya'), await names('maya  o')]).toEqual([['Maya Okafor'], ['Maya Okafor']]);
    await walk.tell(teamFormed(walk.orgId, walk.maya.teamId, { name: 'Thunder', emoji: '⚡' }));
    const told = await (await social.as(walk.omar)).get<Mentionable>('/api/feed/mentionable?name=ma');
    expect(told.body.map(({ teamName }) => teamName)).toEqual(['Thunder']);
    for (const id of [walk.lena.userId, stranger.userId, randomUUID()]) {
      const { status, body } = await walk.write(walk.omar, 'Hi @Lena Fischer', { mentions: [id] });
      expect([status, body.code]).toEqual([422, 'comments/unknown-mention']);
    }
    expect(await walk.counts(walk.omar)).toEqual([0, 0]);
  });

  test('[D50 S06] a deactivated member is not offered for a mention, and is again once reactivated', async () => {
    const walk = await walkWithComments(social);
    const { userId, teamId } = walk.lena;
    const at = '2026-11-21T08:00:00.000Z';
    const offeredNames = async () => {
      const client = await social.as(walk.omar);
      return (await client.get<Mentionable>('/api/feed/mentionable?name=')).body.map(({ name }) => name);
    };
    const mention = async () => (await walk.write(walk.omar, 'Hi @Lena Fischer', { mentions: [userId] })).status;
    await walk.tell({ type: 'MemberDeactivated', data: { userId, teamId, deactivatedAt: at } });
    expect([await offeredNames(), await mention()]).toEqual([['Maya Okafor'], 422]);
    await walk.tell({ type: 'MemberReactivated', data: { userId, teamId, reactivatedAt: at } });
    expect([await offeredNames(), await mention()]).toEqual([['Lena Fischer', 'Maya Okafor'], 201]);
  });
});

describe('nobody sees what D18 hides', () => {
  test('[D18] below a hidden, removed or foreign post there is nothing to read, write, report or hide', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, lena, postId } = walk;
    const { id } = await writeComment(walk, lena);
    const stranger = memberOf(randomUUID(), randomUUID(), 'Zoe Elsewhere');
    await social.identity.publish(memberJoined(stranger));
    const refusals = async (who: TestMember) => {
      const client = await social.as(who, { role: 'admin' });
      return [
        (await client.get(`/api/feed/${postId}/comments`)).status,
        (await client.post(`/api/feed/${postId}/comments`, { text: 'Hi' })).status,
        (await client.post(`/api/feed/comments/${id}/report`, { reason: 'Hi' })).status,
        (await client.post(`/api/feed/comments/${id}/hide`, { reason: 'Hi' })).status,
      ];
    };
    await eventually(async () => expect(await refusals(stranger)).toEqual([404, 404, 404, 404]));
    await walk.tell(privacyChosen(maya, { activityVisible: false }));
    expect(await refusals(omar)).toEqual([404, 404, 404, 404]);
    expect((await walk.edit(lena, id, 'Changed')).status).toBe(404);
    expect(await walk.thread(maya)).toHaveLength(1);
    await walk.tell(privacyChosen(maya, {}));
    expect(await walk.thread(omar)).toHaveLength(1);
    for (const path of [`/api/feed/${randomUUID()}/comments`, '/api/feed/nonsense/comments'])
      expect((await (await social.as(omar)).get(path)).status).toBe(404);
  });

  test('[D18] comments of who hides activity are theirs alone, and they write none', async () => {
    const walk = await walkWithComments(social);
    const { omar, lena } = walk;
    await writeComment(walk, lena, 'Before');
    await walk.tell(privacyChosen(lena, { activityVisible: false }));
    expect([await walk.thread(omar), await walk.counts(omar)]).toEqual([[], [0, 0]]);
    expect([await walk.thread(lena), await walk.counts(lena)]).toMatchObject([[{ text: 'Before' }], [1, 1]]);
    const { status, body } = await walk.write(lena, 'Now');
    expect([status, body.code]).toEqual([422, 'comments/activity-hidden']);
  });

  test('[D8 D18] a thread goes with its post, and leaves no word behind', async () => {
    const walk = await walkWithComments(social);
    await writeComment(walk, walk.omar, 'Gone with it');
    const { userId, teamId, logId, durationMinutes, centimiles, startedAt, loggedOn } = walk.fact.data;
    const data = { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn, removedAt: startedAt };
    const removed = { ...walk.fact, type: 'MovementRemoved', data };
    await social.activity.publish(removed, removed);
    await eventually(async () =>
      expect(await social.rows(walk.orgId, 'select from comments where org_id = $1')).toEqual([]),
    );
    expect((await walk.write(walk.omar, 'Late')).status).toBe(404);
  });
});

describe('who is erased', () => {
  test('[D32] takes their comments, reports and reasons along, and the threads below their posts', async () => {
    const walk = await walkWithComments(social);
    const { maya, omar, lena } = walk;
    const hers = await writeComment(walk, lena, 'Lena’s words');
    const rude = await writeComment(walk, omar, 'Rude');
    await walk.report(lena, rude.id, 'Lena’s reason');
    await walk.hide(lena, rude.id, 'Lena’s rule');
    await walk.tell(memberErased(lena));
    const left = async () =>
      JSON.stringify(
        await social.rows(
          walk.orgId,
          `select k, (select json_agg(r) from comment_reports r) as reports from comments k where org_id = $1`,
        ),
      );
    expect(await left()).toContain('Rude');
    expect(await left()).not.toMatch(/Lena’s/);
    expect(await walk.thread(omar)).toMatchObject([{ id: rude.id, hidden: { reason: '' } }]);
    expect((await walk.edit(lena, hers.id, 'x')).status).toBe(503);
    await walk.tell(memberErased(maya));
    expect(await social.rows(walk.orgId, 'select from comments where org_id = $1')).toEqual([]);
    const { status, body } = await walk.write(omar, 'Hello?');
    expect([status, body.code]).toEqual([409, 'comments/author-left']);
  });

  test('[D32] was given in the export what they wrote and reported', async () => {
    const walk = await walkWithComments(social);
    const { body } = await walk.write(walk.omar, 'Hi @Lena Fischer', { mentions: [walk.lena.userId] });
    const theirs = await writeComment(walk, walk.maya, 'Hers');
    await walk.report(walk.omar, theirs.id, 'Why not');
    const { body: data } = await (await social.as(walk.omar)).get<{ files: Record<string, object[]> }>(myDataPath);
    expect(data.files['comments']).toEqual([
      {
        commentId: body.id,
        postId: walk.postId,
        createdAt: expect.any(String),
        editedAt: null,
        text: 'Hi @Lena Fischer',
        hiddenAt: null,
        hiddenReason: null,
      },
    ]);
    expect(data.files['comment-reports']).toMatchObject([{ commentId: theirs.id, reason: 'Why not' }]);
  });
});

test('[S18] no comment of one organisation is visible to another', async () => {
  const { leaking, proven } = await tenancyOf(social.pool, randomUUID());
  expect([leaking, proven]).toEqual([[], expect.arrayContaining(['comments', 'comment_reports'])]);
});

test('[D18] a comment waits for whatever its writer chose to show, and for nothing else that has not arrived', async () => {
  const walk = await walkWithComments(social);
  // Nobody waits for what stands still.
  const park = (service: 'activity' | 'identity', key: string) =>
    social.pool.query(
      `insert into msg.parked (consumer_group, service, key, topic, partition_id, message_offset, position, error_code, error_message)
       select distinct consumer_group, $1, $2, topic, 0, 0, 999999999, 'some/code', 'because'
       from msg.offsets where topic = $1 || '.v1'`,
      [service, key],
    );
  await park('activity', walk.omar.userId);
  const said = await walk.write(walk.omar, 'Well done', {}, { 'x-min-position': 'activity:999999999' });
  expect([said.status, said.headers.get('x-stale')]).toEqual([201, 'true']);
  await park('identity', walk.orgId);
  const refused = await walk.write(walk.omar, 'Too early', {}, { 'x-min-position': 'identity:999999999' });
  expect([refused.status, refused.body.code]).toEqual([503, 'member/not-ready']);
  expect(await walk.counts(walk.lena)).toEqual([1, 1]);
});
