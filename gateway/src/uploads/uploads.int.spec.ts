import { once } from 'node:events';
import { type ClientRequest, createServer, request, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { mostPhotoBytes } from '@caravan/contracts/http/photos';
import { createObjectStorage } from '@caravan/service-kit/storage/objects';
import { testCredential } from '@caravan/service-kit/testing/peer';
import { testServers } from '@caravan/service-kit/testing/servers';
import { startTcpProxy } from '@caravan/service-kit/testing/tcp-proxy';
import { beginUploadInParts } from '@caravan/service-kit/testing/upload-in-parts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';
import { UploadAddresses } from '@caravan/service-kit/storage/upload-address';
import { readSignedUpload } from '../admission/signed-upload.ts';
import { UploadTurns } from './upload-turns.ts';
import { Uploads } from './uploads.ts';

const { s3 } = testServers();
let under: GatewayUnderTest;
/** Between the gateway and the storage, so that it can hang and be gone. */
let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
let objects: ReturnType<typeof createObjectStorage>;

beforeAll(async () => {
  const { hostname, port } = new URL(s3.endpoint);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  under = await startGatewayUnderTest(photo, {
    S3_ENDPOINT: endpoint,
    LIMIT_FILES_PER_ADDRESS_PER_MINUTE: 100_000,
    LIMIT_PER_ADDRESS_PER_MINUTE: 100_000,
  });
  objects = createObjectStorage({
    ...s3,
    endpoint,
    isPathStyle: true,
    publicUrl: under.gateway.url,
    serviceCredential: testCredential,
  });
  await objects.ensureBucket();
});

afterAll(async () => {
  await under.close();
  await proxy.close();
});

const newKey = (userId: string = randomUUID()) => `incoming/${randomUUID()}/${userId}/${randomUUID()}`;
const addressFor = (key: string, expiresInSeconds = 60) => objects.presignUpload(key, { expiresInSeconds });
const put = (address: string, body: Buffer, headers: Record<string, string> = {}) =>
  fetch(address, { method: 'PUT', body, headers });

async function storedObject(key: string): Promise<Buffer | undefined> {
  const stream = await objects.get(key);
  return stream ? buffer(stream) : undefined;
}

type Part = { status: number; code: string | undefined };
async function problemOf(answer: Response): Promise<Part> {
  return { status: answer.status, code: ((await answer.json()) as { code?: string }).code };
}

/** More than fits into what systems hold for a reader who does not read. */
const picture = Buffer.alloc(16_000_000, 'p');

/** The service behind the gateway, asked for photos. */
function photo({ url }: { readonly url: string }, response: ServerResponse): void {
  if (url === '/health/live') return void response.end();
  const headers = { 'content-type': 'image/webp', 'cache-control': 'private, max-age=900, immutable' };
  response.writeHead(200, headers).end(picture);
}

/** As it is written, which `fetch` would tidy up. */
function raw(method: string, path: string): Promise<{ status: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number }>();
  const { hostname, port } = new URL(under.gateway.url);
  const asking = request({ method, hostname, port, path, headers: method === 'PUT' ? { 'content-length': 0 } : {} });
  asking.on('response', (answer) => resolve({ status: answer.resume().statusCode ?? 0 })).on('error', reject);
  asking.end();
  return promise;
}

type Sending = { readonly sent: ClientRequest; readonly status: Promise<number | undefined> };

/** A file of which nothing has been sent yet. Its answer is listened to from the beginning: a refusal comes early. */
async function sending(address: string, bytes: number): Promise<Sending> {
  const { promise: status, resolve } = Promise.withResolvers<number | undefined>();
  const sent = request(address, { method: 'PUT', headers: { 'content-length': bytes } });
  sent.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', () => resolve(undefined));
  sent.flushHeaders();
  const [socket] = (await once(sent, 'socket')) as [Socket];
  if (socket.connecting) await once(socket, 'connect');
  return { sent, status };
}

