import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from '@caravan/contracts/testing/seeded';
import { credentialHeader } from '@caravan/service-kit/http/service-credential';
import { testCredential } from '@caravan/service-kit/testing/peer';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';

const origin = 'http://127.0.0.1:8080';
let under: GatewayUnderTest;
/** The service behind the gateway. */
const service = createServer((_request, response) => response.writeHead(404).end());
const inside = new WebSocketServer({ noServer: true });
const asked: IncomingMessage[] = [];
/** What it answers to an upgrade; 101 opens the socket, which then says again what it hears. */
let status = 101;

beforeAll(async () => {
  service.on('upgrade', (incoming, socket, head) => {
    asked.push(incoming);
    if (status === 101) inside.handleUpgrade(incoming, socket, head, (opened) => echo(opened));
    else if (status > 0) socket.end(`HTTP/1.1 ${status} No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    else socket.destroy();
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const ACTIVITY_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  under = await startGatewayUnderTest(() => undefined, {
    ACTIVITY_URL,
    PUBLIC_URL: origin,
    LIMIT_PER_ADDRESS_PER_MINUTE: 60,
  });
});
afterAll(async () => {
  await under.close();
  service.close().closeAllConnections();
});
afterEach(() => {
  status = 101;
  asked.length = 0;
});

function echo(socket: WebSocket): void {
  socket.on('message', (data: Buffer) => socket.send(data.toString().toUpperCase()));
}

const newToken = () => randomBytes(32).toString('base64url');
const open = (path = `/companion/api/${newToken()}`, headers: Record<string, string> = { origin }) =>
  new WebSocket(under.gateway.url.replace('http', 'ws') + path, { headers });

/** 101 when it opened. */
async function answerTo(socket: WebSocket): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  socket.on('open', () => resolve(101));
  socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
  socket.on('error', () => resolve(0));
  const answer = await promise;
  socket.terminate();
  return answer;
}

describe('[7.37 D42] the socket of the upload panel', () => {
  test('is passed on both ways, with the credential of the instance and nothing of the browser’s', async () => {
    const token = newToken();
    const socket = open(`/companion/api/${token}?x=1`, {
      origin,
      cookie: 'a=b',
      authorization: 'Bearer x',
      [credentialHeader]: 'mine',
    });
    await once(socket, 'open');
    socket.send('how far');
    const [said] = (await once(socket, 'message')) as [Buffer];
    expect(said.toString()).toBe('HOW FAR');
    expect(asked[0]?.url).toBe(`/companion/api/${token}`);
    expect(asked[0]?.headers).toMatchObject({ [credentialHeader]: testCredential, 'x-forwarded-for': '127.0.0.1' });
    for (const name of ['cookie', 'authorization', 'origin', 'sec-websocket-extensions'])
      expect(asked[0]?.headers).not.toHaveProperty(name);
    const [mine] = inside.clients;
    socket.close();
    if (mine) await once(mine, 'close');
    expect(inside.clients.size).toBe(0);
  });

  test('ends with the other side', async () => {
    const socket = open();
    await once(socket, 'open');
    for (const mine of inside.clients) mine.terminate();
    await once(socket, 'close');
  });

  test.each([
    [404, 404],
    [401, 404],
    [503, 503],
    [0, 503],
  ])('that the service answers with %i is answered with %i', async (answered, expected) => {
    status = answered;
    expect(await answerTo(open())).toBe(expected);
  });

  test('is nothing for pages of other sites, other tokens, other paths and other methods', async () => {
    expect(await answerTo(open(undefined, { origin: 'https://elsewhere.example' }))).toBe(403);
    expect(await answerTo(open(undefined, {}))).toBe(101);
    asked.length = 0;
    for (const path of ['/companion/api/x', `/companion/api/${newToken()}/x`, '/companion/s3/params', '/api/me', '/'])
      expect([path, await answerTo(open(path))]).not.toEqual([path, 101]);
    expect((await under.call(`/companion/api/${newToken()}`)).status).toBe(404);
    const posted = request(`${under.gateway.url}/api/log`, {
      method: 'POST',
      headers: { connection: 'Upgrade', upgrade: 'websocket', 'content-length': 2 },
    });
    posted.end('{}');
    const [refused] = (await once(posted, 'response')) as [IncomingMessage];
    expect(refused.resume().statusCode).toBe(401);
    expect(asked).toEqual([]);
  });

  test('[S25] is opened so often by one address, and held by it so many times at once', async () => {
    const sockets = [];
    for (let left = 30; left > 0; left -= 1) {
      const socket = open();
      await once(socket, 'open');
      sockets.push(socket);
    }
    expect(await answerTo(open())).toBe(429);
    for (const socket of sockets) socket.close();
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
    await expect.poll(() => answerTo(open())).toBe(101);
    for (let left = 60; left > 0; left -= 1) await answerTo(open());
    expect(await answerTo(open())).toBe(429);
  });
});

test('open sockets keep no gateway from ending', async () => {
  const other = await startGatewayUnderTest(() => undefined, {
    ACTIVITY_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  });
  const socket = new WebSocket(`${other.gateway.url.replace('http', 'ws')}/companion/api/${newToken()}`);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  const before = performance.now();
  await other.close();
  await closed;
  expect(performance.now() - before).toBeLessThan(5_000);
});
