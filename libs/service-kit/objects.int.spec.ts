import { buffer } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { Dependency } from './dependency.ts';
import { createObjectStorage, objectsDependency } from './objects.ts';
import { testServers } from './testing/servers.ts';
import { startTcpProxy } from './testing/tcp-proxy.ts';

const settings = { ...testServers().s3, isPathStyle: true, publicUrl: 'https://caravan.test' };
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

/** What the gateway makes of an address that a browser was told. */
const direct = (address: string) =>
  address.replace(/^https:\/\/caravan\.test\/objects\//, `${settings.endpoint}/${settings.bucket}/`);

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
