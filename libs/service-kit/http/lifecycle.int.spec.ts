import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { idleMilliseconds } from '../process/ending.ts';
import { defineJob } from '../jobs/job.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { timeLeftHeader } from './service-credential.ts';
import { ServiceKitModule } from './service-kit.module.ts';
import { createTestDatabase } from '../testing/database.ts';
import { asPeer } from '../testing/peer.ts';
import { testServers } from '../testing/servers.ts';
import { startTestService, testEnv, type TestService } from '../testing/service.ts';
import { startTcpProxy } from '../testing/tcp-proxy.ts';
import { Seen, TinyModule } from '../testing/tiny-service.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function startService(
  env: Parameters<typeof startTestService>[0]['env'] = {},
  seen = new Seen(),
): Promise<TestService> {
  const service = await startTestService({ service: 'activity', module: (e) => TinyModule.forRoot(e, seen), env });
  endings.push(() => service.close());
  return service;
}

test('[F18] shutting down lets a running request end and takes no new one', async () => {
  const seen = new Seen();
  const service = await startService({}, seen);
  const running = fetch(`${service.url}/api/slow`);
  await expect.poll(() => seen.waiting.length).toBe(1);

  const closing = service.close();
  const outcome = () => fetch(`${service.url}/health/live`).then(String, () => 'refused');
  await expect.poll(outcome).toBe('refused');
  seen.waiting.forEach((release) => release());
  const releasedAt = performance.now();

  expect(await (await running).json()).toEqual({ done: true });
  await closing;
  // Not the ten seconds after which the rest is cut off.
  expect(performance.now() - releasedAt).toBeLessThan(5_000);
});

test('[F18] a connection on which nothing was asked yet, as browsers open them ahead, does not delay the end', async () => {
  const seen = new Seen();
  const service = await startService({}, seen);
  const running = fetch(`${service.url}/api/slow`);
  await expect.poll(() => seen.waiting.length).toBe(1);
  const ahead = connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(ahead, 'connect');
  const closing = service.close();
  // While the request that is answered next still holds up the end.
  await once(ahead, 'close');
  expect(seen.waiting).toHaveLength(1);
  seen.waiting.forEach((release) => release());
  expect(await (await running).json()).toEqual({ done: true });
  await closing;
});

