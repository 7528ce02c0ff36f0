import { randomUUID } from '@caravan/contracts/testing/seeded';
import { type Comment, commentSchema, commentsSchema } from '@caravan/contracts/http/comments';
import type { FeedPost } from '@caravan/contracts/http/feed';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { expect } from 'vitest';
import { memberJoined, memberOf, movementLogged } from './social-under-test.ts';
import type { SocialUnderTest, TestMember } from './social-under-test.ts';

/** Maya has logged a walk that Omar and Lena see; all of it was told twice. */
export async function walkWithComments(social: SocialUnderTest) {
  const orgId = randomUUID();
  const teamId = randomUUID();
  const maya = memberOf(orgId, teamId, 'Maya Okafor');
  const omar = memberOf(orgId, randomUUID(), 'Omar Haddad');
  const lena = memberOf(orgId, teamId, 'Lena Fischer');
  const fact = movementLogged(maya, { caption: 'Up the hill' });
  const joined = await social.identity.publish(...[maya, omar, lena].map(memberJoined));
  const logged = await social.activity.publish(fact, fact);
  await social.identity.redeliver(...joined);
  await social.activity.redeliver(...logged);
  await eventually(async () => {
    expect(await social.rows(orgId, 'select from posts where org_id = $1')).toHaveLength(1);
    expect(await social.rows(orgId, 'select from members where org_id = $1')).toHaveLength(3);
  });
  const postId = fact.data.logId;
  const as = (who: TestMember) => social.as(who);
  return {
    social,
    orgId,
    maya,
    omar,
    lena,
    fact,
    postId,
    write: async (who: TestMember, text: unknown, more: object = {}, headers?: Record<string, string>) =>
      (await as(who)).post<Comment & { code: string; message: string }>(
        `/api/feed/${postId}/comments`,
        { text, ...more },
        headers,
      ),
    edit: async (who: TestMember, id: string, text: string, more: object = {}) =>
      (await as(who)).patch<Comment & { code: string }>(`/api/feed/comments/${id}`, { text, ...more }),
    report: async (who: TestMember, id: string, reason: string) =>
      (await as(who)).post<{ code?: string }>(`/api/feed/comments/${id}/report`, { reason }),
    hide: async (who: TestMember, id: string, reason: string) =>
      (await social.as(who, { role: 'admin' })).post(`/api/feed/comments/${id}/hide`, { reason }),
    thread: async (who: TestMember) =>
      commentsSchema.parse((await (await as(who)).get(`/api/feed/${postId}/comments`)).body),
    /** How many comments the feeds say there are, each of them. */
    counts: async (who: TestMember) => {
      const client = await as(who);
      const { body: posts } = await client.get<FeedPost[]>('/api/feed/all');
      const { body: feed } = await client.get<{ activities: { id: string; reactions: { comments: number } }[] }>(
        '/api/activity-feed/all',
      );
      return [
        posts.find(({ id }) => id === postId)?.comments,
        feed.activities.find(({ id }) => id === postId)?.reactions.comments,
      ];
    },
    tell: async (...facts: readonly { type: string; data: object }[]) => {
      const header = await social.tell(orgId, ...facts);
      await (await as(omar)).get('/api/feed/all', header);
    },
  };
}

export type Walk = Awaited<ReturnType<typeof walkWithComments>>;
/** Says it again, as a client does, where the service has too much to do. */
export const writeComment = async (walk: Walk, who: TestMember, text = 'Well done'): Promise<Comment> => {
  const { status, body } = await walk.write(who, text);
  if (status === 503) return writeComment(walk, who, text);
  expect(status).toBe(201);
  return commentSchema.strict().parse(body);
};
export const minutesLater = ({ social, orgId }: Walk, id: string, minutes: number) =>
  withTenant(social.pool, orgId, (tx) =>
    tx.query(`update comments set created_at = created_at - $2 * interval '1 minute' where comment_id = $1`, [
      id,
      minutes,
    ]),
  );
