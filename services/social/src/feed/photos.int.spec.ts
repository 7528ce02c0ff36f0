import { randomUUID } from '@caravan/contracts/testing/seeded';
import { activityFeedSchema } from '@caravan/contracts/http/activity-feed';
import { feedEntrySchema, feedSchema, galleryPhotosSchema, reactionsSchema } from '@caravan/contracts/http/feed';
import { openPages } from '@caravan/service-kit/testing/open-pages';
import { signedPhoto, signedPhotos } from '@caravan/service-kit/testing/signed-photo';
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

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

const newPath = () => `/objects/photos/${randomUUID()}`;
const photo = { width: 960, height: 1_280, thumbHash: '1QcSHQRnh493V4dIh4eXh1h4kJUI', alt: 'A canal at dawn' };

function factWithPhoto(member: TestMember, changes: object = {}) {
  const { data, ...about } = movementLogged(member, { caption: 'Up early' });
  const photoPath = newPath();
  return { ...about, data: { ...data, photoPath, photo, ...changes } };
}

function correctedFact({ data, ...about }: ReturnType<typeof factWithPhoto>, changes: object, revision = 2) {
  const { durationMinutes, centimiles, loggedOn } = data;
  const previous = { durationMinutes, centimiles, loggedOn };
  const correctedAt = new Date().toISOString();
  return { ...about, type: 'MovementCorrected', data: { ...data, ...changes, revision, correctedAt, previous } };
}

/** Maya and Omar of one organisation, both with a picture; told twice, and backwards. */
async function two() {
  const orgId = randomUUID();
  const teamId = randomUUID();
  const maya = memberOf(orgId, teamId, 'Maya Okafor');
  const omar = memberOf(orgId, teamId, 'Omar Haddad');
  const faces = { [maya.userId]: newPath(), [omar.userId]: newPath() };
  const header = await social.tell(
    orgId,
    ...[maya, omar].map(memberJoined),
    ...[maya, omar].map(({ userId, name }) => ({
      type: 'ProfileEdited',
      data: { userId, name, timeZone: 'UTC', profilePhotoUrl: faces[userId] },
    })),
  );
  await (await social.as(maya)).get('/api/feed/all', header);
  return { orgId, maya, omar, faces };
}

type Fact = Omit<ReturnType<typeof movementLogged>, 'data'> & { readonly data: object };

/** What activity says, twice; answers what a reader sees then. */
async function after(reader: TestMember, ...facts: readonly Fact[]) {
  const said = await social.activity.publish(...facts, ...facts);
  const header = { 'x-min-position': `activity:${said.at(-1)?.position ?? 0}` };
  // Whoever logged sees the own log first.
  const { orgId, key: userId } = facts[0] ?? { orgId: '', key: '' };
  const author = await social.as({ orgId, userId });
  await expect.poll(async () => (await author.get('/api/feed/all', header)).headers.get('x-stale')).toBeNull();
  return seenBy(reader);
}

async function seenBy(reader: TestMember, header: Record<string, string> = {}) {
  const client = await social.as(reader);
  const posts = feedSchema.parse((await client.get('/api/feed/all', header)).body);
  const { activities } = activityFeedSchema.parse((await client.get('/api/activity-feed/all', header)).body);
  return { posts, activities };
}

async function galleryOf(owner: TestMember, reader: TestMember, query = '') {
  const { status, body, headers } = await (await social.as(reader)).get(`/api/users/${owner.userId}/photos${query}`);
  expect(status).toBe(200);
  return { photos: galleryPhotosSchema.parse(body), next: /^<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] };
}

