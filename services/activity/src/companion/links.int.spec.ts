import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { companionWords, type LinkNews, linkNewsSchema } from '@caravan/contracts/http/companion';
import { mostPhotoBytes, photoWords } from '@caravan/contracts/http/photos';
import { type ApiClient, apiClient } from '@caravan/service-kit/testing/api-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { startActivity } from '../testing/activity-under-test.ts';
import type { ActivityUnderTest, Joining } from '../testing/activity-under-test.ts';
import { photoOf, photosOf } from '../testing/photos-under-test.ts';

let activity: ActivityUnderTest;
let elsewhere: Server;
let site: string;
let photo: Buffer;
let answer: (response: ServerResponse) => void;
let maya: Joining;
let api: ApiClient;
let photos: ReturnType<typeof photosOf>;

beforeAll(async () => {
  activity = await startActivity({ PHOTO_LINKS: 'any' });
  photo = await photoOf();
  elsewhere = createServer((_request, response) => answer(response));
  elsewhere.listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  site = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
});
afterAll(async () => {
  elsewhere.close().closeAllConnections();
  await activity.close();
});
beforeEach(async () => {
  answer = sendPhoto;
  maya = await activity.join();
  api = await activity.as(maya);
  photos = photosOf(activity, api);
});

function sendPhoto(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': photo.length }).end(photo);
}

async function tokenOf(url = `${site}/lake.jpg`, by = api): Promise<string> {
  const { status, body } = await by.post<{ token: string }>('/companion/url/get', { url, fileId: url, metadata: {} });
  expect([status, Object.keys(body)]).toEqual([200, ['token']]);
  return body.token;
}

const socketOf = (token: string) => new WebSocket(`${activity.url.replace('http', 'ws')}/companion/api/${token}`);

/** All that a socket says until it is closed; a number is the status with which it was refused. */
async function newsOf(socket: WebSocket): Promise<LinkNews[] | number> {
  const news: LinkNews[] = [];
  const { promise, resolve } = Promise.withResolvers<LinkNews[] | number>();
  socket.on('message', (data: Buffer) => news.push(linkNewsSchema.parse(JSON.parse(data.toString()))));
  socket.on('close', () => resolve(news));
  socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
  socket.on('error', () => undefined);
  return promise;
}

const successIn = (news: LinkNews[] | number) => {
  const last = typeof news === 'number' ? undefined : news.at(-1);
  if (last?.action !== 'success') throw new Error(`no success: ${JSON.stringify(news)}`);
  return last.payload;
};

