import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { RedisSessionCache } from '@caravan/auth/session-cache';
import { forgedTokens, testClaims } from '@caravan/auth/testing/tokens';
import { closeRedis, createRedis, createSubscriber } from '@caravan/service-kit/storage/redis';
import { credentialHeader, timeLeftHeader } from '@caravan/service-kit/http/service-credential';
import { ownBackground } from '@caravan/service-kit/testing/background';
import { testCredential } from '@caravan/service-kit/testing/peer';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, type Seen, startGatewayUnderTest } from '../../testing/gateway.ts';
import { marginMilliseconds, ordinaryMilliseconds } from './budgets.ts';

const unansweredDetail = 'This part of Caravan does not answer right now. Please try again in a few seconds.';
let under: GatewayUnderTest;
let redis: ReturnType<typeof createRedis>;
let subscriber: ReturnType<typeof createSubscriber>;

/** Whether the services behind the gateway say nothing at all. */
let isFrozen = false;

/** The service behind the gateway. */
function answer({ url }: Seen, response: ServerResponse, seen: readonly Seen[]): void {
  if (isFrozen || url.includes('hang')) return;
  if (url.includes('drop=always') || (url.includes('drop=once') && seen.length === 1)) {
    response.destroy();
    return;
  }
  response.setHeader(credentialHeader, testCredential);
  if (url.startsWith('/api/log')) response.setHeader('x-event-position', 'activity:41');
  if (url.startsWith('/api/signup'))
    response.setHeader('x-event-position', 'identity:7').setHeader('x-event-subject', String(under.claims.sub));
  if (url.startsWith('/api/members'))
    response.setHeader('x-event-position', 'identity:9').setHeader('x-event-concerns', String(under.claims.sub));
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ text: 'x'.repeat(url.includes('long') ? 5000 : 5) }));
}

beforeAll(async () => {
  under = await startGatewayUnderTest(answer);
  const settings = { url: testServers().redis, prefix: under.prefix, name: 'test' };
  [redis, subscriber] = [createRedis(settings), createSubscriber({ ...settings, background: ownBackground() })];
});

beforeEach(() => void (under.seen.length = 0));

afterAll(async () => {
  await under.close();
  await Promise.all([closeRedis(redis), closeRedis(subscriber)]);
});

const call: GatewayUnderTest['call'] = (path, options) => under.call(path, options);

