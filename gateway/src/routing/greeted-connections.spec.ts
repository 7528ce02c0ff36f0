import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { greetAny, greetedConnector, NotConnected } from './greeted-connections.ts';

let answers = 0;
let areOthersAnswered = false;
const connect = greetedConnector({
  hasAnsweredSince: () => areOthersAnswered,
  onAnswer: () => (answers += 1),
  milliseconds: { late: 20, last: 300 },
});
const endings: (() => void)[] = [];
afterEach(() => {
  [answers, areOthersAnswered] = [0, false];
  for (const end of endings.splice(0)) end();
});

/** A server whose nth connection is handled by the nth of the given behaviours, in turn. */
async function serverOf(...behaviours: ((socket: Socket) => void)[]) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    behaviours[sockets.length % behaviours.length]?.(socket);
    sockets.push(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const silent = () => undefined;
const closing = (socket: Socket) => void socket.once('data', () => socket.end());
/** Sends its answer in two pieces, as a network may. */
const answering = (socket: Socket) =>
  void socket.once('data', () => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nli');
    setImmediate(() => socket.write('ve'));
    socket.on('data', (chunk: Buffer) => socket.write(chunk));
  });

const answeringInChunks = (socket: Socket) =>
  void socket.once('data', () => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nlive\r\n');
    setImmediate(() => socket.write('0\r\n\r\n'));
    socket.on('data', (chunk: Buffer) => socket.write(chunk));
  });

const open = ({ hostname, host, protocol, port }: URL) =>
  new Promise<Socket>((resolve, reject) => {
    connect({ hostname, host, protocol, port }, (...[failure, socket]) => {
      if (socket) resolve(socket);
      else reject(failure);
    });
  });

describe('a new connection to a service', () => {
  test.each([
    ['is not answered', silent],
    ['is closed', closing],
  ])('that %s is not used', async (_what, behaviour) => {
    await expect(open(await serverOf(behaviour))).rejects.toBeInstanceOf(NotConnected);
  });

  test.each([
    ['with its length', answering],
    ['in chunks', answeringInChunks],
  ])('that was answered %s is used, and nothing of the answer is left on it', async (_how, behaviour) => {
    const socket = await open(await serverOf(behaviour));
    expect(answers).toBe(1);
    socket.write('next');
    await expect.poll(() => (socket.read() as Buffer | null)?.toString()).toBe('next');
    socket.destroy();
  });

  test('a late connection is used while all others are late, and given up once another one is answered', async () => {
    const late = (socket: Socket) => void setTimeout(() => answering(socket), 60);
    const url = await serverOf(late, silent);
    (await open(url)).destroy();
    const given = open(url);
    areOthersAnswered = true;
    await expect(given).rejects.toBeInstanceOf(NotConnected);
  });

  test('a refused connection counts as not made', async () => {
    const url = await serverOf(silent);
    endings.splice(0).forEach((end) => end());
    await expect(open(url)).rejects.toBeInstanceOf(NotConnected);
  });
});

test('a service lives as long as one of several connections is answered', async () => {
  await expect(greetAny(connect, await serverOf(silent, answering, silent), 3)).resolves.toBeUndefined();
  await expect(greetAny(connect, await serverOf(silent, silent), 2)).rejects.toBeInstanceOf(AggregateError);
});
