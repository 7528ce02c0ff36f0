import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { RedisSessionCache } from '@caravan/auth/session-cache';
import { testClaims } from '@caravan/auth/testing/tokens';
import { type LiveKind, liveKinds } from '@caravan/contracts/http/live';
import { Live } from '@caravan/service-kit/live/live';
import { createLog } from '@caravan/service-kit/telemetry/log';
import { closeRedis, createRedis, createSubscriber } from '@caravan/service-kit/storage/redis';
import { startTracing } from '@caravan/service-kit/telemetry/tracing';
import { ownBackground } from '@caravan/service-kit/testing/background';
import { testServers } from '@caravan/service-kit/testing/servers';
import { startTcpProxy } from '@caravan/service-kit/testing/tcp-proxy';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';
import type { GatewayEnv } from '../env.ts';
import { startGateway } from '../start.ts';
import { EventStream } from './event-stream.ts';
import { streamsPerSession } from './stream-slots.ts';

let under: GatewayUnderTest;
let redis: ReturnType<typeof createRedis>;
let subscriber: ReturnType<typeof createSubscriber>;
/** Answers that the service behind the gateway has not given yet. */
const held: (() => void)[] = [];

const start = (differing: Partial<GatewayEnv> = {}) =>
  startGatewayUnderTest(
    ({ url, method }, response) => {
      if (method === 'POST') response.setHeader('x-event-position', 'activity:41');
      const answer = () =>
        response.writeHead(url.includes('fail') ? 500 : 200, { 'content-type': 'application/json' }).end('{}');
      if (url.includes('hold')) held.push(answer);
      else answer();
    },
    differing,
    20,
  );

beforeAll(async () => {
  under = await start();
  const settings = { url: testServers().redis, prefix: under.prefix, name: 'test' };
  [redis, subscriber] = [createRedis(settings), createSubscriber({ ...settings, background: ownBackground() })];
});
afterAll(async () => {
  await under.close();
  await Promise.all([closeRedis(redis), closeRedis(subscriber)]);
});

/** Opens a page; `text` is what it has heard, `ended` whether its stream is over. */
async function openPage(as: string, gateway = under, path = '/api/events') {
  const page = { text: '', ended: false };
  const answer = await gateway.call(path, { as });
  void (async () => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) page.text += chunk;
    page.ended = true;
  })();
  await expect.poll(() => page.text).toContain(': open');
  return page;
}

const someone = () => {
  const sub = randomUUID();
  const sid = randomUUID();
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
    await Promise.all([tell(), new RedisSessionCache(redis, subscriber).putEnded([sid]), tell(), tell()]);
    await expect.poll(() => pages.every(({ ended }) => ended)).toBe(true);
    expect((await under.call('/api/me')).status).toBe(200);
  });
});

test('[D35] what a service told just before a page listened for the first time that page hears, as far as it is meant for it', async () => {
  const { sub, token } = someone();
  const live = new Live(redis, createLog({ service: 'test', level: 'silent' }), ownBackground());
  const orgId = String(under.claims.org);
  const earlier = await openPage(await someone().token, under, '/api/events?shows=');
  live.publish(orgId, ['journey']);
  live.publish(orgId, ['badges'], { to: sub });
  live.publish(orgId, ['logs'], { to: randomUUID() });
  await expect.poll(() => earlier.text).toContain('"journey"');
  await expect.poll(() => redis.zcard(`live-recent:${orgId}`)).toBeGreaterThanOrEqual(3);
  expect(earlier.text).not.toContain('missed');

  const page = await openPage(await token, under, '/api/events?shows=&first=');
  await expect.poll(() => page.text).toMatch(/"own":\["badges"\],"missed":\d+\}/);
  expect(page.text).toMatch(/\{"kinds":\["journey"\],"missed":\d+\}/);
  expect(page.text).not.toContain('logs');
});

