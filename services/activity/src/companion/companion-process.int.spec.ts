import { fork } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Companion, type CompanionOptions } from './companion.client.ts';
import { Unanswered } from '@caravan/service-kit/process/dependency';
import { createLog } from '@caravan/service-kit/telemetry/log';
import { createObjectStorage } from '@caravan/service-kit/storage/objects';
import { passedOn } from '@caravan/service-kit/testing/passed-on';
import { testCredential } from '@caravan/service-kit/testing/peer';
import { testServers } from '@caravan/service-kit/testing/servers';

const storage = {
  ...testServers().s3,
  isPathStyle: true,
  publicUrl: 'https://caravan.test',
  serviceCredential: testCredential,
};
const objects = createObjectStorage(storage);
const log = createLog({ service: 'test', level: 'silent' });
const made: Companion[] = [];

function companion(options: Partial<CompanionOptions> = {}): Companion {
  const one = new Companion({ log, storage, expiresInSeconds: 600, ...options });
  made.push(one);
  return one;
}

const shared = companion();
beforeAll(() => objects.ensureBucket());
afterAll(() => Promise.all(made.map((one) => one.onApplicationShutdown())));

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const newKey = () => `incoming/${randomUUID()}/${randomUUID()}/${randomUUID()}`;

async function beginUpload(by = shared): Promise<{ key: string; path: string; multipartId: string }> {
  const key = newKey();
  const body = { filename: '../../etc/passwd', type: 'image/jpeg' };
  const answer = await by.ask({ method: 'POST', path: 'multipart', body, key });
  expect(answer).toMatchObject({ status: 200, body: { key, bucket: storage.bucket } });
  const { uploadId } = answer.body as { uploadId: string };
  return { key, multipartId: uploadId, path: `multipart/${encodeURIComponent(uploadId)}` };
}

const addressOf = (answer: { body: unknown }) => (answer.body as { url: string }).url;
const direct = (address: string) => passedOn(address, storage);