describe('a photo of another site', () => {
  test('[7.37 D42] is looked at, fetched while its socket is open, and becomes a photo like any other', async () => {
    expect((await api.get('/companion/sources')).body).toEqual({ link: true });
    const url = `${site}/the%20lake.jpg`;
    const file = { name: 'the lake.jpg', type: 'image/jpeg', size: photo.length };
    expect(await api.post('/companion/url/meta', { url })).toMatchObject({ status: 200, body: file });
    const news = await newsOf(socketOf(await tokenOf(url)));
    expect(news).toContainEqual({
      action: 'progress',
      payload: { progress: expect.any(String), bytesUploaded: expect.any(Number), bytesTotal: photo.length },
    });
    const sent = successIn(news);
    const key = `incoming/${maya.orgId}/${maya.userId}/`;
    expect(sent).toEqual({
      complete: true,
      bytesUploaded: photo.length,
      url: expect.stringMatching(new RegExp(`^https://caravan\\.test/objects/${key}[0-9a-f-]{36}$`)),
    });
    expect(await photos.register(sent.url)).toMatchObject({ status: 200, body: { width: 1280, height: 960 } });
    expect(await photos.keysBelow(key)).toEqual([]);
  });

  test('lies there once: a socket that is opened again says so again', async () => {
    const token = await tokenOf();
    const first = successIn(await newsOf(socketOf(token)));
    expect(await newsOf(socketOf(token))).toEqual([{ action: 'success', payload: first }]);
    expect(await photos.keysBelow(`incoming/${maya.orgId}`)).toHaveLength(1);
  });

  test('whose socket broke is fetched by the next one', async () => {
    const begun = Promise.withResolvers<undefined>();
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': photo.length });
      response.write(photo.subarray(0, 9), () => begun.resolve(undefined));
    };
    const url = `${site}/slow.jpg`;
    const token = await tokenOf(url);
    const broken = socketOf(token);
    await once(broken, 'open');
    await begun.promise;
    broken.terminate();
    answer = sendPhoto;
    await expect
      .poll(async () => JSON.stringify(await newsOf(socketOf(token))), { timeout: 10_000 })
      .toContain('"success"');
  });

  test('[4.43] that is cancelled is given up, and its token is worth nothing', async () => {
    const gone = Promise.withResolvers<undefined>();
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg' }).write('p');
      response.on('close', () => gone.resolve(undefined));
    };
    const token = await tokenOf();
    const socket = socketOf(token);
    await once(socket, 'open');
    for (const said of ['{"action":"pause"}', 'null', 'no json', '{"action":"cancel"}']) socket.send(said);
    expect(await newsOf(socket)).toEqual([]);
    await gone.promise;
    await expect.poll(() => newsOf(socketOf(token))).toBe(404);
    expect(await photos.keysBelow(`incoming/${maya.orgId}`)).toEqual([]);
  });

  test('[8.15] that cannot be one is refused at once, and in its own words', async () => {
    const type = (said: string, more = {}) =>
      (answer = (response) => response.writeHead(200, { 'content-type': said, ...more }).end());
    for (const [set, status, message] of [
      [() => type('text/html'), 422, photoWords.type],
      [() => type('image/svg+xml'), 422, photoWords.vector],
      [() => type('image/png', { 'content-length': mostPhotoBytes + 1 }), 413, photoWords.tooLarge],
      [() => (answer = (response) => response.writeHead(404).end()), 422, companionWords.linkUnreachable],
    ] as const) {
      set();
      for (const call of ['meta', 'get'])
        expect(await api.post(`/companion/url/${call}`, { url: `${site}/a` })).toMatchObject({
          status,
          body: { message },
        });
    }
    for (const body of [{}, { url: '' }, { url: 7 }, { url: 'lake.jpg' }, { url: 'ftp://x.org/a' }])
      expect(await api.post('/companion/url/get', body)).toMatchObject({
        status: 422,
        body: { message: companionWords.link },
      });
    answer = sendPhoto;
    const token = await tokenOf();
    answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end();
    expect(await newsOf(socketOf(token))).toEqual([
      { action: 'error', payload: { error: { message: photoWords.type } } },
    ]);
  });

  test('[8.15] counts among the thirty of an hour, and so do looks among ninety', async () => {
    for (let left = 30; left > 0; left -= 1) await photos.start();
    expect((await api.post('/companion/url/get', { url: `${site}/a` })).status).toBe(429);
    for (let left = 89; left > 0; left -= 1) await api.post('/companion/url/meta', { url: 'https://127.0.0.1' });
    expect(await api.post('/companion/url/meta', { url: `${site}/a` })).toMatchObject({
      status: 429,
      body: { message: companionWords.tooManyLinks },
    });
  });
});

describe('[S28 D42] a socket', () => {
  test('is opened by nobody without a token that was given', async () => {
    for (const token of ['', 'x', 'x'.repeat(43), `${'x'.repeat(43)}:held`, '../s3/params'])
      expect([token, await newsOf(socketOf(token))]).toEqual([token, 404]);
    expect((await activity.nobody.post('/companion/url/get', { url: site })).status).toBe(401);
    expect((await api.get('/companion/api/x')).status).toBe(404);
  });

  test('says nothing after the session has ended in which its token was given', async () => {
    const sid = randomUUID();
    const token = await tokenOf(`${site}/a`, apiClient(activity.url, await activity.tokenFor(maya, { sid })));
    activity.endSession(sid);
    await expect.poll(() => newsOf(socketOf(token))).toBe(401);
  });

  test('takes no long messages', async () => {
    answer = (response) => void response.writeHead(200, { 'content-type': 'image/jpeg' }).write('p');
    const socket = socketOf(await tokenOf());
    await once(socket, 'open');
    socket.send('x'.repeat(2_000));
    expect(await newsOf(socket)).toEqual([]);
  });
});

test('[D42] an instance that does not want it fetches nothing, and says so', async () => {
  const without = await startActivity();
  try {
    const person = await without.join();
    const by = await without.as(person);
    expect((await by.get('/companion/sources')).body).toEqual({ link: false });
    for (const call of ['meta', 'get'])
      expect(await by.post(`/companion/url/${call}`, { url: `${site}/a` })).toMatchObject({
        status: 404,
        body: { code: 'companion/no-links', message: companionWords.noLinks },
      });
  } finally {
    await without.close();
  }
});
