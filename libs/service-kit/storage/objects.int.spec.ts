import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { randomBytes, randomUUID } from '@caravan/contracts/testing/seeded';
import { beforeAll, expect, test } from 'vitest';
import { Dependency } from '../process/dependency.ts';
import { createObjectStorage, objectsDependency, partBytes } from './objects.ts';
import { passedOn } from '../testing/passed-on.ts';
import { testCredential } from '../testing/peer.ts';
import { testServers } from '../testing/servers.ts';
import { startTcpProxy } from '../testing/tcp-proxy.ts';

const settings = {
  ...testServers().s3,
  isPathStyle: true,
  publicUrl: 'https://caravan.test',
  serviceCredential: testCredential,
};
const objects = createObjectStorage(settings);
const content = Buffer.from('a walk in the park');

beforeAll(() => objects.ensureBucket());

test('an object comes back as it was put, until it is removed', async () => {
  const key = `t/${randomUUID()}/photo 1.webp`;
  await objects.put(key, content, 'image/webp');
  expect(await objects.stat(key)).toMatchObject({ sizeBytes: content.length, contentType: 'image/webp' });
  const stream = await objects.get(key);
  expect(stream && (await buffer(stream))).toEqual(content);
  await objects.remove(key);
  expect(await objects.get(key)).toBeNull();
  expect(await objects.stat(key)).toBeNull();
  await objects.remove(key);
});

const pattern = randomBytes(65_536);
/** A file of that many bytes, which breaks there if it is told to. `read` counts what was taken of it. */
function file(sizeBytes: number, isBroken = false) {
  const hash = createHash('sha256');
  const told = { read: 0, hash: () => hash.digest('hex'), onRead: () => undefined as void };
  const bytes = function* () {
    while (told.read < sizeBytes) {
      const chunk = pattern.subarray(0, Math.min(pattern.length, sizeBytes - told.read));
      told.read += chunk.length;
      hash.update(chunk);
      told.onRead();
      yield chunk;
    }
    if (isBroken) throw new Error('the source is gone');
  };
  return Object.assign(told, { content: Readable.from(bytes(), { objectMode: false }) });
}
const storedAt = async (key: string) => {
  const hash = createHash('sha256');
  for await (const chunk of (await objects.get(key)) ?? []) hash.update(chunk as Buffer);
  return hash.digest('hex');
};

test.each([0, 7, partBytes - 1, partBytes, partBytes + 1, 3 * partBytes + 7])(
  '[S35] a stream of %i bytes comes back as it was put, under its type',
  async (sizeBytes) => {
    const key = `t/${randomUUID()}.zip`;
    const { content: stream, hash } = file(sizeBytes);
    expect(await objects.putStream(key, stream, 'application/zip')).toBe(sizeBytes);
    expect(await objects.stat(key)).toMatchObject({ sizeBytes, contentType: 'application/zip' });
    expect(await storedAt(key)).toBe(hash());
  },
);

test('[S35] of a stream no more than three parts are held, whatever its size', async () => {
  const { hostname: host, port } = new URL(settings.endpoint);
  const proxy = await startTcpProxy({ host, port: Number(port) });
  const behind = createObjectStorage({ ...settings, endpoint: `http://127.0.0.1:${proxy.port}` });
  const sizeBytes = 10 * partBytes;
  const source = file(sizeBytes);
  let most = 0;
  source.onRead = () => void (most = Math.max(most, source.read - proxy.bytesTaken()));
  const key = `t/${randomUUID()}.zip`;
  expect(await behind.putStream(key, source.content, 'application/zip')).toBe(sizeBytes);
  expect(proxy.bytesTaken()).toBeGreaterThan(sizeBytes);
  expect(most).toBeLessThan(3 * partBytes);
  await objects.remove(key);
  await proxy.close();
});

test('[S35] a stream that breaks leaves no object, and nothing that the next try would begin with', async () => {
  const key = `t/${randomUUID()}.zip`;
  for (const sizeBytes of [7, 2 * partBytes + 7]) {
    await expect(objects.putStream(key, file(sizeBytes, true).content, 'application/zip')).rejects.toThrow('source');
    expect(await objects.stat(key)).toBeNull();
  }
  const again = file(partBytes + 11);
  await objects.putStream(key, again.content, 'application/zip');
  expect(await storedAt(key)).toBe(again.hash());
});

