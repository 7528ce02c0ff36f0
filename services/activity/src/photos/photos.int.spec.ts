import { randomUUID } from '@caravan/contracts/testing/seeded';
import { movementCorrected, movementLogged } from '@caravan/contracts/events/activity.events';
import { ownLogSchema } from '@caravan/contracts/http/movement';
import type { OwnLog } from '@caravan/contracts/http/movement';
import { photoWords } from '@caravan/contracts/http/photos';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { listenTo } from '@caravan/messaging/testing/listener';
import { ObjectStorage } from '@caravan/service-kit/storage/objects';
import { signedPhotoUrl } from '@caravan/service-kit/storage/photo-address';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { testServers } from '@caravan/service-kit/testing/servers';
import { testPhotoKey } from '@caravan/service-kit/testing/service';
import { startTcpProxy } from '@caravan/service-kit/testing/tcp-proxy';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { movementTextsOf } from '../logging/own-logs.query.ts';
import { noDetails } from '../logging/texts.ts';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';
import { photoOf, photosOf } from '../testing/photos-under-test.ts';
import { photoKey } from './photo.ts';

let activity: ActivityUnderTest;
let storage: Awaited<ReturnType<typeof startTcpProxy>>;
let maya: Joining;
let api: ApiClient;
let photos: ReturnType<typeof photosOf>;
const walk = { activityType: 'Walking', durationMinutes: 30 };

beforeAll(async () => {
  const { hostname: host, port } = new URL(testServers().s3.endpoint);
  storage = await startTcpProxy({ host, port: Number(port) });
  activity = await startActivity({ S3_ENDPOINT: `http://127.0.0.1:${storage.port}` });
});
afterAll(async () => {
  await activity.close();
  await storage.close();
});
// Thirty an hour are enough for one test.
beforeEach(async () => {
  maya = await activity.join();
  api = await activity.as(maya);
  photos = photosOf(activity, api);
});

const idIn = (objectPath: string) => objectPath.split('/').at(-1) ?? '';
const own = async () => (await api.get<OwnLog[]>('/api/logs')).body;
const allSizes = ['1280', '280', '64', '640'];
const sizesOf = async (photoId: string) => {
  const below = `photos/${maya.orgId}/${photoId}/`;
  return (await photos.keysBelow(below)).map((key) => key.slice(below.length, -'.webp'.length)).toSorted();
};

