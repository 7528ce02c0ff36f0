import { randomUUID } from '@caravan/contracts/testing/seeded';
import { followAnswerSchema, personRowsSchema, userProfileSchema } from '@caravan/contracts/http/people';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { idOf, joinOrganisation, organisation, protectedFields, toldOf } from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const read = (viewer: Visitor, id: string) => viewer.get(`/api/users/${id}`);
const profile = async (viewer: Visitor, of: Visitor) =>
  userProfileSchema.strict().parse((await read(viewer, idOf(of))).body);
const follow = (one: Visitor, other: Visitor) => one.call('PUT', `/api/users/${idOf(other)}/follow`);
const unfollow = (one: Visitor, other: Visitor) => one.call('DELETE', `/api/users/${idOf(other)}/follow`);
const hide = (one: Visitor, privacy: object) => one.call('PATCH', '/api/me/settings', { privacy });
const names = async (viewer: Visitor, of: Visitor, list: 'followers' | 'following') =>
  personRowsSchema.parse((await viewer.get(`/api/users/${idOf(of)}/${list}`)).body).map(({ name }) => name);
const notFound = { status: 404, body: { code: 'people/not-found', message: 'Profile not found' } };

describe('GET /api/users/{id}', () => {
  test('[3.45 2.102 D32 S20] shows a colleague, without address or anything else', async () => {
    const { maya, omar } = await organisation(identity);
    await maya.call('PATCH', '/api/me/profile', { bio: 'Up early', location: 'Lagos', favoriteActivity: 'Walking' });
    const today = localDateOf(new Date(), 'UTC');
    await identity.rows(
      'update member_scores set total_centimiles = 12840, run_started_on = $2::date - 4, run_ended_on = $2 where user_id = $1',
      [idOf(maya), today],
    );
    const expected = {
      id: idOf(maya),
      name: 'Maya Okafor',
      bio: 'Up early',
      location: 'Lagos',
      favoriteActivity: 'Walking',
      profilePhotoUrl: null,
      totalMiles: 128.4,
      streakCount: 5,
      teamName: 'Blazers',
      teamEmoji: '🔥',
      badges: [],
      joinedDate: today,
      followerCount: 0,
      followingCount: 0,
      isFollowing: false,
    };
    expect(await profile(omar, maya)).toEqual({ ...expected, isSelf: false });
    expect(await profile(maya, maya)).toEqual({ ...expected, isSelf: true });
  });

  test('[6.9 D18 S22] whoever hides the profile is not there, for colleagues and admins alike', async () => {
    const { admin, maya, omar } = await organisation(identity);
    await hide(maya, { profileVisible: false });
    for (const viewer of [omar, admin])
      for (const path of ['', '/followers', '/following'])
        expect(await viewer.get(`/api/users/${idOf(maya)}${path}`)).toMatchObject(notFound);
    expect((await profile(maya, maya)).isSelf).toBe(true);
    await hide(maya, { profileVisible: true });
    expect((await read(omar, idOf(maya))).status).toBe(200);
  });

  test('[6.9 D18 S22] whoever hides the figures shows none to others, and all to themselves', async () => {
    const { admin, maya, omar } = await organisation(identity);
    await identity.rows(
      `insert into member_badges (org_id, user_id, badge_id, name, earned_at)
        select org_id, user_id, 'first-log', 'First Steps', now() from memberships where user_id = $1`,
      [idOf(maya)],
    );
    expect((await profile(omar, maya)).badges).toEqual(['First Steps']);
    await hide(maya, { statsVisible: false });
    for (const viewer of [omar, admin])
      expect(await profile(viewer, maya)).toMatchObject({ totalMiles: null, streakCount: null, badges: [] });
    expect(await profile(maya, maya)).toMatchObject({ totalMiles: 0, streakCount: 0, badges: ['First Steps'] });
  });

  test('[D4] a deactivated colleague is not there for members; admins still see who it was', async () => {
    const { admin, maya, omar } = await organisation(identity);
    await admin.call('PATCH', `/api/members/${idOf(maya)}`, { isActive: false });
    expect(await read(omar, idOf(maya))).toMatchObject(notFound);
    expect((await read(admin, idOf(maya))).status).toBe(200);
    expect(await follow(omar, maya)).toMatchObject(notFound);
  });

  test('[2.103 D4 S18] nobody, nonsense and another organisation’s member are not there', async () => {
    const ours = await organisation(identity);
    const theirs = await organisation(identity);
    for (const id of [idOf(theirs.maya), randomUUID(), 'me', "1'--", '%00', '..%2f..'])
      expect((await read(ours.admin, id)).status).toBe(404);
    for (const answer of [await follow(ours.maya, theirs.maya), await unfollow(ours.maya, theirs.maya)])
      expect(answer.status).toBe(404);
    expect(await identity.rows('select from follows where org_id = $1', [theirs.orgId])).toEqual([]);
  });
});