describe('the process of the storage calls', () => {
  test('[G11] is not there before it is asked, and ends when nobody asks any more', async () => {
    const rare = companion({ idleSeconds: 0.2 });
    expect(rare.pid).toBeUndefined();
    await beginUpload(rare);
    const { pid = 0 } = rare;
    expect(isRunning(pid)).toBe(true);
    await eventually(() => expect(isRunning(pid)).toBe(false));
    await eventually(() => expect(rare.pid).toBeUndefined());
  });

  test('is one however many ask at once, and another one after it broke', async () => {
    const one = companion();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => one.ask({ method: 'GET', path: 'multipart/x/1?key=k' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { pid = 0 } = one;
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(one.pid).toBeUndefined());
    expect((await one.ask({ method: 'GET', path: 'multipart/x/1?key=k' })).status).toBe(200);
  });

  test('[S28] serves nobody else on the machine', async () => {
    const child = fork(new URL('companion-process.client.ts', import.meta.url));
    child.send({ ...storage, expiresInSeconds: 600, secret: 'known to the service alone' });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const askWith = (secret: string) =>
      fetch(`http://127.0.0.1:${port}/s3/multipart/x/1?key=k`, { headers: { 'x-companion-secret': secret } });
    expect((await askWith('known to the service alone')).status).toBe(200);
    for (const secret of ['', 'known to the service alonf']) expect((await askWith(secret)).status).toBe(401);
    child.disconnect();
    await once(child, 'exit');
  });

  test('that never answers is given up', async () => {
    const hanging = companion({
      program: new URL('../../../../libs/service-kit/testing/hanging-image-process.ts', import.meta.url),
    });
    const asked = hanging.ask({ method: 'GET', path: 'multipart/x/1?key=k' });
    const refused = expect(asked).rejects.toBeInstanceOf(Unanswered);
    expect(hanging.pid).toBeDefined();
    await hanging.onApplicationShutdown();
    await refused;
  });
});

describe('what comes in parts', () => {
  const partBytes = 5 * 1024 * 1024;

  test('[7.36 D42] is sent to signed addresses of the product and becomes one object under the key it was given', async () => {
    const { key, path, multipartId } = await beginUpload();
    const named = `key=${encodeURIComponent(key)}`;
    const one = await shared.ask({ method: 'GET', path: `${path}/1?${named}` });
    expect(one).toMatchObject({ status: 200, body: { expires: 600 } });
    const two = await shared.ask({ method: 'GET', path: `${path}/batch?${named}&partNumbers=2` });
    const { presignedUrls } = two.body as { presignedUrls: Record<string, string> };
    const addresses = [addressOf(one), presignedUrls['2'] ?? ''].map((signed) => shared.publicAddress(signed));
    const parts = [];
    for (const [nth, address] of addresses.entries()) {
      expect(address).toMatch(new RegExp(`^https://caravan\\.test/objects/${key}\\?`));
      expect([...new URL(address).searchParams.keys()].filter((name) => name.includes('checksum'))).toEqual([]);
      const answer = await fetch(direct(address), {
        method: 'PUT',
        body: Buffer.alloc(nth ? 7 : partBytes, 'caravan'),
      });
      expect(answer.status).toBe(200);
      parts.push({ PartNumber: nth + 1, ETag: answer.headers.get('etag') ?? '' });
    }
    const listed = await shared.ask({ method: 'GET', path: `${path}?${named}` });
    expect(listed).toMatchObject({
      status: 200,
      body: [
        { PartNumber: 1, Size: partBytes },
        { PartNumber: 2, Size: 7 },
      ],
    });
    const done = await shared.ask({ method: 'POST', path: `${path}/complete?${named}`, body: { parts } });
    expect(done).toMatchObject({ status: 200, body: { key, bucket: storage.bucket } });
    expect((await objects.stat(key))?.sizeBytes).toBe(partBytes + 7);
    await objects.abort(key, multipartId);
  });

  test('is gone once it is given up, whoever does so', async () => {
    const byPanel = await beginUpload();
    const byService = await beginUpload();
    const call = { method: 'DELETE', path: `${byPanel.path}?key=${byPanel.key}` } as const;
    expect(await shared.ask(call)).toMatchObject({ status: 200, body: {} });
    await objects.abort(byService.key, byService.multipartId);
    for (const { key, path } of [byPanel, byService]) {
      const parts = [{ PartNumber: 1, ETag: '"0123456789abcdef0123456789abcdef"' }];
      const asked = await shared.ask({ method: 'POST', path: `${path}/complete?key=${key}`, body: { parts } });
      expect(asked.status).toBeGreaterThanOrEqual(400);
      expect(await objects.stat(key)).toBeNull();
    }
  });

  test('is signed for the host where browsers reach the storage themselves', async () => {
    const { port } = new URL(storage.endpoint);
    const at = companion({ storage: { ...storage, publicEndpoint: `http://localhost:${port}` } });
    const { key, path } = await beginUpload(at);
    const signed = at.publicAddress(addressOf(await at.ask({ method: 'GET', path: `${path}/1?key=${key}` })));
    expect(new URL(signed).host).toBe(`localhost:${port}`);
    expect((await fetch(signed, { method: 'PUT', body: 'a part' })).status).toBe(200);
    expect((await fetch(signed.replace('localhost', '127.0.0.1'), { method: 'PUT', body: 'a part' })).status).toBe(403);
  });

  test('[F07 S42] is refused as unavailable while the storage is away', async () => {
    const away = companion({ storage: { ...storage, endpoint: 'http://127.0.0.1:9' } });
    const asked = await away.ask({
      method: 'POST',
      path: 'multipart',
      body: { filename: 'x', type: 'image/png' },
      key: 'k',
    });
    expect(asked.status).toBe(503);
  });
});