describe('a post with a photo', () => {
  test('[2.89 2.98 3.39 3.43] has its address, signed for the organisation, in every feed and as an entry', async () => {
    const { orgId, maya, omar, faces } = await two();
    const fact = factWithPhoto(maya);
    const { photoPath } = fact.data;
    const { posts, activities } = await after(omar, fact);
    const client = await social.as(omar);
    const entry = feedEntrySchema.parse((await client.get(`/api/feed/entries/${fact.data.logId}`)).body);
    if (entry.kind !== 'movement') throw new Error('a post');
    expect([posts.length, activities.length]).toEqual([1, 1]);
    for (const one of [posts[0], activities[0], entry.post]) {
      expect(signedPhoto(one?.photoUrl)).toEqual({ objectPath: photoPath, size: 640, orgId });
      expect(one?.photo).toEqual({ ...photo, srcSet: expect.any(String) });
      expect(signedPhotos(one?.photo?.srcSet)).toEqual([
        { objectPath: photoPath, size: 280, orgId, width: '210w' },
        { objectPath: photoPath, size: 640, orgId, width: '480w' },
        { objectPath: photoPath, size: 1_280, orgId, width: '960w' },
      ]);
    }
    const face = { objectPath: faces[maya.userId], size: 64, orgId };
    expect([signedPhoto(posts[0]?.user.avatar), signedPhoto(activities[0]?.userPhotoUrl)]).toEqual([face, face]);
  });

  test('[3.39] of which only the path was told is shown without anything to hold its place', async () => {
    const { maya, omar } = await two();
    const { posts } = await after(omar, factWithPhoto(maya, { photo: null }));
    expect([typeof posts[0]?.photoUrl, posts[0]?.photo]).toEqual(['string', null]);
  });

  test('[D8] shows what a correction says: another one, and none', async () => {
    const { maya, omar } = await two();
    const fact = factWithPhoto(maya);
    const second = newPath();
    const alt = 'Two bicycles';
    const changed = correctedFact(fact, { photoPath: second, photo: { ...photo, alt } });
    const { posts } = await after(omar, fact, changed, fact);
    expect([signedPhoto(posts[0]?.photoUrl)?.objectPath, posts[0]?.photo?.alt]).toEqual([second, alt]);
    const without = correctedFact(fact, { photoPath: null, photo: null }, 3);
    const bare = await after(omar, without, changed);
    expect([bare.posts[0]?.photoUrl, bare.posts[0]?.photo, bare.activities[0]?.photo]).toEqual([null, null, null]);
    expect((await galleryOf(maya, omar)).photos).toEqual([]);
  });

  test('[D18 D21] that its owner alone sees is signed for that person alone', async () => {
    const { orgId, maya, omar } = await two();
    const own = factWithPhoto(maya, { audience: 'owner' });
    const { posts, activities } = await after(maya, own);
    for (const address of [posts[0]?.photoUrl, activities[0]?.photoUrl])
      expect(signedPhoto(address)).toMatchObject({ objectPath: own.data.photoPath, orgId, userId: maya.userId });
    expect(signedPhotos(posts[0]?.photo?.srcSet).map(({ userId }) => userId)).toEqual(Array(3).fill(maya.userId));
    expect(await seenBy(omar)).toEqual({ posts: [], activities: [] });
    const shared = factWithPhoto(maya);
    await after(maya, shared);
    const header = await social.tell(orgId, privacyChosen(maya, { activityVisible: false }));
    const hidden = await seenBy(maya, header);
    expect(hidden.posts.map(({ photoUrl }) => signedPhoto(photoUrl)?.userId)).toEqual([maya.userId, maya.userId]);
    expect((await seenBy(omar, header)).posts).toEqual([]);
  });

  test('[D18 D32] leaves nothing of it when its member is erased, nor does a correction that comes later', async () => {
    const { orgId, maya, omar } = await two();
    const fact = factWithPhoto(maya);
    await after(omar, fact);
    const header = await social.tell(orgId, memberErased(maya));
    expect((await seenBy(omar, header)).posts).toMatchObject([{ photoUrl: null, photo: null, user: { avatar: null } }]);
    await after(omar, correctedFact(fact, { photoPath: newPath(), durationMinutes: 45 }));
    const rows = 'select photo_path, photo, duration_minutes as minutes from posts where org_id = $1';
    expect(await social.rows(orgId, rows)).toEqual([{ photoPath: null, photo: null, minutes: 45 }]);
    expect((await (await social.as(omar)).get(`/api/users/${maya.userId}/photos`)).status).toBe(404);
  });

  test('[D35] is carried to open pages under the addresses that a GET answers', async () => {
    const { orgId, maya, omar } = await two();
    const pages = await openPages(social.env, orgId, { readers: [omar.userId], topics: ['feed', 'activities'] });
    const { posts, activities } = await after(omar, factWithPhoto(maya));
    await expect
      .poll(() => pages.partGiven(omar.userId, 'feed'))
      .toMatchObject({
        posts: [{ photoUrl: posts[0]?.photoUrl, photo: posts[0]?.photo, user: posts[0]?.user }],
      });
    await expect
      .poll(() => pages.partGiven(omar.userId, 'activities'))
      .toMatchObject({
        activities: [{ photoUrl: activities[0]?.photoUrl, photo: activities[0]?.photo }],
      });
    await pages.close();
  });

  test('[D19 D50] has faces of who reacted and who commented, signed at reading and kept by nobody', async () => {
    const { orgId, maya, omar, faces } = await two();
    const fact = factWithPhoto(maya);
    await after(omar, fact);
    const client = await social.as(omar);
    const id = fact.data.logId;
    await client.post('/api/feed/react', { movementLogId: id, emoji: '💪' });
    const reactions = reactionsSchema.parse((await client.get(`/api/feed/${id}/reactions`)).body);
    const key = { 'idempotency-key': randomUUID() };
    const write = () => client.post<{ user: { avatar: string } }>(`/api/feed/${id}/comments`, { text: 'Lovely' }, key);
    const written = await write();
    const again = await write();
    const { body: thread } = await client.get<{ user: { avatar: string } }[]>(`/api/feed/${id}/comments`);
    const { body: found } = await client.get<{ avatar: string }[]>('/api/feed/mentionable?name=maya');
    const seen = [reactions[0]?.user, written.body.user, again.body.user, thread[0]?.user];
    const face = { objectPath: faces[omar.userId], size: 64, orgId };
    expect(seen.map((user) => signedPhoto(user?.avatar))).toEqual(Array(4).fill(face));
    expect(signedPhoto(found[0]?.avatar)?.objectPath).toBe(faces[maya.userId]);
    const kept = await social.rows(orgId, 'select answer::text from es.requests where org_id = $1');
    expect(JSON.stringify(kept)).not.toContain('signature');
  });
});

