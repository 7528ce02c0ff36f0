import { buffer } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { Dependency } from './dependency.ts';
import { createObjectStorage, objectsDependency } from './objects.ts';
import { testServers } from './testing/servers.ts';
import { startTcpProxy } from './testing/tcp-proxy.ts';

const objects = createObjectStorage(testServers().s3);
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

test('a presigned address takes one object and gives it back without credentials', async () => {
  const key = `t/${randomUUID()}`;
  const put = await fetch(await objects.presignPut(key, 60), { method: 'PUT', body: content });
  expect(put.status).toBe(200);
  const got = await fetch(await objects.presignGet(key, 60));
  expect(Buffer.from(await got.arrayBuffer())).toEqual(content);
});

test('a presigned address opens nothing but its object', async () => {
  const key = `t/${randomUUID()}`;
  await objects.put(`${key}-other`, content, 'text/plain');
  const address = await objects.presignGet(key, 60);
  const other = await fetch(address.replace(key, `${key}-other`));
  expect(other.status).toBe(403);
});

test('making the bucket again changes nothing', async () => {
  await objects.ensureBucket();
  await objects.check();
});

test('[S42 F07] a storage that hangs is given up, then not asked, until it answers again', async () => {
  const { endpoint, ...settings } = testServers().s3;
  const { hostname: host, port } = new URL(endpoint);
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