describe('following', () => {
  test('[D46 2.107] shows on both profiles, at once and once', async () => {
    const { orgId, maya, omar } = await organisation(identity);
    const live = await listenLive(identity.env, orgId);
    const first = await follow(omar, maya);
    expect(first).toMatchObject({ status: 200, body: { isFollowing: true, followerCount: 1 } });
    expect(followAnswerSchema.strict().parse((await follow(omar, maya)).body)).toEqual(first.body);
    expect(await profile(omar, maya)).toMatchObject({ followerCount: 1, followingCount: 0, isFollowing: true });
    expect(await profile(maya, omar)).toMatchObject({ followerCount: 0, followingCount: 1, isFollowing: false });
    await expect.poll(() => [...live.kinds]).toContain('people');
    await live.close();
    expect((await unfollow(omar, maya)).body).toEqual({ isFollowing: false, followerCount: 0 });
    expect((await unfollow(omar, maya)).body).toEqual({ isFollowing: false, followerCount: 0 });
    expect(await profile(omar, maya)).toMatchObject({ followerCount: 0, isFollowing: false });
  });

  test('[D46] oneself is refused', async () => {
    const { maya } = await organisation(identity);
    const message = 'You cannot follow yourself';
    expect(await follow(maya, maya)).toMatchObject({
      status: 422,
      body: { message, errors: [{ path: 'id', message }] },
    });
    expect((await unfollow(maya, maya)).body).toEqual({ isFollowing: false, followerCount: 0 });
  });

  test('[D46 D18] who hides cannot be followed, and is left out of numbers and lists', async () => {
    const { admin, maya, omar } = await organisation(identity);
    await follow(omar, maya);
    await follow(admin, maya);
    await follow(maya, omar);
    await hide(omar, { profileVisible: false });
    expect(await follow(admin, omar)).toMatchObject(notFound);
    expect(await profile(admin, maya)).toMatchObject({ followerCount: 1, followingCount: 0 });
    expect(await names(admin, maya, 'followers')).toEqual(['Zoë Admin']);
    expect(await names(admin, maya, 'following')).toEqual([]);
    await hide(omar, { profileVisible: true });
    expect(await names(admin, maya, 'followers')).toEqual(['Zoë Admin', 'Ömar 100%']);
  });

  test('[D46] a deactivated colleague is left out as well', async () => {
    const { admin, maya, omar } = await organisation(identity);
    await follow(omar, maya);
    await admin.call('PATCH', `/api/members/${idOf(omar)}`, { isActive: false });
    expect((await profile(admin, maya)).followerCount).toBe(0);
    expect(await names(admin, maya, 'followers')).toEqual([]);
  });

  test('[D17 D46 S20] is listed the latest first, in pages', async () => {
    const { orgId, maya } = await organisation(identity);
    const followers = [];
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) {
      const one = await joinOrganisation(identity, orgId, { name });
      await follow(one, maya);
      followers.unshift(name);
    }
    const walked = [];
    for (let path: string | undefined = `/api/users/${idOf(maya)}/followers?limit=2`; path;) {
      const { body, headers } = await maya.get(path);
      walked.push(...personRowsSchema.element.strict().array().parse(body));
      path = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(walked.map(({ name }) => name)).toEqual(followers);
    expect((await maya.get(`/api/users/${idOf(maya)}/followers?limit=0`)).status).toBe(422);
    expect((await maya.get(`/api/users/${idOf(maya)}/following?cursor=zzz`)).status).toBe(422);
  });

  test('[D46 S26] fifty times at once is once', async () => {
    const { maya, omar } = await organisation(identity);
    await identity.warm();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => (nth % 2 ? follow(omar, maya) : follow(maya, omar))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
    expect(await profile(omar, maya)).toMatchObject({ followerCount: 1, followingCount: 1 });
  });

  test('[D27] is told once, and once that it ended', async () => {
    const { orgId, maya, omar } = await organisation(identity);
    for (const change of [follow, follow, unfollow, unfollow, follow]) await change(omar, maya);
    const fact = { key: idOf(omar), data: { followerId: idOf(omar), followedId: idOf(maya), at: expect.any(String) } };
    expect(await toldOf(identity, orgId, 'MemberFollowed', 'MemberUnfollowed')).toEqual([
      { type: 'MemberFollowed', ...fact },
      { type: 'MemberUnfollowed', ...fact },
      { type: 'MemberFollowed', ...fact },
    ]);
  });

  test('[S19] takes nothing from a body', async () => {
    const { maya, omar } = await organisation(identity);
    const before = await profile(omar, omar);
    await omar.call('PUT', `/api/users/${idOf(maya)}/follow`, { ...protectedFields, followerId: idOf(maya) });
    expect(await profile(omar, maya)).toMatchObject({ followerCount: 1, followingCount: 0 });
    expect(await profile(omar, omar)).toEqual({ ...before, followingCount: 1 });
  });
});
