import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemSchema } from '@caravan/contracts/http/problem';
import { withSystem, withTenant } from '@caravan/event-store/postgres/connections';
import { z } from 'zod';
import { defineJob } from '../jobs/job.ts';
import { Jobs } from '../jobs/jobs.ts';
import { Log } from '../telemetry/log.ts';
import { credentialHeader } from './service-credential.ts';
import { asPeer, testCredential } from '../testing/peer.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { countTo, Seen, TinyModule } from '../testing/tiny-service.ts';
import { ownBackground } from '../testing/background.ts';

const seen = new Seen();
const id = '019c0000-0000-7000-8000-000000000001';
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ service: 'activity', module: (env) => TinyModule.forRoot(env, seen) });
});
afterAll(() => service.close());

const call = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init);

function send(path: string, body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return call(path, { method, body: text, headers: { 'content-type': 'application/json', ...asPeer, ...headers } });
}

/** Status and code of an error answer, after checking that it is a problem document. */
async function refusal(answer: Response): Promise<string> {
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  const problem = problemSchema.parse(await answer.json());
  expect(problem.status).toBe(answer.status);
  expect(problem.traceId).toMatch(/^[0-9a-f]{32}$/);
  return `${answer.status} ${problem.code}`;
}

describe('[D38] a body', () => {
  test('is parsed, unknown fields are ignored', async () => {
    const answer = await send('/api/notes', { text: 'hi', role: 'admin', orgId: 'x' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ note: { text: 'hi', tags: [] }, request: null });
  });

  test.each([
    ['that is not JSON', '{"text": ', {}, '400 request/not-json'],
    ['that is missing', '', {}, '400 request/not-json'],
    ['with a byte that is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, '400 request/malformed'],
    [
      'of a form',
      'text=hi',
      { 'content-type': 'application/x-www-form-urlencoded' },
      '415 request/unsupported-content-type',
    ],
    ['of plain text', '{"text":"hi"}', { 'content-type': 'text/plain' }, '415 request/unsupported-content-type'],
    ['of 101 KB', JSON.stringify({ text: 'x'.repeat(101 * 1024) }), {}, '413 request/too-large'],
    ['with a missing field', '{}', {}, '422 request/invalid'],
    ['that is an array', '[]', {}, '422 request/invalid'],
    ['that is null', 'null', {}, '422 request/invalid'],
    ['with a NUL character', '{"text":"\\u0000"}', {}, '422 request/invalid'],
    ['50,000 levels deep', '['.repeat(50_000), {}, '422 request/invalid'],
  ])('%s', async (_, body, headers, expected) => {
    const answer = await call('/api/notes', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...asPeer, ...headers },
    });
    expect(await refusal(answer)).toBe(expected);
  });

  test('that is invalid is answered with every wrong field and the first message', async () => {
    const answer = await send('/api/notes', { text: '', tags: [1] });
    expect(await answer.json()).toMatchObject({
      message: 'Text is required',
      code: 'request/invalid',
      errors: [{ path: 'text', message: 'Text is required' }, { path: 'tags.0' }],
    });
  });

  test('of just under 100 KB is taken, and a route may take more', async () => {
    expect((await send('/api/notes', { text: 'x'.repeat(100 * 1024 - 20) })).status).toBe(200);
    expect(await (await send('/api/setup', { text: 'x'.repeat(500 * 1024) }, {}, 'PUT')).json()).toEqual({
      length: 512_000,
    });
    expect(await refusal(await send('/api/setup', { text: 'x'.repeat(1025 * 1024) }, {}, 'PUT'))).toBe(
      '413 request/too-large',
    );
  });

  test('[S35] cannot reach a prototype', async () => {
    const answer = await send('/api/notes', '{"text":"hi","__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}');
    expect(await answer.json()).toEqual({ note: { text: 'hi', tags: [] }, request: null });
    expect(Reflect.get({}, 'a')).toBeUndefined();
  });
});

