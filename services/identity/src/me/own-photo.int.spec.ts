import { randomUUID } from '@caravan/contracts/testing/seeded';
import { meSchema } from '@caravan/contracts/http/accounts';
import { photoWords } from '@caravan/contracts/http/photos';
import { personRowsSchema, userProfileSchema } from '@caravan/contracts/http/people';
import { profileEdited } from '@caravan/contracts/events/identity.events';
import { type Listener, listenTo } from '@caravan/messaging/testing/listener';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { signedPhoto } from '@caravan/service-kit/testing/signed-photo';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { idOf, organisation, recordedTypes } from '../../testing/organisations.ts';
import { type PeerServices, startPeerServices, urlsOf } from '../../testing/peer-services.ts';
import { newEmail, password, type Visitor } from '../../testing/visitor.ts';

let peers: PeerServices;
let identity: IdentityUnderTest;
let listener: Listener;
beforeAll(async () => {
  peers = await startPeerServices();
  identity = await startIdentity(urlsOf(peers));
  listener = await listenTo('identity', identity.env);
});
beforeEach(() => {
  peers.pictureStatus = 204;
  peers.pictures.length = 0;
});
afterAll(async () => {
  await listener.close();
  await identity.close();
  await peers.close();
});

const publishedEvents = (orgId: string) =>
  listener.heard
    .filter((fact) => fact.type === 'ProfileEdited' && fact.orgId === orgId)
    .map(({ data }) => profileEdited.data.parse(data));
const picturesTold = (orgId: string) => publishedEvents(orgId).map(({ profilePhotoUrl }) => profilePhotoUrl);
const newPath = () => `/objects/photos/${randomUUID()}`;
const show = (one: Visitor, objectPath: unknown) => one.call('PUT', '/api/me/photo', { objectPath });
const remove = (one: Visitor) => one.call('DELETE', '/api/me/photo');
const pictureOf = async (one: Visitor) => meSchema.strict().parse((await one.get('/api/me')).body).profilePhotoUrl;
const rowOf = async (one: Visitor) =>
  (await identity.rows('select profile_photo_url as path from persons where user_id = $1', [idOf(one)]))[0];

