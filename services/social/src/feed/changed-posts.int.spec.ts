import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { FeedPost } from '@caravan/contracts/http/feed';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { openPages } from '@caravan/service-kit/testing/open-pages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  memberErased,
  memberJoined,
  memberOf,
  movementLogged,
  privacyChosen,
  startSocial,
} from '../testing/social-under-test.ts';
import type { SocialUnderTest, TestMember } from '../testing/social-under-test.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

type LoggedFact = ReturnType<typeof movementLogged>;
const correctedAt = '2026-11-17T09:00:00.000Z';

function correctedFact({ data, ...about }: LoggedFact, changes: object, revision = 2) {
  const { durationMinutes, centimiles, loggedOn } = data;
  const previous = { durationMinutes, centimiles, loggedOn };
  return { ...about, type: 'MovementCorrected', data: { ...data, ...changes, revision, correctedAt, previous } };
}

function removedFact({ data, ...about }: LoggedFact) {
  const { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn } = data;
  const figures = { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn };
  return { ...about, type: 'MovementRemoved', data: { ...figures, removedAt: correctedAt } };
}

async function join(): Promise<TestMember> {
  const maya = memberOf(randomUUID(), randomUUID(), 'Maya Okafor');
  await feedAfter(maya, await social.identity.publish(memberJoined(maya)), 'identity');
  return maya;
}

async function feedAfter(
  member: TestMember,
  said: readonly { position: number }[],
  service: 'activity' | 'identity' = 'activity',
): Promise<FeedPost[]> {
  const client = await social.as(member);
  const header = { 'x-min-position': `${service}:${said.at(-1)?.position ?? 0}` };
  await expect.poll(async () => (await client.get('/api/feed/all', header)).headers.get('x-stale')).toBeNull();
  return (await client.get<FeedPost[]>('/api/feed/all', header)).body;
}

test('[D8] a corrected log is shown as it is now, however often and late the corrections come', async () => {
  const maya = await join();
  const log = movementLogged(maya, { caption: 'Before' });
  const second = correctedFact(log, { durationMinutes: 20, centimiles: 200, caption: 'Second' });
  const third = correctedFact(log, { durationMinutes: 45, centimiles: 450, caption: 'Third', activityType: 'Yoga' }, 3);
  // Everything twice, and the older correction once more at a new position.
  const said = await social.activity.publish(log, log, second, second, third, second, log);
  expect(await feedAfter(maya, said)).toMatchObject([
    { id: log.data.logId, caption: 'Third', durationMinutes: 45, distanceMiles: '4.50', activityType: 'Yoga' },
  ]);
  const later = await social.activity.publish(second);
  expect(await feedAfter(maya, later)).toMatchObject([{ caption: 'Third' }]);
});

test('[D8] a log that was taken back has no post, nor has anybody kept what it said', async () => {
  const maya = await join();
  const kept = movementLogged(maya, { caption: 'Stays' });
  const gone = movementLogged(maya, { caption: 'Goes' });
  const first = await social.activity.publish(kept, gone);
  expect(await feedAfter(maya, first)).toHaveLength(2);
  const pages = await listenLive(social.env, maya.orgId);
  const said = await social.activity.publish(removedFact(gone), removedFact(gone));
  expect((await feedAfter(maya, said)).map(({ caption }) => caption)).toEqual(['Stays']);
  expect(JSON.stringify(await social.rows(maya.orgId, 'select * from posts where org_id = $1'))).not.toContain('Goes');
  await expect.poll(() => [...pages.kinds]).toContain('feed');
  await pages.close();
});

test('[D18 D32] a correction that comes after its member was erased writes no word of theirs', async () => {
  const maya = await join();
  const log = { caption: 'Hers', activityType: 'Juggling' };
  const fact = movementLogged(maya, log);
  await feedAfter(maya, await social.activity.publish(fact));
  await social.tell(maya.orgId, memberErased(maya));
  await expect
    .poll(() => social.rows(maya.orgId, 'select caption from posts where org_id = $1'))
    .toEqual([{ caption: null }]);
  await feedAfter(maya, await social.activity.publish(correctedFact(fact, { caption: 'Late', durationMinutes: 45 })));
  expect(
    await social.rows(
      maya.orgId,
      'select caption, activity_type as name, duration_minutes as minutes from posts where org_id = $1',
    ),
  ).toEqual([{ caption: null, name: 'Custom activity', minutes: 45 }]);
});

