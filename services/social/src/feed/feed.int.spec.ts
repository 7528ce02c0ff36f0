import { eventually } from '@caravan/event-store/testing/eventually';
import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { type ActivityFeed, activityFeedSchema } from '@caravan/contracts/http/activity-feed';
import { feedEntrySchema, type FeedPost } from '@caravan/contracts/http/feed';
import type { Envelope } from '@caravan/contracts/events/envelope';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { declaredIn, migratedInto } from '@caravan/service-kit/testing/prisma-schema';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  checkpointReached,
  memberErased,
  memberJoined,
  memberOf,
  movementLogged,
  privacyChosen,
  startSocial,
  teamFormed,
} from '../testing/social-under-test.ts';
import { feedPages } from '../testing/feed-pages.ts';
import type { SocialUnderTest, TestMember } from '../testing/social-under-test.ts';

let social: SocialUnderTest;
const orgId = randomUUID();
const thunder = randomUUID();
const blazers = randomUUID();
const maya = memberOf(orgId, thunder, 'Maya Okafor');
const lena = memberOf(orgId, thunder, 'Lena Fischer');
const omar = memberOf(orgId, blazers, 'Omar Haddad');
const elsewhere = memberOf(randomUUID(), thunder, 'Zoe Elsewhere');
const postsOf = new Map<TestMember, string[]>();
let joined: Envelope[];
let logged: Envelope[];
let checkpoints: Envelope[];
/** One later than all posts, one among the earliest of them. */
const checkpointsReached = [
  { teamId: blazers, name: 'Wallsend', mileMark: 0, reachedAt: '2026-11-16T10:00:00.000Z' },
  { teamId: thunder, name: 'Chollerford', mileMark: 27, reachedAt: '2026-11-17T10:00:00.000Z' },
];

beforeAll(async () => {
  social = await startSocial();
  joined = await social.identity.publish(
    ...[maya, lena, omar, elsewhere].map(memberJoined),
    teamFormed(orgId, thunder, { name: 'Thunder', emoji: '⚡' }),
    teamFormed(orgId, blazers, { name: 'Blazers', emoji: '🔥' }),
  );
  checkpoints = await social.scoring.publish(
    ...checkpointsReached.map(({ teamId, ...checkpoint }) => checkpointReached(orgId, teamId, checkpoint)),
  );
  const start = Date.parse('2026-11-16T10:00:00.000Z');
  // Several posts of one millisecond, so that only their ids tell them apart.
  const logs = Array.from({ length: 60 }, (_, index) => {
    const member = [maya, lena, omar][index % 3] ?? maya;
    const fact = movementLogged(member, {
      caption: `Post ${index}`,
      loggedAt: new Date(start + Math.floor(index / 7)),
    });
    return { member, fact };
  });
  logged = await social.activity.publish(...logs.map(({ fact }) => fact), movementLogged(elsewhere));
  await eventually(async () => {
    expect(await social.rows(orgId, 'select from posts where org_id = $1')).toHaveLength(60);
    expect(await social.rows(elsewhere.orgId, 'select from posts where org_id = $1')).toHaveLength(1);
    expect(await social.rows(orgId, 'select from members where org_id = $1')).toHaveLength(3);
    expect(await social.rows(orgId, 'select from teams where org_id = $1')).toHaveLength(2);
    expect(await social.rows(orgId, 'select from checkpoint_entries where org_id = $1')).toHaveLength(2);
  });
  for (const { member, fact } of logs) postsOf.set(member, [...(postsOf.get(member) ?? []), fact.data.logId]);
});
afterAll(() => social.close());

const ofMembers = (...members: TestMember[]) => members.flatMap((member) => postsOf.get(member) ?? []).toSorted();