describe('PUT /api/me/photo', () => {
  test('[3.8 D39] shows a photo of one’s own to everybody, signed wherever a face is answered, kept as its bare path', async () => {
    const { orgId, maya, omar } = await organisation(identity);
    const live = await listenLive(identity.env, orgId);
    const objectPath = newPath();
    const answer = await show(maya, objectPath);
    const large = { objectPath, size: 280, orgId };
    expect(answer.status).toBe(200);
    expect(signedPhoto(String(answer.body['profilePhotoUrl']))).toEqual(large);
    expect(peers.pictures).toEqual([{ orgId, userId: idOf(maya), objectPath }]);
    expect(signedPhoto(await pictureOf(maya))).toEqual(large);
    await omar.call('PUT', `/api/users/${idOf(maya)}/follow`);
    await maya.call('PUT', `/api/users/${idOf(omar)}/follow`);
    const profile = userProfileSchema.strict().parse((await omar.get(`/api/users/${idOf(maya)}`)).body);
    expect(signedPhoto(profile.profilePhotoUrl)).toEqual(large);
    for (const list of ['followers', 'following']) {
      const [row] = personRowsSchema.parse((await omar.get(`/api/users/${idOf(omar)}/${list}`)).body);
      expect(signedPhoto(row?.profilePhotoUrl)).toEqual({ ...large, size: 64 });
    }
    expect(await rowOf(maya)).toEqual({ path: objectPath });
    await expect.poll(() => [...live.kinds]).toEqual(expect.arrayContaining(['people', `me of ${idOf(maya)}`]));
    await live.close();
  });

  test('[3.8 D39] is in what signing in and refreshing answer', async () => {
    const email = newEmail();
    const maya = await identity.signedIn({ email });
    const objectPath = newPath();
    await show(maya, objectPath);
    for (const { body } of [await identity.visitor().login(email, password), await maya.refresh()]) {
      const { profilePhotoUrl } = body['user'] as { profilePhotoUrl: string };
      expect(signedPhoto(profilePhotoUrl)).toMatchObject({ objectPath, size: 280 });
    }
  });

  test('[D39] is told to the other services by its bare path, once however often it is asked, and by no word in the log', async () => {
    const { orgId, maya } = await organisation(identity);
    const first = newPath();
    const second = newPath();
    for (const path of [first, first, second]) expect((await show(maya, path)).status).toBe(200);
    for (const answer of [await remove(maya), await remove(maya)])
      expect(answer).toMatchObject({ status: 200, body: { profilePhotoUrl: null } });
    await expect.poll(() => picturesTold(orgId)).toEqual([first, second, null]);
    expect((await recordedTypes(identity, orgId)).filter((type) => type === 'ProfileEdited')).toHaveLength(3);
    const log = await identity.rows('select data, meta from es.events where org_id = $1', [orgId]);
    expect(JSON.stringify(log)).not.toContain('photos');
    expect([await pictureOf(maya), await rowOf(maya)]).toEqual([null, { path: null }]);
  });

  test('[3.8] goes on with the profile: a new name leaves the picture', async () => {
    const { orgId, maya } = await organisation(identity);
    const objectPath = newPath();
    await show(maya, objectPath);
    await maya.call('PATCH', '/api/me/profile', { name: 'Maya O.' });
    await expect
      .poll(() => publishedEvents(orgId).at(-1))
      .toMatchObject({ name: 'Maya O.', profilePhotoUrl: objectPath });
  });

  test.each([
    [404, 404, 'photo/not-found', photoWords.noPhoto],
    [409, 409, 'photo/used', photoWords.used],
    [500, 503, 'storage/unavailable', 'Photos cannot be changed right now. Please try again.'],
  ])(
    '[3.8 S29] that activity answers with %i is refused with %i, and nothing is written',
    async (pictureStatus, status, code, message) => {
      const { orgId, maya } = await organisation(identity);
      const before = newPath();
      await show(maya, before);
      peers.pictureStatus = pictureStatus;
      const answer = await show(maya, newPath());
      expect(answer).toMatchObject({ status, body: { code, message } });
      if (status === 503) expect(answer.headers.get('retry-after')).toBe('2');
      expect(await rowOf(maya)).toEqual({ path: before });
      expect((await remove(maya)).status).toBe(200);
      await expect.poll(() => picturesTold(orgId)).toEqual([before, null]);
    },
  );

  test.each([
    ['', 404],
    ['https://x.example/x.png', 404],
    [`/objects/photos/${randomUUID()}/640.webp`, 404],
    ['/objects/photos/../secret', 404],
    [`/objects/photos/${randomUUID()}`.toUpperCase(), 404],
    [7, 422],
    [null, 422],
    [undefined, 422],
    ['x'.repeat(513), 422],
  ])('[S19] %j is no photo, and activity is not asked', async (objectPath, status) => {
    const maya = await identity.signedIn();
    expect((await show(maya, objectPath)).status).toBe(status);
    expect([peers.pictures, await pictureOf(maya)]).toEqual([[], null]);
  });

  test('[D32] leaves no path behind with an erased account', async () => {
    const { orgId, maya } = await organisation(identity);
    await show(maya, newPath());
    expect((await maya.call('DELETE', '/api/me', { password })).status).toBe(200);
    expect(await identity.rows('select from persons where user_id = $1', [idOf(maya)])).toEqual([]);
    const log = await identity.rows('select data, meta from es.events where org_id = $1', [orgId]);
    expect(JSON.stringify(log)).not.toContain('photos');
  });

  test('[S19] without a token nobody’s picture changes', async () => {
    for (const answer of [await show(identity.visitor(), newPath()), await remove(identity.visitor())])
      expect(answer.status).toBe(401);
  });
});