describe('[D4] a path', () => {
  test.each([
    ['nobody answers', 'GET', '/api/nothing', '404 request/not-found'],
    ['nobody answers, with a body of any type', 'POST', '/api/nothing', '404 request/not-found'],
    ['with an id that is no UUID', 'GET', '/api/notes/7', '404 request/not-found'],
    ['with broken escapes', 'GET', '/api/notes/%zz', '400 request/malformed'],
    ['asked with another method', 'DELETE', '/api/notes', '405 request/method-not-allowed'],
  ])('%s', async (_, method, path, expected) => {
    const answer = await call(path, { method, ...(method === 'POST' && { body: 'x' }) });
    expect(await refusal(answer)).toBe(expected);
    if (answer.status === 405) expect(answer.headers.get('allow')).toBe('POST');
  });

  test('a parameter given twice is refused, not guessed', async () => {
    expect(await refusal(await call(`/api/notes/${id}?q=a&q=b`))).toBe('422 request/invalid');
  });
});

test('[S37] an unexpected error shows neither SQL nor names', async () => {
  const answer = await call('/api/broken');
  const text = await answer.clone().text();
  expect(await refusal(answer)).toBe('500 service/internal');
  expect(text).not.toMatch(/secret_column|no_such_table|select|Error|at /);
});

describe('Idempotency-Key', () => {
  const post = (key: string, body: unknown) => send('/api/notes', body, { 'idempotency-key': key });

  test('[D38] the same key and body are recognised as one request, another body is told apart', async () => {
    const requests = await Promise.all(
      [post('k-1', { text: 'a' }), post('k-1', { text: 'a' }), post('k-1', { text: 'b' })].map(async (answer) => {
        const { request } = (await (await answer).json()) as {
          request: { key: string; owner: string; bodyHash: string };
        };
        return request;
      }),
    );
    expect(requests[0]).toEqual(requests[1]);
    expect(requests[0]).toMatchObject({
      key: 'k-1',
      owner: '127.0.0.1',
      bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(requests[2]?.bodyHash).not.toBe(requests[0]?.bodyHash);
  });

  test.each([[''], ['with space'], ['é'], ['x'.repeat(201)]])('[D38] %j is no key', async (key) => {
    expect(await refusal(await post(key, { text: 'a' }))).toBe('422 idempotency/bad-key');
  });

  test('[D38] 200 characters are', async () => {
    expect((await post('x'.repeat(200), { text: 'a' })).status).toBe(200);
  });
});

test('a request keeps the trace it came with, and its answer says how far the log is', async () => {
  const traceId = 'a1'.repeat(16);
  const read = await call(`/api/notes/${id}?q=x`, { headers: { traceparent: `00-${traceId}-${'b2'.repeat(8)}-00` } });
  expect(await read.json()).toEqual({ id, q: 'x', traceId });
  const written = await send('/api/notes', { text: 'hi' });
  expect(written.headers.get('x-event-position')).toBe('activity:7');
});

test('/metrics counts requests by route template, never by path', async () => {
  await call(`/api/notes/${id}`);
  const text = await (await call('/metrics', { headers: asPeer })).text();
  expect(text).toMatch(
    /caravan_http_request_duration_seconds_count\{[^}]*route="\/api\/notes\/:id"[^}]*status="200"[^}]*\} \d/,
  );
  expect(text).toContain('caravan_database_connections');
  expect(text).toContain('nodejs_eventloop_lag');
  expect(text).not.toContain(id);
});

describe('[S39] a stranger at the service’s own port', () => {
  const claims = { 'x-forwarded-for': '6.6.6.6', 'x-forwarded-proto': 'https', 'x-min-position': 'identity:9' };
  const wrong = [
    {},
    { [credentialHeader]: '' },
    { [credentialHeader]: `${testCredential}x` },
    { [credentialHeader]: `${testCredential}, ${testCredential}` },
    { authorization: `Bearer ${testCredential}x` },
  ];

  test.each(['/internal/who', '/metrics', '/metrics?x'])('is refused %s', async (path) => {
    for (const headers of wrong)
      for (const method of ['GET', 'HEAD']) {
        const answer = await call(path, { method, headers });
        expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([401, 'nosniff']);
      }
    expect(await refusal(await call(path))).toBe('401 auth/no-service-credential');
  });

  test('is not believed who the client is; who shows the credential is, and it goes no further', async () => {
    const seenBy = async (headers: Record<string, string>, path = '/api/who') =>
      (await (await call(path, { headers })).json()) as { ip: string; protocol: string; names: string[] };
    for (const headers of wrong) {
      const { ip, protocol, names } = await seenBy({ ...claims, ...headers });
      expect([ip, protocol]).toEqual(['127.0.0.1', 'http']);
      for (const name of [...Object.keys(claims), credentialHeader]) expect(names).not.toContain(name);
    }
    for (const path of ['/api/who', '/internal/who']) {
      const { ip, protocol, names } = await seenBy({ ...claims, ...asPeer }, path);
      expect([ip, protocol, names.includes('x-min-position')]).toEqual(['6.6.6.6', 'https', true]);
      expect(names).not.toContain(credentialHeader);
    }
  });

  test('with the credential as bearer token scrapes /metrics and nothing else', async () => {
    const headers = { authorization: `Bearer ${testCredential}` };
    expect((await call('/metrics', { headers })).status).toBe(200);
    expect((await call('/internal/who', { headers })).status).toBe(401);
  });
});