async function listening(answer: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

describe('a file on its way to the storage', () => {
  test('[D42] goes through whole, ten megabytes of it, without a session, and the answer has its ETag alone', async () => {
    const key = newKey();
    const file = Buffer.alloc(mostPhotoBytes, 'caravan');
    const headers = { 'content-type': 'image/jpeg', authorization: 'Bearer of-somebody', cookie: 'rt=secret' };
    const answer = await put(await addressFor(key), file, headers);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-amz'))).toEqual([]);
    expect(await storedObject(key)).toEqual(file);
    expect(await objects.stat(key)).toMatchObject({ contentType: 'image/jpeg' });
    expect(under.seen).toEqual([]);
  });

  test('[S28 D42] a byte more than ten megabytes is refused before the storage hears of it, and so is no length', async () => {
    const key = newKey();
    const tooLarge = Buffer.alloc(mostPhotoBytes + 1);
    const answer = await put(await addressFor(key), tooLarge);
    expect(await problemOf(answer)).toEqual({ status: 413, code: 'upload/too-large' });
    const unending = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(65_536)) });
    const chunked = { method: 'PUT', body: unending, duplex: 'half' } as RequestInit;
    expect(await problemOf(await fetch(await addressFor(key), chunked))).toEqual({
      status: 411,
      code: 'upload/no-length',
    });
    expect(await objects.stat(key)).toBeNull();
  });

  test('[S28] an announced size is held to', async () => {
    const key = newKey();
    const address = await objects.presignUpload(key, { expiresInSeconds: 60, sizeBytes: 5 });
    expect(await problemOf(await put(address, Buffer.from('sixsix')))).toEqual({
      status: 413,
      code: 'upload/other-size',
    });
    expect((await put(address.replace('x-size-bytes=5', 'x-size-bytes=6'), Buffer.from('sixsix'))).status).toBe(403);
    expect((await put(address, Buffer.from('fives'))).status).toBe(200);
    expect((await storedObject(key))?.toString()).toBe('fives');
  });

  test('[S28] an upload address that was changed or has expired stores nothing, in the words that the panel knows', async () => {
    const mine = newKey();
    const theirs = newKey();
    const address = await addressFor(mine);
    const file = Buffer.from('a picture');
    for (const changed of [
      address.replace(mine, theirs),
      address.replace(/X-Amz-Signature=\w{4}/, 'X-Amz-Signature=0000'),
      address.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
      `${address}&partNumber=1&uploadId=x`,
    ])
      expect(await problemOf(await put(changed, file))).toEqual({ status: 403, code: 'upload/not-signed' });
    const short = await addressFor(mine, 1);
    await expect.poll(async () => (await put(short, file)).status, { timeout: 10_000 }).toBe(403);
    expect(await (await put(short, file)).text()).toContain('<Message>Request has expired</Message>');
    expect(await objects.stat(theirs)).toBeNull();
  });

  test('[7.36 D42] an upload goes through in parts, by addresses that are each signed for one part', async () => {
    const endpoint = `http://127.0.0.1:${proxy.port}`;
    const key = newKey();
    const storage = { endpoint, isPathStyle: true, publicUrl: under.gateway.url, serviceCredential: testCredential };
    const upload = await beginUploadInParts({ ...s3, ...storage }, key);
    const address = await upload.addressOf(1);
    expect(address).toMatch(new RegExp(`^${under.gateway.url}/objects/${key}\\?`));
    expect((await put(address.replace('partNumber=1', 'partNumber=2'), Buffer.from('x'))).status).toBe(403);
    const answer = await put(address, Buffer.from('a part'));
    const etag = answer.headers.get('etag') ?? '';
    expect([answer.status, etag]).toEqual([200, expect.stringMatching(/^"[0-9a-f]{32}"$/)]);
    await upload.complete([{ part: 1, etag }]);
    expect(String(await storedObject(key))).toBe('a part');
  });

  test('[S28] a refusal by the storage names no host and no key', async () => {
    const other = { ...s3, secretKey: 'another-secret-than-the-storage-has' };
    const product = { isPathStyle: true, publicUrl: under.gateway.url, serviceCredential: testCredential };
    const address = await createObjectStorage({ ...other, ...product }).presignUpload(newKey(), {
      expiresInSeconds: 60,
    });
    const answer = await put(address, Buffer.from('a picture'));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'application/xml']);
    expect(await answer.text()).not.toMatch(/127\.0\.0\.1|StringToSign|CanonicalRequest/);
  });

  test('[S28 S39] nothing but a PUT of one file below incoming/ goes through', async () => {
    const key = newKey();
    const address = await addressFor(key);
    const path = `/objects/${key}`;
    const query = address.slice(address.indexOf('?'));
    const elsewhere = ['incoming', `incoming/${key}`, 'incoming/../photos/x', `${key}/..`, `${key}%2F..`];
    for (const place of elsewhere)
      expect([place, (await raw('PUT', `/objects/${place}${query}`)).status]).toEqual([place, 404]);
    expect((await raw('PUT', `/objects/photos/${key}${query}`)).status).toBe(401);
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'])
      expect([method, (await raw(method, `${path}${query}`)).status]).toEqual([method, 404]);
    for (const operation of ['acl', 'tagging', 'retention', 'x-id=CopyObject&versionId=1'])
      expect([operation, (await raw('PUT', `${path}${query}&${operation}`)).status]).toEqual([operation, 403]);
    expect((await raw('PUT', path)).status).toBe(403);
    const copying = await put(address, Buffer.from('mine'), { 'x-amz-copy-source': `/${s3.bucket}/photos/of/others` });
    expect([copying.status, (await storedObject(key))?.toString()]).toEqual([200, 'mine']);
  });

  test('[S42 F07] a storage that is away is answered for with 503, and files go through again once it is back', async () => {
    const key = newKey();
    const address = await addressFor(key);
    await proxy.cut();
    const answer = await put(address, Buffer.from('x'));
    expect([answer.headers.get('retry-after'), await problemOf(answer)]).toEqual([
      '5',
      { status: 503, code: 'storage/unavailable' },
    ]);
    await proxy.restore();
    await expect.poll(async () => (await put(address, Buffer.from('x'))).status).toBe(200);
  });

  test('[D42] who leaves in the middle leaves nothing behind; a slow one gets through', async () => {
    const left = newKey();
    const slow = newKey();
    const leaving = await sending(await addressFor(left), 1_000_000);
    leaving.sent.write(Buffer.alloc(300_000));
    leaving.sent.destroy();
    const taking = await sending(await addressFor(slow), 3);
    for (const letter of 'abc') {
      taking.sent.write(letter);
      // Others get through in between.
      expect((await under.call('/api/me')).status).toBe(200);
    }
    taking.sent.end();
    expect(await taking.status).toBe(200);
    expect((await storedObject(slow))?.toString()).toBe('abc');
    expect(await objects.stat(left)).toBeNull();
  });

  test('[S18] one person has thirty files on their way at most; others are not kept from theirs', async () => {
    const userId = randomUUID();
    const standing = await Promise.all(
      Array.from({ length: 30 }, async () => sending(await addressFor(newKey(userId)), 10)),
    );
    // More than move at once, and then they stand still.
    for (const { sent } of standing) sent.write('x');
    const address = await addressFor(newKey(userId));
    await expect.poll(async () => (await put(address, Buffer.from('x'))).status).toBe(429);
    await expect.poll(async () => (await put(await addressFor(newKey()), Buffer.from('x'))).status).toBe(200);
    for (const { sent } of standing) sent.destroy();
    await expect.poll(async () => (await put(address, Buffer.from('x'))).status).toBe(200);
  });
});