describe('a photo', () => {
  test('[3.35 3.36 7.18 7.19 D29 S27] is sent, drawn again, kept in its sizes without what else was in it', async () => {
    const address = await photos.send(photoOf());
    expect(address).toMatch(new RegExp(`^https://caravan.test/objects/incoming/${maya.orgId}/${maya.userId}/[^/]+[?]`));
    const { status, body } = await photos.register(address, { alt: ' Two bicycles ' });
    expect([status, body]).toEqual([
      200,
      {
        objectPath: expect.stringMatching(/^\/objects\/photos\/[0-9a-f-]{36}$/),
        width: 1280,
        height: 960,
        thumbHash: expect.stringMatching(/^[\w+/]{20,40}=*$/),
        previewUrl: expect.stringContaining('/640.webp?viewer='),
      },
    ]);
    const photoId = idIn(body['objectPath'] as string);
    expect(await sizesOf(photoId)).toEqual(allSizes);
    const largest = await photos.storedObject(photoKey({ ...maya, photoId }, 1280));
    const { exif, format, width } = await sharp(largest).metadata();
    expect([exif, format, width, largest?.includes('Canary')]).toEqual([undefined, 'webp', 1280, false]);
    expect(await photos.keysBelow(`incoming/${maya.orgId}`)).toEqual([]);
  });

  test('[7.19 D42] is registered with or without the query of its address, and again with the same answer', async () => {
    const address = await photos.send(photoOf());
    const { body } = await photos.register(address.split('?')[0] ?? '', { alt: 'First' });
    const again = await photos.register(address, { alt: 'Second' });
    expect([again.status, again.body]).toEqual([200, body]);
  });

  test('[7.19] is one photo however many ask for it at the same moment', async () => {
    const address = await photos.send(photoOf());
    const answers = await Promise.all([1, 2, 3, 4].map(() => photos.register(address)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${String(body['objectPath'])}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const registered = 'select from photos where org_id = $1 and registered_at is not null and discarded_at is null';
    expect(await activity.rows(maya.orgId, registered)).toHaveLength(1);
  });

  test('[D29 F07] counts without a smaller size that the storage did not take, which a job draws', async () => {
    const objects = activity.app.get<ObjectStorage>(ObjectStorage);
    const address = await photos.send(photoOf());
    const put = objects.put.bind(objects);
    objects.put = (key, ...what) => (key.endsWith('/280.webp') ? Promise.reject(new Error('full')) : put(key, ...what));
    const { status, body } = await photos.register(address).finally(() => (objects.put = put));
    expect(status).toBe(200);
    await eventually(async () => expect(await sizesOf(idIn(body['objectPath'] as string))).toEqual(allSizes));
  });

  test('[7.18] may be asked for with an empty body or none', async () => {
    for (const body of ['{}', '', undefined]) {
      const headers = { authorization: `Bearer ${await activity.tokenFor(maya)}`, 'content-type': 'application/json' };
      const answer = await fetch(`${activity.url}/api/objects/upload`, {
        method: 'POST',
        headers: body === undefined ? { authorization: headers.authorization } : headers,
        ...(body !== undefined && { body }),
      });
      expect([body, answer.status]).toEqual([body, 200]);
    }
  });

  test('[S28] of somebody else’s upload, of none and of another host is not found; what never arrived says so', async () => {
    const lena = await activity.join({ orgId: maya.orgId });
    const theirs = await photosOf(activity, await activity.as(lena)).send(photoOf());
    const mine = await photos.start();
    const strange = [
      theirs,
      'x',
      'https://caravan.test/',
      mine.replace('caravan.test', 'elsewhere.test'),
      mine.replace(maya.userId, lena.userId),
      mine.replace(/[0-9a-f-]{36}[?]/, `${randomUUID()}?`),
    ];
    for (const address of strange)
      expect([address, await photos.register(address)]).toMatchObject([
        address,
        { status: 404, body: { code: 'upload/not-found' } },
      ]);
    expect(await photos.register(mine)).toMatchObject({ status: 404, body: { message: photoWords.notArrived } });
  });

  test('[5.10 9.25] of another size than was announced is refused', async () => {
    const file = await photoOf(20, 10);
    const address = await photos.start({ size: file.length + 1, type: 'image/jpeg' });
    await photos.put(address, file);
    expect(await photos.register(address)).toMatchObject({ status: 422, body: { message: photoWords.otherSize } });
  });

  test('[S25] may be sent thirty times an hour; the next hears how long to wait', async () => {
    for (let nth = 0; nth < 30; nth += 1) await photos.start();
    const { status, body, headers } = await api.post('/api/objects/upload', {});
    expect([status, body['code']]).toEqual([429, 'photo/too-many-uploads']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500);
  });
});

describe('the photo of a log', () => {
  test('[7.17 3.32] is shown to its owner and told to others with what stands in its place', async () => {
    const { objectPath, width, height, thumbHash } = await photos.photo({ alt: 'A hill' });
    const { status, body } = await api.post('/api/log', { ...walk, photoPath: objectPath });
    expect(status).toBe(200);
    const [log] = await own();
    const viewer = `viewer=${maya.orgId}.${maya.userId}`;
    expect(log).toMatchObject({
      id: body['id'],
      photoPath: objectPath,
      photo: { width, height, thumbHash, alt: 'A hill' },
      photoUrl: expect.stringContaining(`${objectPath}/640.webp?${viewer}&`) as string,
    });
    expect(log?.photo?.srcSet.split(', ').map((one) => one.split(' ')[1])).toEqual(['280w', '640w', '1280w']);
    const listener = await listenTo('activity', activity.env);
    await eventually(() => {
      const fact = listener.heard.find(({ data }) => (data as { logId: string }).logId === body['id']);
      expect(movementLogged.data.parse(fact?.data)).toMatchObject({
        photoPath: objectPath,
        photo: { width, height, thumbHash, alt: 'A hill' },
      });
      return Promise.resolve();
    });
    await listener.close();
  });

  test('[S28] must be one’s own and unused: else no log is made', async () => {
    const { objectPath } = await photos.photo();
    const lena = await activity.as(await activity.join({ orgId: maya.orgId }));
    for (const photoPath of [objectPath, `/objects/photos/${randomUUID()}`, 'photos/1.jpg'])
      expect(await lena.post('/api/log', { ...walk, photoPath })).toMatchObject({
        status: 404,
        body: { code: 'photo/not-found', message: photoWords.noPhoto },
      });
    const both = await Promise.all([1, 2].map(() => api.post('/api/log', { ...walk, photoPath: objectPath })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await own()).toHaveLength(1);
  });

  test('[D8] is added, exchanged and taken away by a correction; what is absent stays', async () => {
    const first = await photos.photo();
    const second = await photos.photo();
    const { id } = (await api.post<{ id: string }>('/api/log', walk)).body;
    const correct = async (body: object) =>
      ownLogSchema.parse((await api.patch(`/api/logs/${id}`, body)).body).photoPath;
    expect(await correct({ photoPath: first.objectPath })).toBe(first.objectPath);
    expect(await correct({ photoPath: first.objectPath, durationMinutes: 20 })).toBe(first.objectPath);
    expect(await correct({ photoPath: second.objectPath })).toBe(second.objectPath);
    // Once taken away a photo is gone.
    expect((await api.patch(`/api/logs/${id}`, { photoPath: first.objectPath })).status).toBe(404);
    expect(await correct({ photoPath: null })).toBeNull();
    const listener = await listenTo('activity', activity.env);
    await eventually(() => {
      const facts = listener.heard.filter(({ type }) => type === 'MovementCorrected');
      const told = facts.map(({ data }) => movementCorrected.data.parse(data)).filter(({ logId }) => logId === id);
      expect(told.map(({ photoPath }) => photoPath)).toEqual([
        first.objectPath,
        first.objectPath,
        second.objectPath,
        null,
      ]);
      return Promise.resolve();
    });
    await listener.close();
  });

  test('[D49] is told again as it is now, with what was typed and without it', async () => {
    const { objectPath, width, height, thumbHash } = await photos.photo({ alt: 'A hill' });
    const photo = { objectPath, width, height, thumbHash, alt: 'A hill' };
    const bodies = [{ photoPath: objectPath }, { photoPrompt: 'Words' }, {}];
    const ids = await Promise.all(
      bodies.map(async (body) => (await api.post('/api/log', { ...walk, ...body })).body['id']),
    );
    const events = ids.map((logId) => ({ orgId: maya.orgId, data: { logId, activity: 'Walking' } }));
    const told = await withSystem(activity.pool, (tx) =>
      movementTextsOf(tx, events as unknown as Parameters<typeof movementTextsOf>[1]),
    );
    const walked = { ...noDetails, activityType: 'Walking', photo: null };
    expect(told).toEqual([{ ...walked, photo }, { ...walked, caption: 'Words' }, walked]);
  });

  test('[D38] an answer that is kept for an Idempotency-Key holds no address; each time it is signed anew', async () => {
    const { objectPath } = await photos.photo();
    const { id } = (await api.post<{ id: string }>('/api/log', walk)).body;
    const key = { 'idempotency-key': `photo-${id}` };
    const answers = [1, 2].map(() => api.patch(`/api/logs/${id}`, { photoPath: objectPath }, key));
    for (const { body } of await Promise.all(answers)) expect(body['photoUrl']).toContain('signature=');
    const kept = await activity.rows(maya.orgId, 'select answer from es.requests where org_id = $1');
    expect(JSON.stringify(kept)).toContain(objectPath);
    expect(JSON.stringify(kept)).not.toContain('signature');
  });
});

describe('an address of a photo', () => {
  test('[S29] gives the picture in the size asked for, until the address ends, under one type', async () => {
    const { objectPath, previewUrl } = await photos.photo();
    expect(await sizesOf(idIn(objectPath))).toEqual(allSizes);
    const answer = await photos.see(previewUrl);
    const { width } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([answer.status, width]).toEqual([200, 640]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    const [, seconds] = /^private, max-age=(\d+), immutable$/.exec(answer.headers.get('cache-control') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(14 * 60);
    expect(Number(seconds)).toBeLessThanOrEqual(30 * 60);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('[S29] that has ended or was changed is 403; one of a photo that is not there is 404', async () => {
    const { objectPath, previewUrl } = await photos.photo();
    const stranger = await activity.join();
    const signedAddress = (path: string, orgId: string, now = new Date()) =>
      signedPhotoUrl(testPhotoKey, { objectPath: path, size: 640, viewer: { orgId }, now }) ?? '';
    const asked = {
      'photo/expired': signedAddress(objectPath, maya.orgId, new Date(Date.now() - 3_600_000)),
      'photo/not-signed': previewUrl.replace('/640.webp', '/1280.webp'),
      'photo/not-found': signedAddress(objectPath, stranger.orgId),
      'request/not-found': previewUrl.replace(idIn(objectPath), 'x'),
    };
    for (const [code, address] of Object.entries(asked)) {
      const answer = await photos.see(address);
      expect([answer.status, await answer.json()]).toMatchObject([/gone|found/.test(code) ? 404 : 403, { code }]);
    }
    expect((await photos.see(`${objectPath}/640.webp`)).status).toBe(403);
    expect((await photos.see(signedAddress(`/objects/photos/${randomUUID()}`, maya.orgId))).status).toBe(404);
  });
});

describe('one’s own picture', () => {
  const choose = (objectPath: string, { orgId, userId } = maya) =>
    activity.nobody.post('/internal/photos/avatar', { orgId, userId, objectPath });

  test('[D53] is a photo of one’s own that no log has, chosen any number of times; then no log takes it', async () => {
    const face = await photos.photo();
    const proof = await photos.photo();
    await api.post('/api/log', { ...walk, photoPath: proof.objectPath });
    expect([(await choose(face.objectPath)).status, (await choose(face.objectPath)).status]).toEqual([204, 204]);
    expect(await choose(proof.objectPath)).toMatchObject({ status: 409, body: { code: 'photo/used' } });
    const lena = await activity.join({ orgId: maya.orgId });
    expect(await choose(face.objectPath, lena)).toMatchObject({ status: 404, body: { code: 'photo/not-found' } });
    expect((await api.post('/api/log', { ...walk, photoPath: face.objectPath })).status).toBe(409);
  });

  test('[S39] is chosen by services alone', async () => {
    const body = JSON.stringify({
      orgId: maya.orgId,
      userId: maya.userId,
      objectPath: (await photos.photo()).objectPath,
    });
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(`${activity.url}/internal/photos/avatar`, { method: 'POST', headers, body });
    expect(status).toBe(401);
  });
});

test('[F07] without the storage, logs with a description are made, and photos are 503 until it is back', async () => {
  const address = await photos.send(photoOf());
  const { previewUrl } = await photos.photo();
  await storage.cut();
  const refused = await photos.register(address);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
  expect((await photos.see(previewUrl)).status).toBe(503);
  expect((await api.post('/api/log', { ...walk, photoPrompt: 'Along the canal' })).status).toBe(200);
  await storage.restore();
  await eventually(async () => expect((await photos.register(address)).status).toBe(200));
});
