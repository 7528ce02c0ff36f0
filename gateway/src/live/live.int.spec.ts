import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RedisSessionBoard } from '@caravan/auth/session-board';
import { closeRedis, createRedis, createSubscriber } from '@caravan/service-kit/redis';
import { startTracing } from '@caravan/service-kit/tracing';
import { testServers } from '@caravan/service-kit/testing/servers';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';
import { EventStream } from './event-stream.ts';
import { streamsPerSession } from './places.ts';

let under: GatewayUnderTest;
let redis: ReturnType<typeof createRedis>;
let subscriber: ReturnType<typeof createSubscriber>;
/** Answers that the service behind the gateway has not given yet. */
const held: (() => void)[] = [];

const start = () =>
  startGatewayUnderTest(
    ({ url }, response) => {
      const answer = () =>
        response.writeHead(url.includes('fail') ? 500 : 200, { 'content-type': 'application/json' }).end('{}');
      if (url.includes('hold')) held.push(answer);
      else answer();
    },
    {},
    20,
  );

beforeAll(async () => {
  under = await start();
  const settings = { url: testServers().redis, prefix: under.prefix, name: 'test' };
  [redis, subscriber] = [createRedis(settings), createSubscriber(settings)];
});
afterAll(async () => {
  await under.close();
  await Promise.all([closeRedis(redis), closeRedis(subscriber)]);
});

/** Opens a page; `text` is what it has heard, `ended` whether its stream is over. */
async function openPage(as: string, gateway = under) {
  const page = { text: '', ended: false };
  const answer = await gateway.call('/api/events', { as });
  void (async () => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) page.text += chunk;
    page.ended = true;
  })();
  await expect.poll(() => page.text).toContain(': open');
  return page;
}

const someone = () => {
  const [sub, sid] = [crypto.randomUUID(), crypto.randomUUID()];
  return { sub, sid, token: under.tokenFor({ sub, sid }) };
};

describe('an open page', () => {
  test('[D31] ends without the announcement of its session’s end, which may be lost', async () => {
    const { sid, token } = someone();
    const page = await openPage(await token);
    const other = await openPage(await someone().token);
    await expect.poll(() => page.text).toContain(': still here');
    await redis.set(`sid:${sid}`, 'ended');
    await expect.poll(() => page.ended).toBe(true);
    expect(other.ended).toBe(false);
  });

  test('[F05] stays while nobody can tell whether its session lives', async () => {
    const { sid, token } = someone();
    under.silent.add(sid);
    await redis.set(`sid:${sid}`, 'live');
    const page = await openPage(await token);
    await redis.del(`sid:${sid}`);
    await expect.poll(() => under.asked.filter((asked) => asked === sid).length).toBeGreaterThan(1);
    expect(page.ended).toBe(false);
  });

  test('[D38] that is one too many of its session takes the place of the oldest, which is told and ends', async () => {
    const { token } = someone();
    const pages: Awaited<ReturnType<typeof openPage>>[] = [];
    for (let page = 0; page <= streamsPerSession; page += 1) pages.push(await openPage(await token));
    await expect.poll(() => pages.map(({ ended }) => ended)).toEqual([true, ...pages.slice(1).map(() => false)]);
    expect(pages[0]?.text).toMatch(/data: \{"kinds":\[\],"ended":"replaced"\}\n\n$/);
    expect(pages[1]?.text).not.toContain('ended');
  });

  test('[D35] is not harmed, nor is anybody, by what is no announcement', async () => {
    const { token } = someone();
    const page = await openPage(await token);
    const tell = (text: string) => redis.publish(`${under.prefix}live:${String(under.claims.org)}`, text);
    for (const text of ['{', '', 'null', '7', '{"kinds":["nothing"]}', '{"kinds":[],"ended":"replaced"}'])
      await tell(text);
    await expect.poll(async () => tell('{"kinds":["board"]}').then(() => page.text)).toContain('"board"');
    expect([page.ended, page.text.includes('replaced')]).toEqual([false, false]);
  });

  test('[D31] whose session ends in the moment something is told hears nothing more', async () => {
    const { sid, token } = someone();
    const pages = [await openPage(await token), await openPage(await token)];
    const tell = () => redis.publish(`${under.prefix}live:${String(under.claims.org)}`, '{"kinds":["feed"]}');
    await Promise.all([tell(), new RedisSessionBoard(redis, subscriber).putEnded([sid]), tell(), tell()]);
    await expect.poll(() => pages.every(({ ended }) => ended)).toBe(true);
    expect((await under.call('/api/me')).status).toBe(200);
  });
});

test('[D35] what is sent to a page after its stream ended is lost, and ends nothing else', async () => {
  const server = createServer((_request, response) => {
    const page = new EventStream(response, {}, 'Infinity');
    page.send({ kinds: ['board'] });
    page.close('replaced');
    page.send({ kinds: ['feed'] });
    page.beat();
    page.close('stopping');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const text = await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text();
  server.close();
  const frames = text.split('\n\n').filter((frame) => frame.startsWith('id:'));
  expect(frames).toEqual(['id: 1\ndata: {"kinds":["board"]}', 'id: 2\ndata: {"kinds":[],"ended":"replaced"}']);
});

test('[S38] a request is one step of its trace, closed with its status, also when it failed or was refused', async () => {
  const spans: ReadableSpan[] = [];
  const exporter = {
    export: (batch: ReadableSpan[], done: (result: { code: number }) => void) => {
      spans.push(...batch);
      done({ code: 0 });
    },
    shutdown: () => Promise.resolve(),
  };
  const tracing = await startTracing('gateway', undefined, exporter);
  await under.call('/api/me');
  await under.call('/api/feed/all?fail');
  await fetch(`${under.gateway.url}/api/logs`);
  await tracing.close();
  expect(
    spans.map(({ name, attributes, status: { code } }) => [name, attributes['http.response.status_code'], code]),
  ).toEqual([
    ['GET /api/me', 200, 0],
    ['GET /api/feed/*', 500, 2],
    ['GET /api/logs', 401, 0],
  ]);
});

test('[F01] a gateway that stops tells its pages when to come back and finishes what it has begun', async () => {
  const stopping = await start();
  const page = await openPage(await stopping.tokenFor({}), stopping);
  const inFlight = stopping.call('/api/feed/all?hold');
  await expect.poll(() => held.length).toBe(1);
  const closing = stopping.gateway.close();
  await expect.poll(() => page.ended).toBe(true);
  expect(page.text).toMatch(/retry: \d+\nid: 1\ndata: \{"kinds":\[\],"ended":"stopping"\}\n\n$/);
  await expect(fetch(`${stopping.gateway.url}/api/me`)).rejects.toThrow();
  held.pop()?.();
  expect((await inFlight).status).toBe(200);
  await closing;
});
