import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createObjectStorage } from '@caravan/service-kit/storage/objects';
import { testCredential } from '@caravan/service-kit/testing/peer';
import { openRaw, type RawConnection } from '@caravan/service-kit/testing/raw-http';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';

const { s3 } = testServers();
let under: GatewayUnderTest;
let objects: ReturnType<typeof createObjectStorage>;
const opened: RawConnection[] = [];

beforeAll(async () => {
  const perMinute = { LIMIT_PER_ADDRESS_PER_MINUTE: 3_000, LIMIT_FILES_PER_ADDRESS_PER_MINUTE: 3_000 };
  const limits = Object.assign({ TRUSTED_PROXIES: '127.0.0.1' }, perMinute);
  under = await startGatewayUnderTest((_request, response) => response.end('{}'), limits);
  const product = { isPathStyle: true, publicUrl: under.gateway.url, serviceCredential: testCredential };
  objects = createObjectStorage({ ...s3, ...product });
  await objects.ensureBucket();
});
afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy();
});
afterAll(() => under.close());

const keyOf = (userId: string = randomUUID()) => `incoming/${randomUUID()}/${userId}/${randomUUID()}`;
const signedFor = (key: string) => objects.presignUpload(key, { expiresInSeconds: 60 });
const home = '192.0.2.1';

/** The headers of an upload, without a byte of its file. */
function begin(address: string, from: string): RawConnection {
  const connection = openRaw(under.gateway.url);
  opened.push(connection);
  const { pathname, search } = new URL(address);
  const lines = [`PUT ${pathname}${search} HTTP/1.1`, 'host: gateway', `x-forwarded-for: ${from}`];
  connection.write(`${lines.join('\r\n')}\r\ncontent-length: 100\r\n\r\n`);
  return connection;
}

async function upload(address: string, from = home): Promise<number> {
  const answer = await fetch(address, { method: 'PUT', body: 'a photo', headers: { 'x-forwarded-for': from } });
  await answer.arrayBuffer();
  return answer.status;
}

const forgedUrl = (key: string) => `${under.gateway.url}/objects/${key}?X-Amz-Signature=x`;

describe('an upload to an address that no service signed', () => {
  test('[S28 S25] an upload without a signature is refused from its headers and takes no place of the member whom it names', async () => {
    const userId = randomUUID();
    const strangers = Array.from({ length: 30 }, () => begin(forgedUrl(keyOf(userId)), '192.0.2.9'));
    for (const { answer } of strangers) {
      const { status, body } = await answer;
      expect([status, (JSON.parse(body) as { code: string }).code]).toEqual([403, 'upload/not-signed']);
    }
    expect(await upload(await signedFor(keyOf(userId)))).toBe(200);
  });

  test('[S28 S25] an upload without a signature takes no place of all uploads, however many connections bring one', async () => {
    const strangers = Array.from({ length: 660 }, () => begin(forgedUrl(keyOf()), '192.0.2.9'));
    const answers = await Promise.all(strangers.map(({ answer }) => answer));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    expect(await upload(await signedFor(keyOf()))).toBe(200);
  });

  test('[S28] loses its connection when it sends more than a little', async () => {
    const connection = openRaw(under.gateway.url);
    opened.push(connection);
    const path = new URL(forgedUrl(keyOf())).pathname;
    connection.write(`PUT ${path} HTTP/1.1\r\nhost: gateway\r\ncontent-length: 10000000\r\n\r\n`);
    const { status, headers } = await connection.answer;
    expect([status, headers.get('connection')]).toEqual([403, 'close']);
  });
});

test('[S25] one network has half of all uploads under way, and those of another network go through', async () => {
  const members = Array.from({ length: 11 }, () => randomUUID());
  const addresses = await Promise.all(
    Array.from({ length: 321 }, (_, nth) => signedFor(keyOf(members[nth % members.length]))),
  );
  const standing = addresses.map((address) => begin(address, home));
  const first = await Promise.race(standing.map(({ answer }) => answer));
  expect([first.status, (JSON.parse(first.body) as { code: string }).code]).toEqual([429, 'upload/too-many']);
  expect(await upload(await signedFor(keyOf()), home)).toBe(429);
  expect(await upload(await signedFor(keyOf()), '192.0.2.2')).toBe(200);
});

test('[S28 S25] an address that has expired takes no place of its member', async () => {
  const userId = randomUUID();
  const short = await objects.presignUpload(keyOf(userId), { expiresInSeconds: 1 });
  await expect.poll(() => upload(short), { timeout: 10_000 }).toBe(403);
  const answers = await Promise.all(Array.from({ length: 30 }, () => begin(short, home).answer));
  for (const { status, body } of answers)
    expect([status, body]).toEqual([403, expect.stringContaining('<Message>Request has expired</Message>')]);
  expect(await upload(await signedFor(keyOf(userId)))).toBe(200);
});