test('[S35 F07] a storage that goes away in the middle of a stream is told, the stream let go, and the next try whole', async () => {
  const { hostname: host, port } = new URL(settings.endpoint);
  const proxy = await startTcpProxy({ host, port: Number(port) });
  const behind = createObjectStorage({ ...settings, endpoint: `http://127.0.0.1:${proxy.port}` });
  const key = `t/${randomUUID()}.zip`;
  const source = file(6 * partBytes);
  source.onRead = () => void (proxy.bytesTaken() > 2 * partBytes && proxy.cut());
  await expect(behind.putStream(key, source.content, 'application/zip')).rejects.toThrow();
  expect([source.content.destroyed, await objects.stat(key)]).toEqual([true, null]);
  const again = file(2 * partBytes + 11);
  await objects.putStream(key, again.content, 'application/zip');
  expect(await storedAt(key)).toBe(again.hash());
});

const direct = (address: string) => passedOn(address, settings);

const putTo = async (address: string, body = content) => (await fetch(address, { method: 'PUT', body })).status;

test('[D42] an address for an upload is one of the product, takes its object alone, and runs out', async () => {
  const key = `t/${randomUUID()}`;
  const address = await objects.presignUpload(key, { expiresInSeconds: 60 });
  expect(address).toMatch(new RegExp(`^https://caravan\\.test/objects/${key}\\?X-Amz-`));
  expect(await putTo(direct(address))).toBe(200);
  const stream = await objects.get(key);
  expect(stream && (await buffer(stream))).toEqual(content);
  expect(await putTo(direct(address).replace(key, `${key}-other`))).toBe(403);
  expect(await putTo(direct(address).replace('X-Amz-Expires=60', 'X-Amz-Expires=600'))).toBe(403);
});

test('[D42] an announced size is part of what is signed', async () => {
  const address = await objects.presignUpload(`t/${randomUUID()}`, { expiresInSeconds: 60, sizeBytes: content.length });
  expect(new URL(address).searchParams.get('x-size-bytes')).toBe(String(content.length));
  expect(await putTo(direct(address))).toBe(200);
  expect(await putTo(direct(address).replace(/(x-size-bytes=)\d+/, '$11'))).toBe(403);
  expect(await putTo(direct(address).replace(/x-size-bytes=\d+&/, ''))).toBe(403);
});

test('[D42] where browsers reach the storage themselves, addresses are signed for that host', async () => {
  const { hostname, port } = new URL(settings.endpoint);
  const at = createObjectStorage({ ...settings, publicEndpoint: `http://localhost:${port}` });
  const address = await at.presignUpload(`t/${randomUUID()}`, { expiresInSeconds: 60 });
  expect(new URL(address).host).toBe(`localhost:${port}`);
  expect(await putTo(address)).toBe(200);
  expect(await putTo(address.replace('localhost', hostname))).toBe(403);
});

test('making the bucket again changes nothing', async () => {
  await objects.ensureBucket();
  await objects.check();
});

test('[S42 F07] a storage that hangs is given up, then not asked, until it answers again', async () => {
  const { hostname: host, port } = new URL(settings.endpoint);
  const proxy = await startTcpProxy({ host, port: Number(port) });
  const dependency = new Dependency({ ...objectsDependency, budgetMilliseconds: 100 });
  const behind = createObjectStorage({ ...settings, endpoint: `http://127.0.0.1:${proxy.port}` }, dependency);
  await expect.poll(() => behind.get('t/none').catch(() => 'late')).toBeNull();
  proxy.freeze();
  for (let call = 0; call < 3; call += 1)
    await expect(behind.get('t/none')).rejects.toMatchObject({ kind: 'unavailable', code: 'service/unanswered' });
  expect(dependency.state).toBe('open');
  for (let call = 0; call < 100; call += 1) await expect(behind.get('t/none')).rejects.toThrow('does not answer');
  proxy.thaw();
  await expect.poll(() => behind.get('t/none').catch(() => 'away')).toBeNull();
  expect(dependency.state).toBe('closed');
  await proxy.close();
});