/** Sends a request on a connection that stays open. */
async function ask(socket: Socket, path: string): Promise<string> {
  let heard = '';
  const hear = (chunk: Buffer) => (heard += chunk.toString('latin1'));
  socket.on('data', hear);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: service\r\n\r\n`);
  await expect.poll(() => heard, { interval: 5 }).toContain('}');
  socket.off('data', hear);
  return heard.toLowerCase();
}

async function connectTo(service: TestService): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

test('[F18] a leaving service answers on idle and new connections, and only then has them closed', async () => {
  const service = await startService();
  const idle = await connectTo(service);
  const used = await connectTo(service);
  for (const socket of [idle, used]) expect(await ask(socket, '/api/who')).toContain('connection: keep-alive');
  let hasLeft = false;
  const leaving = service.leave().then(() => (hasLeft = true));
  expect(await (await fetch(`${service.url}/health/ready`)).json()).toMatchObject({ status: 'not ready' });

  const closed = once(used, 'close');
  expect(await ask(used, '/api/who')).toMatch(/200 ok[^]*connection: close/);
  await closed;
  const late = await connectTo(service);
  // A gateway greets the connection that it means to use.
  expect(await ask(late, '/health/live')).toContain('connection: keep-alive');
  expect(await ask(late, '/api/who')).toMatch(/200 ok[^]*connection: close/);
  expect([idle.destroyed, hasLeft]).toEqual([false, false]);
  idle.destroy();
  await leaving;
});

test('[F18] a service says how long it keeps an idle connection, so that callers close theirs first', async () => {
  const service = await startService();
  const socket = await connectTo(service);
  expect(await ask(socket, '/api/who')).toContain(`keep-alive: timeout=${idleMilliseconds / 1_000}`);
  socket.destroy();
});

test('a service whose port is taken does not start and leaves nothing open', async () => {
  const service = await startService();
  const second = startTestService({
    service: 'activity',
    module: (env) => TinyModule.forRoot(env),
    env: { PORT: new URL(service.url).port },
  });
  await expect(second).rejects.toThrow('EADDRINUSE');
});

test('a job without a handler stops the start and is named', async () => {
  const forgotten = defineJob({ name: 'tiny.forgotten', remadeBy: null, data: z.object({}) });
  const second = startTestService({
    service: 'activity',
    module: (env) => ServiceKitModule.forRoot(env, { jobs: [forgotten] }),
  });
  await expect(second).rejects.toThrow('Job tiny.forgotten has no handler');
});

test('with a collector every request is sent as a span of its trace, the last ones at the end', async () => {
  let received = '';
  const collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (received += `${request.url} ${chunk.toString()}`));
    request.on('end', () => response.end('{}'));
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  endings.push(async () => collector.close());
  const { port } = collector.address() as AddressInfo;
  const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  const traceId = 'd4'.repeat(16);
  const id = '019c0000-0000-7000-8000-000000000001';
  await fetch(`${service.url}/api/notes/${id}`, { headers: { traceparent: `00-${traceId}-${'b2'.repeat(8)}-01` } });

  await service.close();
  expect(received).toContain('/v1/traces');
  expect(received).toContain(traceId);
  expect(received).toContain('GET /api/notes/:id');
  expect(received).toContain('caravan-activity');
  expect(received).not.toContain(id);
});

describe('without Redis', () => {
  test('[S42 F05] readiness names it, commands fail at once, and all is well when it is back', async () => {
    const redis = new URL(testServers().redis);
    const proxy = await startTcpProxy({ host: redis.hostname, port: Number(redis.port) });
    endings.push(() => proxy.close());
    redis.port = String(proxy.port);
    const service = await startService({ REDIS_URL: redis.href });
    const readiness = async () => (await fetch(`${service.url}/health/ready`)).json();
    expect(await readiness()).toEqual({ status: 'ready' });

    await proxy.cut();
    await expect.poll(readiness).toMatchObject({ status: 'not ready', problems: { redis: expect.any(String) } });
    const enqueued = await fetch(`${service.url}/api/jobs/1`, {
      method: 'POST',
      body: '{"to":1}',
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(3_000),
    });
    expect(enqueued.status).toBe(503);
    // Counts from before Redis went away would be stale.
    expect(await service.app.get(Metrics).registry.metrics()).not.toContain('caravan_jobs{');

    await proxy.restore();
    await expect.poll(readiness).toEqual({ status: 'ready' });
  });
});

/** A service that reaches its database through a proxy of the test's. */
async function startedBehindProxy(env: Record<string, string> = {}) {
  const admin = new URL(testServers().postgresAdmin);
  const proxy = await startTcpProxy({ host: admin.hostname, port: Number(admin.port) });
  endings.push(() => proxy.close());
  const service = await startService(({ DATABASE_URL = '' }) => ({
    ...env,
    DATABASE_URL: DATABASE_URL.replace(`:${admin.port}/`, `:${proxy.port}/`),
  }));
  const ask = (milliseconds: number) =>
    fetch(`${service.url}/api/sleep`, { headers: { ...asPeer, [timeLeftHeader]: String(milliseconds) } });
  const codeOf = async (asked: Promise<Response>) => {
    const answer = await asked;
    return [answer.status, answer.headers.get('retry-after'), ((await answer.json()) as { code: string }).code];
  };
  return { proxy, service, ask, codeOf };
}

describe('with a PostgreSQL that hangs', () => {
  test('[F06] requests get 503 when their time is over, the next ones at once, until it answers again', async () => {
    const { proxy, service, ask, codeOf } = await startedBehindProxy();
    await service.pool.query('select 1');
    const breaker = async () =>
      /breaker_state\{dependency="postgres".*\} (\d)/.exec(
        await (await fetch(`${service.url}/metrics`, { headers: asPeer })).text(),
      )?.[1];
    expect(await breaker()).toBe('0');
    proxy.freeze();
    expect(await codeOf(ask(300))).toEqual([503, '2', 'service/unavailable']);
    await expect.poll(breaker).toBe('2');
    // Who waited would wait for three seconds each.
    const refused = await Promise.all(Array.from({ length: 50 }, () => codeOf(ask(3_600_000))));
    expect(new Set(refused.map(String))).toEqual(new Set(['503,2,service/unanswered']));
    proxy.thaw();
    await expect.poll(breaker).toBe('0');
    await service.pool.query('select 1');
  });

  test('[F06] a statement ends with the time of its request, and what is only slow is asked on', async () => {
    const { service, ask, codeOf } = await startedBehindProxy();
    expect(await codeOf(ask(500))).toEqual([503, '2', 'service/unavailable']);
    const { rows } = await service.pool.query(
      "select from pg_stat_activity where datname = current_database() and query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()",
    );
    expect(rows).toEqual([]);
    expect(await codeOf(ask(0))).toEqual([503, '2', 'service/too-late']);
  });

  test('[F06] the queue before the pool is bounded', async () => {
    const { service, ask, codeOf } = await startedBehindProxy({ DATABASE_POOL_MAX: '2', DATABASE_QUEUE_MAX: '1' });
    const waiting = [ask(2_000), ask(2_000)];
    await expect.poll(() => service.pool.totalCount - service.pool.idleCount).toBe(2);
    waiting.push(ask(2_000));
    await expect.poll(() => service.pool.waitingCount).toBe(1);
    expect(await codeOf(ask(2_000))).toEqual([503, '2', 'service/too-busy']);
    await Promise.all(waiting);
  });
});

describe('without PostgreSQL', () => {
  test('[F06] requests get 503 with Retry-After, readiness names it, and all is well when it is back', async () => {
    const { proxy, service } = await startedBehindProxy();
    const sleeping = fetch(`${service.url}/api/sleep`);
    await expect.poll(() => service.pool.totalCount - service.pool.idleCount).toBeGreaterThan(0);

    await proxy.cut();
    for (const answer of [await sleeping, await fetch(`${service.url}/api/sleep`)]) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('2');
    }
    expect(await (await fetch(`${service.url}/health/ready`)).json()).toMatchObject({
      problems: { postgres: expect.any(String) },
    });

    await proxy.restore();
    const readiness = async () => (await fetch(`${service.url}/health/ready`)).json();
    await expect.poll(readiness).toEqual({ status: 'ready' });
  });
});

describe('the process', () => {
  function run(env: Record<string, string>): { child: ChildProcess; readOutput: () => string } {
    const child = spawn(process.execPath, ['--import', 'tsx', `${import.meta.dirname}/../testing/tiny-main.ts`], {
      env,
    });
    endings.push(async () => child.exitCode ?? child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    return { child, readOutput: () => output };
  }

  test('with missing variables ends with code 1 and names every one', async () => {
    const { child, readOutput } = run({ PORT: '0', SERVICE_NAME: 'activity' });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(readOutput()).toMatch(/DATABASE_URL: is missing[\s\S]*S3_SECRET_KEY: is missing/);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('serves, and ends in order with code 0 on %s', async (signal) => {
    const database = await createTestDatabase({ folders: [] });
    endings.push(() => database.drop());
    const { child, readOutput } = run({ ...testEnv('activity', database.url), LOG_LEVEL: 'info' });
    await expect.poll(readOutput).toContain('serving');
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(readOutput()).toContain(`"reason":"${signal}"`);
    expect(readOutput()).not.toContain('"level":"error"');
  });
});