describe('a feed', () => {
  test('[3.39 D41] shows posts as the contract says', async () => {
    const { body } = await (await social.as(omar)).get('/api/feed/mine?limit=1');
    expect(body).toEqual([
      {
        id: expect.any(String),
        user: { name: 'Omar Haddad', avatar: null, profileId: omar.userId },
        createdAt: expect.stringMatching(/^2026-11-16T10:00:00\.00\dZ$/),
        source: 'timer',
        activityType: 'Walking',
        distanceMiles: '3.00',
        durationMinutes: 30,
        caption: expect.stringMatching(/^Post \d+$/),
        photoUrl: null,
        photo: null,
        reactions: {},
        comments: 0,
        myReactions: [],
      },
    ]);
  });

  test.each([
    ['all', () => ofMembers(maya, lena, omar)],
    ['team', () => ofMembers(maya, lena)],
    ['mine', () => ofMembers(maya)],
  ])('[D17] %s holds exactly its posts, each once, over all pages', async (scope, expected) => {
    const found = await feedPages(await social.as(maya), `/api/feed/${scope}?limit=7`);
    expect(found.flat().toSorted()).toEqual(expected());
    expect(found.slice(0, -1).every((page) => page.length === 7)).toBe(true);
  });

  test('[9.18 D17] has ten posts a page, fifty at most', async () => {
    const client = await social.as(maya);
    expect((await client.get('/api/feed/all')).body).toHaveLength(10);
    expect((await client.get('/api/feed/all?limit=100000')).body).toHaveLength(50);
  });

  test('[7.25] an array that ends has no next page', async () => {
    const { headers } = await (await social.as(omar)).get('/api/feed/mine?limit=20');
    expect(headers.get('link')).toBeNull();
  });

  test('[D17] of another organisation is never seen, not even under an equal team', async () => {
    expect((await feedPages(await social.as(elsewhere), '/api/feed/all')).flat()).toHaveLength(1);
    expect((await feedPages(await social.as(elsewhere), '/api/feed/team')).flat()).toHaveLength(1);
    expect((await feedPages(await social.as({ ...maya, orgId: elsewhere.orgId }), '/api/feed/mine')).flat()).toEqual(
      [],
    );
  });

  test('[D17] of a member without a team here is empty', async () => {
    const stranger = memberOf(orgId, thunder, 'Stranger');
    expect((await feedPages(await social.as(stranger), '/api/feed/team')).flat()).toEqual([]);
    expect((await feedPages(await social.as(stranger), '/api/feed/all?limit=50')).flat()).toHaveLength(60);
  });
});

test('[S18] no row of one organisation is visible to another', async () => {
  const seen = await tenancyOf(social.pool, elsewhere.orgId);
  const proven = expect.arrayContaining(['checkpoint_entries', 'members', 'posts', 'teams']) as string[];
  expect(seen).toEqual({ unguarded: [], leaking: [], proven });
});

test('the Prisma schema declares exactly the columns and keys that the migrations make', async () => {
  const declared = declaredIn(resolve(import.meta.dirname, '../../prisma/schema.prisma'));
  expect(declared).toEqual(await migratedInto(social.pool));
});

describe('bad input', () => {
  const paths = ['feed/all', 'feed/team', 'feed/mine'].concat(
    ['all', 'team', 'following'].map((scope) => `activity-feed/${scope}`),
  );
  test.each(paths)('[D38 7.29] /api/%s refuses limits and cursors that are none', async (path) => {
    const client = await social.as(maya);
    for (const query of ['limit=0', 'limit=-3', 'limit=ten', 'limit=1.5', 'cursor=x', `cursor=${'x'.repeat(300)}`])
      expect([query, (await client.get(`/api/${path}?${query}`)).status]).toEqual([query, 422]);
    expect((await social.nobody.get(`/api/${path}`)).status).toBe(401);
  });

  test('[D17] a scope that is none does not exist', async () => {
    for (const path of ['feed/everybody', 'activity-feed/everybody', 'activity-feed/mine'])
      expect([path, (await (await social.as(maya)).get(`/api/${path}`)).status]).toEqual([path, 404]);
  });
});

