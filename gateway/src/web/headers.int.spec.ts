import type { ServerResponse } from 'node:http';
import { testClaims } from '@caravan/auth/testing/tokens';
import { problemSchema } from '@caravan/contracts/http/problem';
import { securityHeaders } from '@caravan/service-kit/http/security-headers';
import { askRaw, type RawAnswer } from '@caravan/service-kit/testing/raw-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, type Seen, startGatewayUnderTest } from '../../testing/gateway.ts';

const photoPath = '/objects/photos/x/640.webp';
const pageTitle = '<title>Caravan</title>';

/** The service behind the gateway. */
function answer({ url }: Seen, response: ServerResponse): void {
  if (url.startsWith(photoPath)) response.setHeader('cache-control', 'private, max-age=900, immutable').end('picture');
  else if (url === '/api/company') response.writeHead(303, { location: '/devices' }).end();
  else response.setHeader('content-type', 'application/json').end('{}');
}

let under: GatewayUnderTest;
let guest: string;
beforeAll(async () => {
  under = await startGatewayUnderTest(answer, { METRICS_PORT: 0, PUBLIC_URL: 'https://caravan.example' });
  guest = await under.tokenFor(testClaims({ guest: true }));
});
afterAll(() => under.close());

const get = async (path: string, options: Parameters<GatewayUnderTest['call']>[1] = {}) => {
  const leaving = new AbortController();
  const answered = await under.call(path, { redirect: 'manual', signal: leaving.signal, ...options });
  const isStream = answered.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const body = isStream ? '' : await answered.text();
  leaving.abort();
  return { status: answered.status, headers: answered.headers, body };
};
const raw = (request: string) => askRaw(under.gateway.url, request);
const signedOut = { headers: { authorization: '' } };

type Kind = {
  readonly status: number;
  readonly ask: () => Promise<RawAnswer>;
  /** `no-store` unless said otherwise. */
  readonly cached?: string;
};

const kinds: Readonly<Record<string, Kind>> = {
  'an answer of a service': { status: 200, ask: () => get('/api/me') },
  'a photo, which says itself how long it is kept': {
    status: 200,
    ask: () => get(photoPath),
    cached: 'private, max-age=900, immutable',
  },
  'a redirection by a service': {
    status: 303,
    ask: () => get('/api/company'),
  },
  'the live stream': { status: 200, ask: () => get('/api/events'), cached: 'no-store, no-transform' },
  'the description of the API': { status: 200, ask: () => get('/api/openapi.json') },
  'the public keys': { status: 200, ask: () => get('/.well-known/jwks.json') },
  liveness: { status: 200, ask: () => get('/health/live') },
  readiness: { status: 200, ask: () => get('/health/ready') },
  'readiness, its head alone': { status: 200, ask: () => get('/health/ready', { method: 'HEAD' }) },
  'a page': { status: 200, ask: () => get('/dashboard'), cached: 'no-cache' },
  'a file that never changes': {
    status: 200,
    ask: () => get('/assets/app.js'),
    cached: 'public, max-age=31536000, immutable',
  },
  'a missing file': { status: 404, ask: () => get('/assets/missing.js') },
  'an unknown path of the API': { status: 404, ask: () => get('/api/nothing-here') },
  'an unknown path with a body': { status: 404, ask: () => get('/nothing', { method: 'POST', body: '{}' }) },
  'a refused token': { status: 401, ask: () => get('/api/me', { as: 'x.y.z' }) },
  'a missing token': { status: 401, ask: () => get('/api/me', signedOut) },
  'a refused guest': { status: 409, ask: () => get('/api/events', { as: guest }) },
  'a body that is too large': {
    status: 413,
    ask: () => get('/api/login', { method: 'POST', body: 'x'.repeat(20_000) }),
  },
  'an upload without a signature': {
    status: 404,
    ask: () => get('/objects/incoming/x', { method: 'PUT', body: 'x' }),
  },
  'a socket that was not asked for as one': { status: 404, ask: () => get('/companion/api/x', signedOut) },
  'an address that cannot be read': { status: 400, ask: () => raw('GET /%zz HTTP/1.1\r\nhost: x\r\n\r\n') },
  'a request without a host': { status: 400, ask: () => raw('GET /api/me HTTP/1.1\r\n\r\n') },
  'what is no HTTP': { status: 400, ask: () => raw('HELLO\r\n\r\n') },
  'headers that are too large': {
    status: 431,
    ask: () => raw(`GET /api/me HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`),
  },
  'an expectation that nobody meets': {
    status: 417,
    ask: () => raw('POST /api/login HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\ncontent-length: 2\r\n\r\n{}'),
  },
};

describe('an answer of the gateway', () => {
  test.each(Object.entries(kinds))('[S11] carries the security headers: %s', async (_, { status, ask, cached }) => {
    const answered = await ask();
    expect(answered.status).toBe(status);
    const isPage = answered.body.includes(pageTitle) || (status === 200 && cached?.startsWith('public') === true);
    const { 'content-security-policy': policy = '', ...others } = securityHeaders;
    expect(Object.fromEntries(answered.headers)).toMatchObject({
      ...others,
      'cache-control': cached ?? 'no-store',
      'strict-transport-security': expect.stringContaining('max-age=') as string,
      'content-security-policy': isPage ? (expect.stringContaining("script-src 'self'") as string) : policy,
    });
    if (status < 400) return;
    expect(answered.headers.get('content-type')).toContain('application/problem+json');
    expect(problemSchema.strict().parse(JSON.parse(answered.body))).toMatchObject({ status });
  });

  test('[S11 S36] a page names the only Trusted Types that its scripts may come from', async () => {
    const { headers } = await get('/');
    const directives = headers.get('content-security-policy')?.split('; ') ?? [];
    expect(directives).toContain("require-trusted-types-for 'script'");
    expect(directives).toContain('trusted-types push-worker');
  });

  test('[S11] about a file that has not changed carries them too', async () => {
    const { headers } = await get('/assets/app.js');
    const etag = headers.get('etag') ?? '';
    const again = await raw(
      `GET /assets/app.js HTTP/1.1\r\nhost: x\r\nif-none-match: ${etag}\r\nconnection: close\r\n\r\n`,
    );
    expect(again.status).toBe(304);
    expect(again.headers.get('x-content-type-options')).toBe('nosniff');
    expect(again.headers.get('cache-control')).toContain('immutable');
  });

  test('[S11] from the port of the figures carries them too', async () => {
    const { headers } = await fetch(under.gateway.metricsUrl ?? '');
    expect(Object.fromEntries(headers)).toMatchObject({ ...securityHeaders, 'cache-control': 'no-store' });
    const broken = await askRaw(under.gateway.metricsUrl ?? '', 'HELLO\r\n\r\n');
    expect([broken.status, broken.headers.get('x-content-type-options')]).toEqual([400, 'nosniff']);
  });
});
