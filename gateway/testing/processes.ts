import type { AddressInfo } from 'node:net';
import { endingOf } from '@caravan/service-kit/process/ending';
import { fastifyOptions } from '@caravan/service-kit/http/http';
import { createLog } from '@caravan/service-kit/telemetry/log';
import { type Balancer, startBalancer } from '@caravan/service-kit/testing/balancer';
import { startTcpProxy, type TcpProxy } from '@caravan/service-kit/testing/tcp-proxy';
import fastify from 'fastify';

/** One of several processes of a service. It answers and stops with the service kit's own connection handling. */
export type ProcessUnderTest = {
  readonly port: number;
  /** Requests that it has begun to handle. */
  readonly requests: () => number;
  /** Says nothing on any connection, and still has new ones opened, as a stopped process. */
  readonly freeze: TcpProxy['freeze'];
  readonly thaw: TcpProxy['thaw'];
  /** Out of the balancer first, as Kubernetes does it, then as on SIGTERM. */
  readonly end: () => Promise<void>;
};

export type ProcessesUnderTest = {
  readonly url: string;
  readonly all: readonly ProcessUnderTest[];
  readonly add: () => Promise<ProcessUnderTest>;
  /** Lets the balancer send to a port, where nobody may listen. */
  readonly sendTo: (port: number) => void;
  /** How often each key or path was handled for good, over all processes. */
  readonly handled: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
};

export async function startProcesses(count: number): Promise<ProcessesUnderTest> {
  const balancer = await startBalancer();
  const handled = new Map<string, number>();
  const all: ProcessUnderTest[] = [];
  const add = async () => {
    const one = await startOne(balancer, handled, () => void all.splice(all.indexOf(one), 1));
    all.push(one);
    return one;
  };
  for (let nth = 0; nth < count; nth += 1) await add();
  const close = async () => {
    for (const one of all) one.thaw();
    await balancer.close();
    await Promise.all([...all].map((one) => one.end()));
  };
  return { url: balancer.url, all, add, sendTo: balancer.add, handled, close };
}

async function startOne(
  balancer: Balancer,
  handled: Map<string, number>,
  onEnd: () => void,
): Promise<ProcessUnderTest> {
  const app = fastify(fastifyOptions(createLog({ service: 'activity', level: 'silent' })));
  let requests = 0;
  app.get('/health/live', () => ({ status: 'live' }));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined));
  app.all('/api/*', async ({ headers, method, url }) => {
    requests += 1;
    const key = String(headers['idempotency-key'] ?? url);
    // A handler gives up its turn, so that requests are under way when the process ends.
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (method !== 'GET' && !(headers['idempotency-key'] && handled.has(key)))
      handled.set(key, (handled.get(key) ?? 0) + 1);
    return { done: true };
  });
  const ending = endingOf(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: (app.server.address() as AddressInfo).port });
  balancer.add(proxy.port);
  const end = async () => {
    onEnd();
    balancer.remove(proxy.port);
    await ending.leave();
    await ending.drain();
    await proxy.close();
  };
  return { port: proxy.port, requests: () => requests, freeze: proxy.freeze, thaw: proxy.thaw, end };
}