describe('delivery', () => {
  test('[F08] of everything twice changes nothing', async () => {
    const before = await social.rows(orgId, 'select * from posts where org_id = $1 order by log_id');
    await social.identity.redeliver(...joined);
    await social.activity.redeliver(...logged);
    await social.scoring.redeliver(...checkpoints, ...checkpoints.toReversed());
    const last = movementLogged(maya, { caption: 'after all that', loggedAt: new Date('2026-11-16T09:00:00.000Z') });
    const said = await social.activity.publish(last);
    const header = { 'x-min-position': `activity:${said[0]?.position ?? 0}` };
    const { body } = await (await social.as(maya)).get<FeedPost[]>('/api/feed/mine?limit=50', header);
    expect(body.at(-1)).toMatchObject({ caption: 'after all that' });
    const after = await social.rows<{ logId: string }>(orgId, 'select * from posts where org_id = $1 order by log_id');
    expect(after.filter((post) => post.logId !== last.data.logId)).toEqual(before);
  });

  test('[D35] of a post is heard by open pages', async () => {
    const pages = await listenLive(social.env, orgId);
    try {
      await social.activity.publish(movementLogged(omar));
      await eventually(() => expect(pages.kinds).toContain('feed'));
    } finally {
      await pages.close();
    }
  });

  test('who posts sees the post at once', async () => {
    const fact = movementLogged(lena);
    const said = await social.activity.publish(fact);
    const header = { 'x-min-position': `activity:${said[0]?.position ?? 0}` };
    const { body } = await (await social.as(lena)).get<FeedPost[]>('/api/feed/all?limit=1', header);
    expect(body[0]).toMatchObject({ id: fact.data.logId, user: { name: 'Lena Fischer' } });
  });
});

describe('the activity feed', () => {
  const read = async (member: TestMember, path: string) => {
    const { status, body, headers } = await (await social.as(member)).get<ActivityFeed>(path);
    expect(status).toBe(200);
    const next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    return { ...activityFeedSchema.strict().parse(body), next };
  };
  const all = async (member: TestMember, scope: string) => {
    const found: ActivityFeed['activities'] = [];
    for (let path: string | undefined = `/api/activity-feed/${scope}?limit=7`; path !== undefined;) {
      const { activities, hasMore, next } = await read(member, path);
      expect(hasMore).toBe(next !== undefined);
      found.push(...activities);
      path = next;
    }
    const places = found.map(({ createdAt, id }) => `${createdAt} ${id}`);
    expect(places).toEqual([...new Set(places)].sort().reverse());
    return found;
  };

  test('[1.23 3.43 3.44 D17 D26] shows a movement with its team, miles, place and bonus', async () => {
    const zoe = memberOf(randomUUID(), randomUUID(), 'Zoe Marsh');
    const bonusChallengeId = randomUUID();
    const fact = movementLogged(zoe, { caption: 'Up the hill', location: 'Lagos', bonusChallengeId });
    await social.identity.publish(teamFormed(zoe.orgId, zoe.teamId, { name: 'Owls', emoji: '🦉' }), memberJoined(zoe));
    await social.activity.publish(fact, fact);
    await eventually(async () => {
      const { activities, hasMore } = await read(zoe, '/api/activity-feed/following');
      expect([activities, hasMore]).toEqual([
        [
          {
            id: fact.data.logId,
            kind: 'movement',
            userName: 'Zoe Marsh',
            userPhotoUrl: null,
            profileId: zoe.userId,
            teamName: 'Owls',
            teamEmoji: '🦉',
            activityType: 'Walking',
            durationMinutes: 30,
            distanceMiles: '3.00',
            photoPrompt: 'Up the hill',
            photoUrl: null,
            photo: null,
            location: 'Lagos',
            createdAt: expect.any(String),
            timeAgo: 'just now',
            reactions: { likes: 0, comments: 0 },
            myReactions: [],
            heartRate: null,
            calories: null,
            bonusChallengeId,
            isBonusChallenge: true,
            checkpoint: null,
          },
        ],
        false,
      ]);
    });
    // Nothing of it outlives the account.
    await social.tell(zoe.orgId, memberErased(zoe));
    await eventually(async () => {
      const { activities } = await read(zoe, '/api/activity-feed/all');
      expect(activities).toMatchObject([{ photoPrompt: null, location: null, userName: 'A former member' }]);
    });
  });

  test.each([
    ['all', () => [...ofMembers(maya, lena, omar)], ['Chollerford', 'Wallsend']],
    ['team', () => [...ofMembers(maya, lena)], ['Chollerford']],
    ['following', () => [...ofMembers(maya)], []],
  ])('[D17 D33 2.98 2.99] %s holds exactly its movements and checkpoints, each once', async (scope, posts, stops) => {
    // One more was logged by the tests before.
    const found = (await all(maya, scope)).filter(({ createdAt }) => createdAt < '2026-11-18');
    const moved = found.flatMap(({ kind, id }) => (kind === 'movement' ? [id] : []));
    expect(moved.toSorted().filter((id) => posts().includes(id))).toEqual(posts().toSorted());
    expect(found.flatMap(({ checkpoint }) => (checkpoint ? [checkpoint.name] : []))).toEqual(stops);
  });

  test('[D33] a checkpoint that a team has reached is an entry, however often it is told', async () => {
    await social.scoring.redeliver(...checkpoints);
    const [first] = (await all(maya, 'all')).filter(({ kind }) => kind === 'checkpoint');
    expect(first).toEqual({
      id: checkpoints[1]?.id,
      kind: 'checkpoint',
      userName: 'Thunder',
      userPhotoUrl: null,
      profileId: null,
      teamName: 'Thunder',
      teamEmoji: '⚡',
      activityType: 'Reached Chollerford',
      durationMinutes: 0,
      distanceMiles: '27.00',
      photoPrompt: null,
      photoUrl: null,
      photo: null,
      location: 'Chollerford',
      createdAt: '2026-11-17T10:00:00.000Z',
      timeAgo: expect.stringMatching(/ ago$/),
      heartRate: null,
      calories: null,
      reactions: { likes: 0, comments: 0 },
      myReactions: [],
      bonusChallengeId: null,
      isBonusChallenge: false,
      checkpoint: { name: 'Chollerford', routeName: 'Hadrian’s Wall Path', mileMark: 27, isLast: false },
    });
    expect(await read(elsewhere, '/api/activity-feed/all')).toMatchObject({ activities: [{ kind: 'movement' }] });
  });

  test('[D18] whoever hides activity has none in others’ feeds, and the page stays full', async () => {
    const { position } = (
      await social.identity.publish({
        version: 1,
        orgId,
        key: orgId,
        ...privacyChosen(lena, { activityVisible: false }),
      })
    )[0] ?? { position: 0 };
    const header = { 'x-min-position': `identity:${position}` };
    const { body } = await (await social.as(maya)).get<ActivityFeed>('/api/activity-feed/all?limit=40', header);
    expect([body.activities.length, body.hasMore]).toEqual([40, true]);
    const byLena = body.activities.filter(({ profileId }) => profileId === lena.userId);
    expect(byLena).toEqual([]);
    expect((await all(lena, 'following')).length).toBeGreaterThan(0);
  });
});

