import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { myDataPath, myDataSchema } from '@caravan/contracts/http/my-data';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memberJoined, memberOf, movementLogged, startSocial } from '../testing/social-under-test.ts';
import type { SocialUnderTest } from '../testing/social-under-test.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

test('[D32] the export holds the own posts and what feeds show of oneself, and nobody else’s', async () => {
  const orgId = randomUUID();
  const maya = memberOf(orgId, randomUUID(), 'Maya Okafor');
  const omar = memberOf(orgId, randomUUID(), 'Omar Haddad');
  const namesake = { ...maya, orgId: randomUUID(), name: 'Maya Elsewhere' };
  await social.identity.publish(...[maya, omar, namesake].map(memberJoined));
  const fact = movementLogged(maya, { caption: 'Mine', loggedAt: new Date('2026-11-16T10:00:00.000Z') });
  await social.activity.publish(
    fact,
    ...[omar, namesake].map((other) => movementLogged(other, { caption: 'Not mine' })),
  );
  await eventually(async () => {
    for (const member of [maya, namesake])
      expect((await social.rows(member.orgId, 'select from posts where org_id = $1')).length).toBeGreaterThan(0);
    expect(await social.rows(orgId, 'select from members where org_id = $1')).toHaveLength(2);
  });
  for (const who of [maya, omar])
    await (await social.as(who)).post('/api/feed/react', { movementLogId: fact.data.logId, emoji: '🙌' });
  await expect.poll(() => social.rows(orgId, 'select from notices where org_id = $1')).toHaveLength(1);
  const { status, body } = await (await social.as(maya)).get(myDataPath);
  expect([status, myDataSchema.parse(body)]).toEqual([
    200,
    {
      files: {
        posts: [
          {
            postId: fact.data.logId,
            createdAt: '2026-11-16T10:00:00.000Z',
            activityType: 'Walking',
            durationMinutes: 30,
            miles: 3,
            source: 'timer',
            caption: 'Mine',
            location: null,
            audience: 'organisation',
            photoPath: null,
            photoShows: null,
            heartRate: null,
            calories: null,
          },
        ],
        comments: [],
        'comment-reports': [],
        reactions: [{ postId: fact.data.logId, emoji: '🙌', givenAt: expect.any(String) }],
        'feed-profile': [
          {
            name: 'Maya Okafor',
            photoUrl: null,
            teamId: maya.teamId,
            activityVisible: true,
            profileVisible: true,
            shareHeartRate: false,
            shareCalories: false,
            timeZone: 'UTC',
            joinedOn: '2026-11-16',
            isActive: true,
            statsVisible: true,
            featuredInRecaps: false,
          },
        ],
        'team-name-votes': [],
        notifications: [
          {
            kind: 'reaction',
            subject: fact.data.logId,
            count: 1,
            facts: [{}],
            raisedAt: expect.any(String),
            readAt: null,
          },
        ],
        'muted-notifications': [],
        'recap-engagement': [],
        'recap-weeks': [],
        'recap-streaks': [],
        'recap-feats': [],
      },
    },
  ]);
  expect((await social.nobody.get(myDataPath)).status).toBe(401);
});