test('[S18 D18] newest posts are carried as a GET answers them; of who hides them nothing, and who hides asks', async () => {
  const maya = await join();
  const [omar, zoe] = ['Omar Haddad', 'Zoe Hidden'].map((name) => memberOf(maya.orgId, randomUUID(), name));
  if (!omar || !zoe) throw new Error('two members');
  await social.identity.publish(memberJoined(omar), memberJoined(zoe));
  await social.tell(maya.orgId, privacyChosen(zoe, { activityVisible: false }));
  await expect
    .poll(() =>
      social.rows(maya.orgId, 'select activity_visible as is_shown from members where org_id = $1 order by 1'),
    )
    .toEqual([{ isShown: false }, { isShown: true }, { isShown: true }]);
  const readers = [maya, omar, zoe].map(({ userId }) => userId);
  const pages = await openPages(social.env, maya.orgId, { readers, topics: ['feed', 'feed-team'] });
  const facts = Array.from({ length: 14 }, (_, index) =>
    movementLogged([maya, omar, zoe][index % 3] ?? maya, { caption: `Said ${index}` }),
  );
  await social.activity.publish(...facts, ...facts);
  const feedGiven = (member: TestMember, topic: 'feed' | 'feed-team') =>
    pages.partGiven(member.userId, topic) as { posts: FeedPost[]; next: string | null } | 'ask';
  await expect
    .poll(async () => {
      for (const topic of ['feed', 'feed-team'] as const)
        for (const member of [maya, omar]) {
          const { body, headers } = await (
            await social.as(member)
          ).get(topic === 'feed' ? '/api/feed/all' : '/api/feed/team');
          const { posts, next } = feedGiven(member, topic) as { posts: FeedPost[]; next: string | null };
          // What is one's own is not told to all.
          expect(posts.map((post) => ({ ...post, myReactions: [] }))).toEqual(body);
          expect(posts[0]).not.toHaveProperty('myReactions');
          expect(posts.length).toBe(topic === 'feed' ? 10 : 5);
          expect(headers.get('link') ?? '').toContain(next ?? '');
        }
      return [feedGiven(zoe, 'feed'), feedGiven(zoe, 'feed-team')];
    })
    .toEqual(['ask', 'ask']);
  // Zoe's are every third.
  for (const index of [2, 5, 8, 11]) expect(pages.allTexts()).not.toContain(`Said ${index}"`);
  await pages.close();
});

test('[D18 D21] a log for its owner alone is in nobody else’s feed, nor can others react to it', async () => {
  const maya = await join();
  const omar = memberOf(maya.orgId, maya.teamId, 'Omar Haddad');
  await feedAfter(omar, await social.identity.publish(memberJoined(omar)), 'identity');
  const shown = movementLogged(maya, { caption: 'For all' });
  const { data, ...about } = movementLogged(maya, { caption: 'For me' });
  const own = { ...about, data: { ...data, source: 'strava', centimiles: 0, audience: 'owner' } } as const;
  const said = await social.activity.publish(shown, own, shown, own);
  await social.activity.redeliver(...said.toReversed());
  expect((await feedAfter(maya, said)).map(({ caption }) => caption).toSorted()).toEqual(['For all', 'For me']);
  const client = await social.as(omar);
  for (const scope of ['all', 'team'])
    expect((await client.get<FeedPost[]>(`/api/feed/${scope}`)).body.map(({ caption }) => caption)).toEqual([
      'For all',
    ]);
  const answer = await client.post('/api/feed/react', { movementLogId: data.logId, emoji: '💪' });
  expect(answer.status).toBe(404);
  const activities = await client.get<{ activities: { photoPrompt: string }[] }>('/api/activity-feed/all');
  expect(activities.body.activities.map(({ photoPrompt }) => photoPrompt)).toEqual(['For all']);
  await social.activity.publish({
    ...own,
    ...correctedFact(shown, { ...own.data, caption: 'Still for me' }),
  });
  await expect
    .poll(async () => (await (await social.as(maya)).get<FeedPost[]>('/api/feed/mine')).body.map((one) => one.caption))
    .toContain('Still for me');
  expect((await client.get<FeedPost[]>('/api/feed/all')).body).toHaveLength(1);
});
