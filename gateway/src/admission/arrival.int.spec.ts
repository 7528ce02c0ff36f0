import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { limitArrival } from './arrival.ts';

test('[D35 S25] a request that does not arrive is ended, an open stream is not, however long it lasts', async () => {
  const app = fastify();
  limitArrival(app, 50);
  const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
  app.get('/stream', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.raw.write('first ');
    void later.then(() => reply.raw.end('last'));
  });
  app.post('/log', (_request, reply) => reply.send('logged'));
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const stream = await fetch(`${url}/stream`);

  // It began after the stream: once its time is over, so is that of the stream.
  const slow = request(`${url}/log`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'content-length': 9 },
  });
  slow.on('error', () => undefined);
  slow.write('half');
  const [answer] = (await once(slow, 'response')) as [{ statusCode: number }];
  expect(answer.statusCode).toBe(408);

  goOn();
  expect(await stream.text()).toBe('first last');
});