test('[D4 D17 D18 D33] one entry is a post or a checkpoint, for those alone who see it in a feed', async () => {
  const read = async (member: TestMember, id = '') => {
    const { status, body } = await (await social.as(member)).get(`/api/feed/entries/${id}`);
    return status === 200 ? feedEntrySchema.parse(body) : status;
  };
  const [byLena, byOmar] = [lena, omar].map((member) => postsOf.get(member)?.[0]);
  const checkpoint = checkpoints[1]?.id;
  const header = await social.tell(orgId, privacyChosen(lena, { activityVisible: false }));
  const { body } = await (await social.as(omar)).get<FeedPost[]>('/api/feed/mine?limit=50', header);
  const post = { ...body.find(({ id }) => id === byOmar), myReactions: [] };
  expect(await read(maya, byOmar)).toEqual({ kind: 'movement', post });
  expect(await read(maya, checkpoint)).toMatchObject({ kind: 'checkpoint', activity: { id: checkpoint } });
  expect(await read(lena, byLena)).toMatchObject({ kind: 'movement', post: { id: byLena } });
  for (const [member, id] of [
    [maya, byLena],
    [elsewhere, byOmar],
    [elsewhere, checkpoint],
    [maya, randomUUID()],
    [maya, 'mine'],
  ] as const)
    expect(await read(member, id)).toBe(404);
  expect((await social.nobody.get(`/api/feed/entries/${byOmar}`)).status).toBe(401);
});