describe('GET /api/users/{id}/photos', () => {
  test('[2.107] answers a member’s photos, the newest first, page by page', async () => {
    const { maya, omar } = await two();
    const facts = Array.from({ length: 5 }, (_, nth) => factWithPhoto(maya, { loggedAt: at(nth), startedAt: at(nth) }));
    await after(maya, ...facts, factWithPhoto(omar), movementLogged(maya));
    const newest = facts.map(({ data }) => data.logId).toReversed();
    const first = await galleryOf(maya, omar, '?limit=3');
    const rest = await (await social.as(omar)).get(first.next ?? '');
    const all = [...first.photos, ...galleryPhotosSchema.parse(rest.body)];
    expect([first.photos.length, all.map(({ id }) => id), rest.headers.get('link')]).toEqual([3, newest, null]);
    expect(all[0]).toMatchObject({ activityType: 'Walking', caption: 'Up early', photo: { alt: photo.alt } });
    expect((await galleryOf(maya, maya)).photos.map(({ id }) => id)).toEqual(newest);
    for (const query of ['limit=0', 'cursor=x'])
      expect((await (await social.as(omar)).get(`/api/users/${maya.userId}/photos?${query}`)).status).toBe(422);
  });

  test('[D18 D21 S22] shows of others only what they let one see', async () => {
    const { orgId, maya, omar } = await two();
    const stranger = memberOf(randomUUID(), randomUUID(), 'Eve');
    await after(maya, factWithPhoto(maya), factWithPhoto(maya, { audience: 'owner' }));
    expect([(await galleryOf(maya, maya)).photos.length, (await galleryOf(maya, omar)).photos.length]).toEqual([2, 1]);
    const path = `/api/users/${maya.userId}/photos`;
    const answerOf = async (reader: TestMember, choice: object) => {
      const header = await social.tell(orgId, privacyChosen(maya, choice));
      const { status, body } = await (await social.as(reader)).get<object[]>(path, header);
      return status === 200 ? body.length : status;
    };
    expect(await answerOf(omar, { activityVisible: false })).toBe(0);
    expect(await answerOf(omar, { profileVisible: false })).toBe(404);
    expect(await answerOf(maya, { profileVisible: false })).toBe(2);
    await answerOf(maya, {});
    expect((await (await social.as(stranger)).get(path)).status).toBe(404);
    for (const id of [randomUUID(), 'me'])
      expect((await (await social.as(omar)).get(`/api/users/${id}/photos`)).status).toBe(404);
  });
});

const at = (nth: number) => new Date(Date.parse('2026-11-16T10:00:00.000Z') + nth * 60_000).toISOString();