test('/health/ready says that all parts are ready', async () => {
  expect(await (await call('/health/ready')).json()).toEqual({ status: 'ready' });
  expect((await call('/health/live')).status).toBe(200);
});

describe('a job', () => {
  test('runs once per key and carries the trace of whoever enqueued it', async () => {
    const traceId = 'c3'.repeat(16);
    const traceparent = `00-${traceId}-${'b2'.repeat(8)}-00`;
    seen.jobs.length = 0;
    for (let times = 0; times < 3; times += 1)
      expect((await send('/api/jobs/a:1', { to: 5 }, { traceparent })).status).toBe(201);
    await expect.poll(() => seen.jobs.length).toBe(1);
    await send('/api/jobs/last', { to: 6 }, { traceparent });
    await expect.poll(() => seen.jobs.length).toBe(2);
    expect(seen.jobs).toEqual([
      { to: 5, traceId },
      { to: 6, traceId },
    ]);
  });

  test('that gave up runs again when it is asked for again', async () => {
    seen.jobs.length = 0;
    seen.failures = countTo.attempts;
    await send('/api/jobs/hopeless', { to: 8 });
    await expect.poll(() => seen.failures).toBe(0);
    await expect
      .poll(async () => {
        await send('/api/jobs/hopeless', { to: 8 });
        return seen.jobs.length;
      })
      .toBe(1);
  });

  test('that is scheduled runs again and again; saying so twice changes nothing', async () => {
    seen.jobs.length = 0;
    const jobs = service.app.get(Jobs);
    await jobs.schedule(countTo, { to: 9 }, { everySeconds: 1 });
    await jobs.schedule(countTo, { to: 9 }, { everySeconds: 1 });
    await expect.poll(() => seen.jobs.filter(({ to }) => to === 9).length).toBeGreaterThan(1);
  });

  test('that is one of many scheduled at the start waits for Redis together with the others: nobody warns of a leak', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    const { REDIS_URL: url, REDIS_PREFIX: prefix } = service.env;
    const jobs = new Jobs(
      { url, prefix, name: 'many-jobs' },
      { log: service.app.get(Log), background: ownBackground() },
    );
    const many = Array.from({ length: 12 }, (_, nth) =>
      defineJob({ ...countTo, name: `tiny.scheduled-${nth}`, remadeBy: null }),
    );
    await Promise.all(many.map((job) => jobs.schedule(job, { to: 1 }, { everySeconds: 3_600 })));
    await jobs.close();
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('that says how often runs by itself once it is worked on', async () => {
    let runs = 0;
    const tick = defineJob({ name: 'tiny.tick', data: z.object({}), everySeconds: 1 });
    await service.app.get(Jobs).work(tick, () => Promise.resolve(void (runs += 1)));
    await expect.poll(() => runs).toBeGreaterThan(1);
  });

  test('that fails is tried again', async () => {
    seen.jobs.length = 0;
    seen.failures = 2;
    await send('/api/jobs/stubborn', { to: 7 });
    await expect.poll(() => seen.jobs).toEqual([{ to: 7, traceId: expect.any(String) }]);
  });
});

test('[G13] answers to repeated requests are forgotten by the service itself after two days, not by requests', async () => {
  await withSystem(service.pool, (tx) =>
    tx.query(
      `insert into es.requests (org_id, owner, key, body_hash, answered_at)
       select $1, 'ada', days::text, 'x', now() - days * interval '1 day' from unnest(array[1, 3]) days`,
      [id],
    ),
  );
  await expect
    .poll(
      async () =>
        (await withTenant(service.pool, id, (tx) => tx.query<{ key: string }>('select key from es.requests'))).rows,
    )
    .toEqual([{ key: '1' }]);
});
