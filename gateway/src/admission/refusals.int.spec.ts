import type { AddressInfo } from 'node:net';
import { createLog } from '@caravan/service-kit/telemetry/log';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { hearLog } from '@caravan/service-kit/testing/heard-log';
import { openRaw } from '@caravan/service-kit/testing/raw-http';
import fastify, { type FastifyBaseLogger, type FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { senderOf } from './member-requests.ts';
import { refuse } from './refusals.ts';
import { RequestBodies } from './request-bodies.ts';

async function startRefusing(unfinished: number) {
  const log = createLog({ service: 'test' });
  const heard = hearLog(log);
  const limits = { unfinished, unfinishedPerAddress: unfinished, heldBytes: 1_000_000 };
  const bodies = new RequestBodies(limits, new Metrics('test', { hasProcessMetrics: false }));
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({ loggerInstance, trustProxy: true });
  app.removeAllContentTypeParsers();
  const begun = { count: 0 };
  app.addContentTypeParser('*', (request: FastifyRequest) => {
    begun.count += 1;
    return bodies.read(request.raw, senderOf(request), 1_000);
  });
  app.setErrorHandler((error, request, reply) => refuse({ log, bodies }, error, request, reply));
  app.post('/log', () => 'logged');
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const half = (from: string) => {
    const connection = openRaw(url);
    onTestFinished(() => void connection.socket.destroy());
    const head = `POST /log HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n`;
    connection.write(`${head}content-length: 900\r\ncontent-type: text/plain\r\n\r\nhalf`);
    return connection;
  };
  return { begun, heard, half };
}

test('[S38] a client that leaves before its body has arrived is no error of ours and leaves no stack', async () => {
  const { begun, heard, half } = await startRefusing(20);
  const { socket } = half('192.0.2.1');
  await expect.poll(() => begun.count).toBe(1);
  socket.destroy();
  await expect
    .poll(() => heard.lines().map(({ level, msg }) => `${String(level)}: ${String(msg)}`))
    .toContain('debug: client left before its request arrived');
  expect(heard.lines().filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  expect(heard.text()).not.toContain('stack');
});

test('[S38] refusals for too many unfinished bodies leave one line of the security log for each network and reason', async () => {
  const { begun, heard, half } = await startRefusing(4);
  half('192.0.2.11');
  half('192.0.2.12');
  await expect.poll(() => begun.count).toBe(2);
  // The same network twice, and another one.
  for (const from of ['2001:db8::1', '2001:db8::2', '192.0.2.13']) expect((await half(from).answer).status).toBe(503);
  const lines = heard.lines().filter(({ security }) => security === 'throttled');
  expect(lines.map(({ ip, code, path }) => [ip, code, path])).toEqual([
    ['2001:db8::1', 'gateway/too-busy', '/log'],
    ['192.0.2.13', 'gateway/too-busy', '/log'],
  ]);
});