test('[S18 F05] after Redis was away or hung, open pages are told that anything may have changed, and hear news again', async () => {
  const url = new URL(testServers().redis);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const behind = await start({ REDIS_URL: url.href });
  const settings = { url: testServers().redis, prefix: behind.prefix, name: 'test' };
  const direct = createRedis(settings);
  const page = await openPage(await behind.tokenFor({ role: 'admin' }), behind, '/api/events?shows=stats');
  const tell = (kind: LiveKind) =>
    direct.publish(`${behind.prefix}live:${String(behind.claims.org)}`, JSON.stringify({ kinds: [kind] }));
  const notedPages = () => direct.hvals(`pages:${String(behind.claims.org)}`);
  await expect.poll(() => tell('feed').then(() => page.text)).toContain('"kinds":["feed"]');
  await expect.poll(notedPages).toHaveLength(1);
  const everything = JSON.stringify({ kinds: liveKinds });
  expect(page.text).not.toContain(everything);

  await proxy.cut();
  // Nobody hears it, and Redis has forgotten who shows what.
  await tell('badges');
  await direct.del(`pages:${String(behind.claims.org)}`);
  await proxy.restore();
  await expect.poll(() => page.text).toContain(everything);
  await expect.poll(() => tell('journey').then(() => page.text)).toContain('"kinds":["journey"]');
  await expect.poll(notedPages).toHaveLength(1);
  expect([page.text.includes('"kinds":["badges"]'), page.ended]).toEqual([false, false]);

  proxy.freeze();
  await tell('teams');
  proxy.thaw();
  await expect.poll(() => page.text).toContain('"kinds":["teams"]');
  await behind.close();
  await Promise.all([closeRedis(direct), proxy.close()]);
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

test('[F01 S18] a gateway that stops tells each of its pages another time to come back and finishes what it has begun', async () => {
  const stopping = await start();
  const page = await openPage(await stopping.tokenFor({}), stopping);
  const others = await Promise.all(
    Array.from({ length: 10 }, async () => openPage(await stopping.tokenFor(testClaims()), stopping)),
  );
  const inFlight = stopping.call('/api/feed/all?hold');
  await expect.poll(() => held.length).toBe(1);
  const closing = stopping.gateway.close();
  await expect.poll(() => page.ended).toBe(true);
  expect(page.text).toMatch(/retry: \d+\nid: 1\ndata: \{"kinds":\[\],"ended":"stopping"\}\n\n$/);
  await expect.poll(() => others.every(({ ended }) => ended)).toBe(true);
  const comeBackAfter = others.map(({ text }) => Number(text.match(/retry: (\d+)\nid/)?.[1]));
  expect(new Set(comeBackAfter).size).toBeGreaterThan(5);
  for (const milliseconds of comeBackAfter) expect(milliseconds).toBeLessThanOrEqual(5_000);
  await expect(fetch(`${stopping.gateway.url}/api/me`)).rejects.toThrow();
  held.pop()?.();
  expect((await inFlight).status).toBe(200);
  await closing;
});

test('[S39] what a member wrote by one gateway is asked for by the others; one that is alone tells nobody, and who comes later knows', async () => {
  const told: string[] = [];
  const own = await start();
  const settings = { url: testServers().redis, prefix: own.prefix, name: 'test' };
  const commands = createRedis(settings);
  const listener = createSubscriber({ ...settings, background: ownBackground() });
  const channel = `${own.prefix}positions`;
  // Not by its name: who listens so is counted among gateways.
  listener.on('pmessage', (_pattern: string, _channel: string, message: string) => void told.push(message));
  await listener.psubscribe(`${channel}*`);
  const write = (by: GatewayUnderTest['gateway'], as: string) =>
    fetch(`${by.url}/api/log`, { method: 'POST', body: '{}', headers: { authorization: `Bearer ${as}` } });
  const askedBy = async (gateway: GatewayUnderTest['gateway'], as: string) => {
    await (await fetch(`${gateway.url}/api/miles`, { headers: { authorization: `Bearer ${as}` } })).text();
    return own.seen.at(-1)?.headers['x-min-position'];
  };
  const member = async () => {
    const sub = randomUUID();
    return { sub, token: await own.tokenFor({ sub, sid: randomUUID() }) };
  };
  const isTold = (sub: string) => told.some((message) => message.includes(sub));

  // Alone: nobody is told as soon as Redis has said that nobody else listens.
  await expect
    .poll(async () => {
      const { sub, token } = await member();
      await write(own.gateway, token);
      await commands.publish(channel, `${sub} after`);
      await expect.poll(() => told.includes(`${sub} after`)).toBe(true);
      return told.filter((message) => message.includes(sub)).length;
    })
    .toBe(1);
  const early = await member();
  await write(own.gateway, early.token);
  expect(isTold(early.sub)).toBe(false);

  const before = told.length;
  const other = await startGateway(own.env);
  await expect.poll(async () => (await commands.pubsub('NUMSUB', channel))[1]).toBe(2);
  await expect.poll(() => told.slice(before).some((message) => message.startsWith('hello '))).toBe(true);
  await expect.poll(() => askedBy(other, early.token), { interval: 500 }).toBe('activity:41');
  for (const [writing, reading] of [
    [own.gateway, other],
    [other, own.gateway],
  ] as const) {
    const { sub, token } = await member();
    await write(writing, token);
    await expect.poll(() => isTold(sub)).toBe(true);
    await expect.poll(() => askedBy(reading, token)).toBe('activity:41');
  }

  await other.close();
  await own.close();
  await Promise.all([closeRedis(commands), closeRedis(listener)]);
});
