import { buffer } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createObjectStorage } from './objects.ts';
import { testServers } from './testing/servers.ts';

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
