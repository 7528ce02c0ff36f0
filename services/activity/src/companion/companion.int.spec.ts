import { randomBytes, randomUUID } from '@caravan/contracts/testing/seeded';
import { companionWords, completedUploadSchema, partedUploadSchema } from '@caravan/contracts/http/companion';
import { mostPhotoBytes, photoWords } from '@caravan/contracts/http/photos';
import { Companion } from './companion.client.ts';
import { ObjectStorage } from '@caravan/service-kit/storage/objects';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CleanUpPhotos } from '../photos/clean-up.job.ts';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';
import { photosOf } from '../testing/photos-under-test.ts';

const partBytes = 5 * 1024 * 1024;
const multipart = '/companion/s3/multipart';
let activity: ActivityUnderTest;
let maya: Joining;
let api: ApiClient;
let photos: ReturnType<typeof photosOf>;

beforeAll(async () => {
  activity = await startActivity();
});
afterAll(() => activity.close());
beforeEach(async () => {
  maya = await activity.join();
  api = await activity.as(maya);
  photos = photosOf(activity, api);
});

/** One that does not fit into a part. */
const largePhoto = (): Promise<Buffer> =>
  sharp(randomBytes(1_600 * 1_300 * 3), { raw: { width: 1_600, height: 1_300, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();

type Begun = { readonly key: string; readonly uploadId: string; readonly at: string; readonly named: string };

/** As the panel asks. */
async function begin(by = api, about: object = {}): Promise<Begun> {
  const body = { filename: '../../IMG 1.png', type: 'image/png', metadata: { name: 'IMG 1.png', note: 'ü' }, ...about };
  const { key, uploadId } = partedUploadSchema.strict().parse((await by.post(multipart, body)).body);
  return { key, uploadId, at: `${multipart}/${encodeURIComponent(uploadId)}`, named: `key=${encodeURIComponent(key)}` };
}

type Part = { readonly PartNumber: number; readonly ETag: string };

async function sendPart(upload: Begun, PartNumber: number, content: Buffer, by = api): Promise<Part> {
  const { body } = await by.get<{ url: string; expires: number }>(`${upload.at}/${PartNumber}?${upload.named}`);
  const answer = await photos.put(body.url, content);
  expect(answer.status).toBe(200);
  return { PartNumber, ETag: answer.headers.get('etag') ?? '' };
}

async function sendAll(upload: Begun, file: Buffer): Promise<Part[]> {
  const parts: Part[] = [];
  for (let from = 0; from < file.length; from += partBytes)
    parts.push(await sendPart(upload, parts.length + 1, file.subarray(from, from + partBytes)));
  return parts;
}

const complete = (upload: Begun, parts: readonly Part[], by = api) =>
  by.post(`${upload.at}/complete?${upload.named}`, { parts });

test('[G11] nothing runs for the panel before the panel asks for something in parts', async () => {
  const companion = activity.app.get<Companion>(Companion);
  expect((await api.get('/companion/s3/params?filename=a.png&type=image%2Fpng')).status).toBe(200);
  expect(companion.pid).toBeUndefined();
  await begin();
  expect(companion.pid).toBeDefined();
});

describe('the upload panel', () => {
  test('[7.36 8.15 D42] sends a file whole to the address that it asks for, and it becomes a photo', async () => {
    const query = 'filename=walk.png&type=image%2Fpng&metadata%5Bname%5D=walk.png';
    const { status, body } = await api.get<{ url: string }>(`/companion/s3/params?${query}`);
    const key = `objects/incoming/${maya.orgId}/${maya.userId}/`;
    expect([status, body]).toEqual([
      200,
      { method: 'PUT', url: expect.stringContaining(`https://caravan.test/${key}`), fields: {}, expires: 600 },
    ]);
    expect(
      (
        await photos.put(
          body.url,
          await sharp(await largePhoto())
            .jpeg()
            .toBuffer(),
        )
      ).status,
    ).toBe(200);
    expect((await photos.register(body.url)).status).toBe(200);
  });

  test('[7.36 D29 D42 S28] sends a file in parts under a key of ours, sees which arrived, and it becomes a photo', async () => {
    const file = await largePhoto();
    const upload = await begin();
    expect(upload.key).toMatch(new RegExp(`^incoming/${maya.orgId}/${maya.userId}/[0-9a-f-]{36}$`));
    const { body } = await api.get<{ presignedUrls: Record<string, string> }>(
      `${upload.at}/batch?${upload.named}&partNumbers=1,2`,
    );
    expect(Object.keys(body.presignedUrls)).toEqual(['1', '2']);
    for (const url of Object.values(body.presignedUrls))
      expect(url).toContain(`https://caravan.test/objects/${upload.key}?`);
    const parts = await sendAll(upload, file);
    expect((await api.get(`${upload.at}?${upload.named}`)).body).toEqual([
      { ...parts[0], Size: partBytes },
      { ...parts[1], Size: file.length - partBytes },
    ]);
    const done = await complete(upload, parts);
    const { location } = completedUploadSchema.strict().parse(done.body);
    expect(location).toBe(`https://caravan.test/objects/${upload.key}`);
    // An answer may be lost on its way.
    expect(await complete(upload, parts)).toMatchObject({ status: 200, body: done.body });
    expect(await photos.register(location)).toMatchObject({ status: 200, body: { width: 1280, height: 1040 } });
    expect((await complete(upload, parts)).status).toBe(404);
    expect(await photos.keysBelow(`incoming/${maya.orgId}`)).toEqual([]);
  });

  test('[8.15] gives a file up, and nothing of it is left', async () => {
    const upload = await begin();
    await sendPart(upload, 1, Buffer.alloc(partBytes));
    expect(await api.delete(`${upload.at}?${upload.named}`)).toMatchObject({ status: 200, body: {} });
    for (const call of [`${upload.at}?${upload.named}`, `${upload.at}/1?${upload.named}`])
      expect((await api.get(call)).status).toBe(404);
    expect((await api.delete(`${upload.at}?${upload.named}`)).status).toBe(404);
    expect((await photos.register(`https://caravan.test/objects/${upload.key}`)).status).toBe(404);
  });

  test('[9.25 D29] of more than 10 MB that arrived hears 413, and all of it is gone', async () => {
    const upload = await begin();
    const parts = await sendAll(upload, Buffer.alloc(mostPhotoBytes + 1));
    expect(await complete(upload, parts)).toMatchObject({ status: 413, body: { message: photoWords.tooLarge } });
    expect((await complete(upload, parts)).status).toBe(404);
    expect(await activity.app.get<ObjectStorage>(ObjectStorage).stat(upload.key)).toBeNull();
    const whole = await begin();
    const allowed = await sendAll(whole, Buffer.alloc(mostPhotoBytes));
    expect((await complete(whole, allowed)).status).toBe(200);
  });

  test('[8.15] hears what is missing in its own words', async () => {
    const upload = await begin();
    const { cannotSign, noKey, partNumber, tooLarge } = companionWords;
    for (const [call, status, message] of [
      [`${upload.at}/1`, 400, cannotSign],
      [`${upload.at}/1?key=`, 400, cannotSign],
      [`${upload.at}/batch?${upload.named}`, 400, cannotSign],
      [`${upload.at}/x?${upload.named}`, 400, partNumber],
      [`${upload.at}/0?${upload.named}`, 400, partNumber],
      [`${upload.at}/10001?${upload.named}`, 400, partNumber],
      [`${upload.at}/batch?${upload.named}&partNumbers=1,x`, 400, partNumber],
      [`${upload.at}/4?${upload.named}`, 413, tooLarge],
      [upload.at, 400, noKey],
      ['/companion/s3/params?filename=a.heic&type=image%2Fheic', 422, photoWords.heic],
      ['/companion/s3/params?type=image%2Fpng', 422, 'Say what the file is called'],
    ] as const)
      expect([call, await api.get(call)]).toMatchObject([call, { status, body: { message } }]);
    expect(await api.delete(upload.at)).toMatchObject({ status: 400, body: { message: noKey } });
    expect(await complete(upload, [{ PartNumber: 1, ETag: '"none"' }])).toMatchObject({ status: 404 });
    for (const [about, message] of [
      [{ type: 'image/svg+xml' }, photoWords.vector],
      [{ type: 'text/html' }, photoWords.type],
      [{ size: mostPhotoBytes + 1 }, photoWords.tooLarge],
      [{ filename: '' }, 'Say what the file is called'],
    ] as const)
      expect(await api.post(multipart, { filename: 'a', type: 'image/png', ...about })).toMatchObject({
        status: 422,
        body: { message },
      });
  });

  test('[8.15] names parts that did not arrive in vain', async () => {
    const upload = await begin();
    const part = await sendPart(upload, 1, Buffer.alloc(9, 'x'));
    const other = { PartNumber: 2, ETag: part.ETag };
    expect(await complete(upload, [part, other])).toMatchObject({
      status: 400,
      body: { message: companionWords.parts },
    });
    expect((await complete(upload, [part])).status).toBe(200);
  });

  test('[8.15] begins thirty files an hour, whole or in parts', async () => {
    for (let left = 15; left > 0; left -= 1) await Promise.all([begin(), photos.start()]);
    const { status, headers } = await api.post(multipart, { filename: 'a', type: 'image/png' });
    expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect((await api.get('/companion/s3/params?filename=a&type=image%2Fpng')).status).toBe(429);
  });
});

describe('[S28 D42] nobody else', () => {
  test('does anything with an upload, knowing its key and its uploadId', async () => {
    const upload = await begin();
    const part = await sendPart(upload, 1, Buffer.alloc(9, 'x'));
    const colleague = await activity.join({ orgId: maya.orgId });
    const stranger = await activity.join();
    for (const who of [colleague, stranger]) {
      const other = await activity.as(who);
      const own = await begin(other);
      const mine = `incoming/${who.orgId}/${who.userId}/${upload.key.split('/').at(-1)}`;
      for (const key of [upload.key, mine, own.key, `${upload.key}/../x`, 'photos/x', ''.padEnd(3_000, 'x')]) {
        const named = `key=${encodeURIComponent(key)}`;
        const expected = key.length > 1_024 ? 422 : 404;
        const calls = [
          other.get(`${upload.at}?${named}`),
          other.get(`${upload.at}/1?${named}`),
          other.get(`${upload.at}/batch?${named}&partNumbers=1`),
          other.post(`${upload.at}/complete?${named}`, { parts: [part] }),
          other.delete(`${upload.at}?${named}`),
        ];
        expect([key, ...(await Promise.all(calls)).map(({ status }) => status)]).toEqual([
          key,
          ...calls.map(() => expected),
        ]);
      }
    }
    expect((await api.get(`${multipart}/${randomUUID()}?${upload.named}`)).status).toBe(404);
    expect((await api.get(`${upload.at}?${upload.named}`)).body).toEqual([{ ...part, Size: 9 }]);
  });

  test('gets anything without a bearer, or the keys of the storage with one', async () => {
    const { nobody } = activity;
    for (const call of [`${multipart}/x?key=y`, `${multipart}/x/1?key=y`, '/companion/s3/params?filename=a&type='])
      expect((await nobody.get(call)).status).toBe(401);
    expect((await nobody.post(multipart, { filename: 'a', type: 'image/png' })).status).toBe(401);
    for (const call of ['/companion/s3/sts', '/companion/url/get/x', '/companion/drive/connect', '/companion/metrics'])
      expect((await api.get(call)).status).toBe(404);
  });
});

test('[D29 D42] what was not completed in a day is gone with its parts', async () => {
  const upload = await begin();
  await sendPart(upload, 1, Buffer.alloc(partBytes));
  const cleanUp = activity.app.get<CleanUpPhotos>(CleanUpPhotos);
  await cleanUp.cleanUpAt(new Date(Date.now() + 23 * 3_600_000));
  expect((await api.get<object[]>(`${upload.at}?${upload.named}`)).body).toHaveLength(1);
  await cleanUp.cleanUpAt(new Date(Date.now() + 25 * 3_600_000));
  expect((await api.get(`${upload.at}?${upload.named}`)).status).toBe(404);
  const left = await activity.app.get<Companion>(Companion).ask({
    method: 'GET',
    path: `multipart/${upload.uploadId}?${upload.named}`,
  });
  expect(left.status === 404 || left.body).toEqual(left.status === 404 ? true : []);
});
