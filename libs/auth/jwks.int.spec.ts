import { eventually } from '@caravan/event-store/testing/eventually';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RemoteKeys } from './jwks.ts';
import { type TestKey, testKey } from './testing/tokens.ts';

let published: TestKey[];
let state: 'up' | 'failing' | 'nonsense';
let fetches: number;
const server = createServer((_request, response) => {
  fetches += 1;
  if (state === 'failing') return response.writeHead(500).end();
  if (state === 'nonsense') return response.end('{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"s"}]}');
  return response.end(JSON.stringify({ keys: published.map(({ publicJwk }) => publicJwk) }));
});
let url: string;

beforeEach(async () => {
  published = [testKey('first')];
  state = 'up';
  fetches = 0;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/.well-known/jwks.json`;
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

describe('keys of a JWKS address', () => {
  test('[S03] are fetched once, whoever asks at the same time', async () => {
    const keys = new RemoteKeys(url);
    const found = await Promise.all(Array.from({ length: 20 }, () => keys.keyOf('first')));
    expect(found.every((key) => key?.asymmetricKeyDetails?.namedCurve === 'prime256v1')).toBe(true);
    expect(fetches).toBe(1);
  });

  test('[S02] an unknown kid fetches anew at most once in 30 s', async () => {
    const keys = new RemoteKeys(url);
    await keys.keyOf('first');
    for (let attempt = 0; attempt < 100; attempt += 1) expect(await keys.keyOf(`forged-${attempt}`)).toBeUndefined();
    expect(fetches).toBe(1);
    vi.advanceTimersByTime(30_000);
    published.push(testKey('second'));
    expect(await keys.keyOf('second')).toBeDefined();
    expect(await keys.keyOf('third')).toBeUndefined();
    expect(fetches).toBe(2);
  });

  test('[S42] known keys outlive an identity that is away, unknown ones are unavailable', async () => {
    const keys = new RemoteKeys(url);
    await keys.keyOf('first');
    state = 'failing';
    vi.advanceTimersByTime(3_600_000);
    expect(await keys.keyOf('first')).toBeDefined();
    await expect(keys.keyOf('second')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('[S42] before the first success a request is unavailable, and found as soon as identity answers', async () => {
    const keys = new RemoteKeys(url);
    state = 'failing';
    await expect(keys.keyOf('first')).rejects.toMatchObject({ code: 'auth/keys-unavailable', kind: 'unavailable' });
    state = 'up';
    vi.advanceTimersByTime(1_000);
    expect(await keys.keyOf('first')).toBeDefined();
  });

  test('[S02] a key set with anything but ES256 signature keys is not taken', async () => {
    state = 'nonsense';
    await expect(new RemoteKeys(url).keyOf('s')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('[F19] a withdrawn key is forgotten after ten minutes', async () => {
    const keys = new RemoteKeys(url);
    await keys.keyOf('first');
    published = [testKey('second')];
    vi.advanceTimersByTime(600_000);
    expect(await keys.keyOf('first')).toBeDefined();
    await eventually(async () => expect(await keys.keyOf('first')).toBeUndefined());
  });
});