describe('the gateway', () => {
  test('[6.3] a request without a valid token is refused before any service hears of it', async () => {
    const answer = await fetch(`${under.gateway.url}/api/me`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(await answer.json()).toMatchObject({ status: 401, message: expect.stringContaining('sign in') as string });
    for (const [title, forged] of Object.entries(await forgedTokens(under.key)))
      expect([title, (await call('/api/me', { as: forged })).status]).toEqual([title, 401]);
    expect(under.seen).toEqual([]);
  });

  test('nobody outside can speak as somebody else: internal headers are dropped, the bearer goes on', async () => {
    await call('/api/me', {
      headers: {
        'x-user-id': 'admin',
        'x-min-position': 'activity:9',
        'x-event-subject': 'x',
        'x-forwarded-for': '6.6.6.6',
      },
    });
    expect(under.seen[0]?.headers).toMatchObject({
      authorization: expect.stringMatching(/^Bearer ey/) as string,
      'x-forwarded-for': '127.0.0.1',
    });
    expect(under.seen[0]?.headers['x-user-id']).toBeUndefined();
    expect(under.seen[0]?.headers['x-min-position']).toBeUndefined();
    expect(under.seen[0]?.headers['x-event-subject']).toBeUndefined();
    expect(under.seen[0]?.headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
  });

  test('[S39] services hear the credential from the gateway alone, and nobody outside hears it', async () => {
    const answer = await call('/api/me', { headers: { [credentialHeader]: 'guessed' } });
    expect(under.seen[0]?.headers[credentialHeader]).toBe(testCredential);
    expect(answer.headers.get(credentialHeader)).toBeNull();
    expect(JSON.stringify([...answer.headers])).not.toContain(testCredential);
  });

  test('[S39] what a member wrote is asked of every service that the member reads from next, and its position stays inside', async () => {
    const written = await call('/api/log', {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
    expect([written.status, written.headers.get('x-event-position')]).toEqual([200, null]);
    await call('/api/leaderboard');
    expect(under.seen.map(({ method, body, headers }) => [method, body, headers['x-min-position']])).toEqual([
      ['POST', '{"a":1}', undefined],
      ['GET', '', 'activity:41'],
    ]);
  });

  test('[D34] what a mail program posts to the page of a mail’s link reaches identity; people who open it get the page', async () => {
    const path = '/unsubscribe?token=a_b-c.d';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const posted = { method: 'POST', body: 'List-Unsubscribe=One-Click', headers };
    expect((await fetch(`${under.gateway.url}${path}`, posted)).status).toBe(200);
    expect(under.seen).toMatchObject([{ ...posted, url: `/api${path}` }]);
    const page = await fetch(`${under.gateway.url}${path}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    for (const other of ['/unsubscribe', '/unsubscribers?token=x', '/settings?token=x'])
      expect([other, (await fetch(`${under.gateway.url}${other}`, posted)).status]).toEqual([other, 404]);
    expect(under.seen).toHaveLength(1);
  });

  test('a sign-up is remembered for the person it created, whose id stays inside', async () => {
    const signup = await fetch(`${under.gateway.url}/api/signup`, { method: 'POST', body: '{}' });
    expect([signup.status, signup.headers.get('x-event-subject')]).toEqual([200, null]);
    await call('/api/me');
    expect(under.seen[1]?.headers['x-min-position']).toContain('identity:7');
  });

  test('[D2] a change of a member by an admin is remembered for that member, whose next log waits for it', async () => {
    const authorization = `Bearer ${await under.tokenFor(testClaims({ role: 'admin' }))}`;
    const path = `/api/members/${String(under.claims.sub)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const moved = await fetch(`${under.gateway.url}${path}`, { method: 'PATCH', body: '{}', headers });
    expect([moved.status, moved.headers.get('x-event-concerns')]).toEqual([200, null]);
    await call('/api/log', { method: 'POST', body: '{}' });
    expect(under.seen[1]?.headers['x-min-position']).toContain('identity:9');
  });

  test('[S09] cookies go where they are needed: the refresh cookie to refresh and logout, others nowhere', async () => {
    const headers = { cookie: 'rt=org.secret; theme=dark; rt2=x' };
    for (const path of ['/api/auth/refresh', '/api/logout', '/api/login', '/api/signup'])
      await call(path, { method: 'POST', body: '{}', headers });
    for (const path of ['/api/me', '/api/logs', '/api/leaderboard', '/api/auth/refresh']) await call(path, { headers });
    expect(under.seen.map(({ method, url, headers: { cookie } }) => [method, url, cookie])).toEqual([
      ['POST', '/api/auth/refresh', 'rt=org.secret'],
      ['POST', '/api/logout', 'rt=org.secret'],
      ['POST', '/api/login', undefined],
      ['POST', '/api/signup', undefined],
      ['GET', '/api/me', undefined],
      ['GET', '/api/logs', undefined],
      ['GET', '/api/leaderboard', undefined],
      ['GET', '/api/auth/refresh', undefined],
    ]);
  });
});

describe('the proxy', () => {
  test('a read whose connection broke is sent again; a write is not, since it may have happened', async () => {
    expect((await call('/api/feed/all?drop=once')).status).toBe(200);
    expect(under.seen).toHaveLength(2);
    under.seen.length = 0;
    const write = await call('/api/log?drop=always', { method: 'POST', body: '{}' });
    expect([write.status, write.headers.get('retry-after'), under.seen.length]).toEqual([503, '1', 1]);
    expect(await write.json()).toMatchObject({ code: 'service/unavailable' });
  });

  test('[D38] a write with a key whose connection broke is sent again, where the service knows keys', async () => {
    const headers = { 'idempotency-key': 'one' };
    const write = (path: string) => call(path, { method: 'POST', body: '{}', headers });
    expect([(await write('/api/log?drop=once')).status, under.seen.length]).toEqual([200, 2]);
    expect(under.seen.map((request) => request.headers['idempotency-key'])).toEqual(['one', 'one']);
    under.seen.length = 0;
    expect([(await write('/api/notifications/read?drop=once')).status, under.seen.length]).toEqual([503, 1]);
    under.seen.length = 0;
    expect([(await write('/api/log?drop=always')).status, under.seen.length]).toEqual([503, 3]);
  });

  test('a service that is away is answered for with 503', async () => {
    const answer = await call('/api/fitness/status');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  });

  test('[S42] says to a service how long it will wait, and lets nobody outside say so', async () => {
    await call('/api/me', { headers: { [timeLeftHeader]: '3600000' } });
    const left = Number(under.seen[0]?.headers[timeLeftHeader]);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(ordinaryMilliseconds - marginMilliseconds);
    under.seen.length = 0;
    await call('/api/login', { method: 'POST', body: '{}' });
    expect(Number(under.seen[0]?.headers[timeLeftHeader])).toBeGreaterThan(ordinaryMilliseconds);
  });

  test('[S42] of a service that is only slow it gives up one answer and asks for others', async () => {
    const [slow, write] = await Promise.all([
      call('/api/feed/all?hang'),
      call('/api/log?hang', { method: 'POST', body: '{}' }),
    ]);
    for (const refused of [slow, write]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await refused.json()).toMatchObject({ code: 'service/unanswered', detail: unansweredDetail });
    }
    expect([(await call('/api/feed/all')).status, (await call('/api/logs')).status]).toEqual([200, 200]);
  });

  test('[S42] for a service that hangs the first wait, the next are refused at once, until it says that it lives', async () => {
    isFrozen = true;
    // A sign-up may take half a minute, but not that of a service that hangs.
    const first = [call('/api/feed/all'), call('/api/signup', { method: 'POST', body: '{}' })];
    for (const asked of first) expect((await asked).status).toBe(503);
    under.seen.length = 0;
    const next = await Promise.all(Array.from({ length: 50 }, () => call('/api/feed/all')));
    expect(new Set(next.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`))).toEqual(
      new Set(['503 2']),
    );
    expect(under.seen.filter(({ url }) => url !== '/health/live')).toEqual([]);
    isFrozen = false;
    // Polled with another account, whose limit of 100 requests a minute allows one every half second.
    const as = await under.tokenFor(testClaims());
    await expect.poll(async () => (await call('/api/feed/all', { as })).status, { interval: 500 }).toBe(200);
  });

  test('a body over a megabyte is refused, an unknown path of the API does not exist', async () => {
    const answer = await call('/api/log', { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) });
    expect(answer.status).toBe(413);
    expect((await call('/api/nothing-here')).status).toBe(404);
    expect((await call('/internal/sessions/x')).status).not.toBe(502);
    expect(under.seen).toEqual([]);
  });

  test('[S24] who is still sending what is refused for its size sees the answer, and is answered again on the connection', async () => {
    const { hostname, port } = new URL(under.gateway.url);
    const socket = connect(Number(port), hostname);
    let heard = '';
    socket.setEncoding('latin1').on('data', (text: string) => (heard += text));
    const bytes = 4 * 1024 * 1024;
    const bearer = `authorization: Bearer ${await under.tokenFor({})}`;
    socket.write(`POST /api/log HTTP/1.1\r\nhost: ${hostname}\r\n${bearer}\r\ncontent-length: ${bytes}\r\n\r\n`);
    await expect.poll(() => heard).toContain('413');
    socket.write('x'.repeat(bytes));
    socket.write(`GET /api/nothing-here HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
    await expect.poll(() => heard).toContain('404');
    socket.destroy();
  });

  test('long answers and the description of the API are compressed for those who take it', async () => {
    const long = await call('/api/feed/all?long', { headers: { 'accept-encoding': 'gzip' } });
    expect([long.headers.get('content-encoding'), ((await long.json()) as { text: string }).text.length]).toEqual([
      'gzip',
      5000,
    ]);
    expect(
      (await call('/api/feed/all', { headers: { 'accept-encoding': 'gzip' } })).headers.get('content-encoding'),
    ).toBeNull();
    const [small, plain] = await Promise.all(
      ['gzip', 'identity'].map((encoding) => call('/api/openapi.json', { headers: { 'accept-encoding': encoding } })),
    );
    expect([small, plain].map((each) => each?.headers.get('content-encoding'))).toEqual(['gzip', null]);
    expect(await small?.json()).toEqual(await plain?.json());
  });
});

describe('what the browser gets', () => {
  test('every answer carries the security headers, the page and the API alike', async () => {
    for (const path of ['/', '/leaderboard', '/api/me', '/api/nothing-here', '/api/openapi.json']) {
      const { headers } = await call(path);
      expect(headers.get('content-security-policy')).toContain(
        path.startsWith('/api/') ? "default-src 'none'" : "script-src 'self' 'sha256-abc'",
      );
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('[D44] any path that is no file answers the page, whose router knows what to show', async () => {
    const page = await call('/no/such/screen');
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(await page.text()).toContain('<title>Caravan</title>');
    expect((await call('/assets/missing.js')).status).toBe(404);
  });

  test('[D35] an open page hears of a change of its organisation or its reader, and of no other', async () => {
    const page = await call('/api/events');
    const reader = page.body?.pipeThrough(new TextDecoderStream()).getReader();
    const heard: string[] = [];
    void (async () => {
      for (;;) {
        const next = await reader?.read();
        if (!next || next.done) return;
        heard.push(next.value);
      }
    })();
    const tell = (orgId: string, announcement: object) =>
      redis.publish(`${under.prefix}live:${orgId}`, JSON.stringify(announcement));
    await expect.poll(() => heard.join('')).toContain(': open');
    await tell(randomUUID(), { kinds: ['feed'] });
    await expect
      .poll(async () => {
        await tell(String(under.claims.org), { kinds: [], persons: { [randomUUID()]: ['logs'] } });
        await tell(String(under.claims.org), { kinds: ['board'], persons: { [String(under.claims.sub)]: ['me'] } });
        return heard.join('');
      })
      .toContain('data: {"kinds":["board","me"]}');
    expect(heard.join('')).not.toMatch(/feed|logs|persons/);
    await reader?.cancel();
  });

  test('[D31] a token is refused and its open page closed the moment its session ends', async () => {
    const ending = testClaims();
    const its = await under.tokenFor(ending);
    expect((await call('/api/me', { as: its })).status).toBe(200);
    const page = await call('/api/events', { as: its });
    await new RedisSessionCache(redis, subscriber).putEnded([String(ending.sid)]);
    await expect.poll(async () => (await call('/api/me', { as: its })).status).toBe(401);
    await expect(page.text()).resolves.toContain(': open');
  });

  test('[S25] one account cannot ask without end; another is not affected', async () => {
    const busy = await under.tokenFor(testClaims());
    const answers = await Promise.all(Array.from({ length: 120 }, () => call('/api/me', { as: busy })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    const seconds = Number(refused[0]?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    const message = `Too many requests at once. Please wait ${seconds} seconds and try again.`;
    expect(await refused[0]?.json()).toMatchObject({ code: 'request/too-many', message });
    const another = await under.tokenFor(testClaims());
    // A busy machine may not check a session in time; a limit would refuse for a minute.
    await expect.poll(async () => (await call('/api/me', { as: another })).status).toBe(200);
  });
});