test('[G12 S18] a file on its way moves with a few others at most, so that the storage leaves room for those who only read', async () => {
  const moving = { now: 0, most: 0 };
  const storage = await listening((arriving, answer) => {
    arriving.once('data', () => (moving.most = Math.max(moving.most, (moving.now += 1))));
    arriving.resume().once('end', () => {
      moving.now -= 1;
      answer.end();
    });
  });
  const addresses = new UploadAddresses(testCredential);
  const uploads = new Uploads(storage.url, new UploadTurns({ atOnce: 2, mostMilliseconds: 600_000 }));
  const door = await listening((arriving, answer) => {
    void uploads
      .pass(readSignedUpload(addresses, arriving), arriving, 'somewhere')
      .then((passed) => answer.writeHead(passed?.status ?? 500).end());
  });
  const query = 'X-Amz-Date=20990101T000000Z&X-Amz-Expires=60&X-Amz-Signature=x';
  const sent = Array.from({ length: 20 }, () =>
    put(door.url + addresses.sign(`/objects/${newKey()}?${query}`), Buffer.alloc(500_000)),
  );
  for (const answer of await Promise.all(sent)) expect(answer.status).toBe(200);
  expect(moving).toEqual({ now: 0, most: 2 });
  await uploads.close();
  door.close();
  storage.close();
});

describe('a photo on its way to who sees it', () => {
  const path = `/objects/photos/${randomUUID()}/640.webp?viewer=x&expires=1&signature=y`;

  test('[S29 D42] needs no session, and comes with the headers of its service and of the gateway', async () => {
    const answer = await fetch(`${under.gateway.url}${path}`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=900, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(under.seen.at(-1)).toMatchObject({ method: 'GET', url: path });
    expect((await fetch(`${under.gateway.url}/objects/photos`)).status).toBe(401);
  });

  test('[S18] waits for slow readers, who keep nobody from anything else', async () => {
    // As many as there are connections.
    const readers = await Promise.all(Array.from({ length: 64 }, () => fetch(`${under.gateway.url}${path}`)));
    expect((await under.call('/api/log', { method: 'POST', body: '{}' })).status).toBe(200);
    await Promise.all(readers.map(async (reader) => reader.body?.cancel()));
  });
});
