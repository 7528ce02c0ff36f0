import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Log } from '../telemetry/log.ts';
import { securityHeaders } from './security-headers.ts';
import { hearLog } from '../testing/heard-log.ts';
import { asPeer } from '../testing/peer.ts';
import { askRaw, openRaw, type RawAnswer } from '../testing/raw-http.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { Seen, TinyModule } from '../testing/tiny-service.ts';

const id = '019c0000-0000-7000-8000-000000000001';
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ service: 'activity', module: (env) => TinyModule.forRoot(env, new Seen()) });
});
afterAll(() => service.close());

const call = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init);

function send(path: string, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return call(path, { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...asPeer } });
}

describe('an answer of a service', () => {
  const raw = (request: string) => askRaw(service.url, request);
  const kinds: Readonly<Record<string, [status: number, ask: () => Promise<Response | RawAnswer>]>> = {
    'a read': [200, () => call(`/api/notes/${id}`)],
    'a write': [200, () => send('/api/notes', { text: 'hi' })],
    liveness: [200, () => call('/health/live')],
    readiness: [200, () => call('/health/ready')],
    figures: [200, () => call('/metrics', { headers: asPeer })],
    'refused figures': [401, () => call('/metrics')],
    'an unknown path': [404, () => call('/api/nothing')],
    'another method': [405, () => call('/api/notes', { method: 'DELETE' })],
    'a broken address': [400, () => call('/api/notes/%zz')],
    'a body that is too large': [413, () => send('/api/notes', { text: 'x'.repeat(101 * 1024) })],
    'an unexpected error': [500, () => call('/api/broken')],
    'what is no HTTP': [400, () => raw('HELLO\r\n\r\n')],
    'no host': [400, () => raw('GET /health/live HTTP/1.1\r\n\r\n')],
    'headers that are too large': [431, () => raw(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)],
    'an expectation': [417, () => raw('GET / HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\n\r\n')],
  };

  test.each(Object.entries(kinds))('[S11] carries the security headers: %s', async (_, [status, ask]) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...securityHeaders, 'cache-control': 'no-store' });
    if (status >= 400) expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });
});

describe('[S24] the body of a stranger at the service’s own port', () => {
  const large = JSON.stringify({ text: 'x'.repeat(20 * 1024) });
  const head = 'POST /api/notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

  test('may have 16 KB, whatever its route takes, and is not waited for beyond them', async () => {
    const connection = openRaw(service.url);
    connection.write(`${head}content-length: ${large.length}\r\n\r\n`);
    expect((await connection.answer).status).toBe(413);
    connection.socket.destroy();
    const chunked = openRaw(service.url);
    chunked.write(`${head}transfer-encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n${large}\r\n`);
    expect((await chunked.answer).status).toBe(413);
    chunked.socket.destroy();
    const json = { 'content-type': 'application/json' };
    expect((await call('/api/notes', { method: 'POST', headers: json, body: '{"text":"hi"}' })).status).toBe(200);
  });

  test('is what the route takes where it comes from a process of the instance', async () => {
    expect((await send('/api/notes', large)).status).toBe(200);
  });
});

test('[S38] a client that leaves before its body has arrived is no error and leaves no stack', async () => {
  const heard = hearLog(service.app.get<Log>(Log));
  const { socket } = openRaw(service.url);
  socket.write('POST /api/notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{');
  // Its answer says that the half request has been seen.
  await call('/health/live');
  socket.destroy();
  await expect.poll(heard.text).toContain('client left before its request arrived');
  expect(heard.lines().filter(({ level }) => level === 'error')).toEqual([]);
  expect(heard.text()).not.toContain('stack');
});
