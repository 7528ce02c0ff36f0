import { RedisSessionCache } from '@caravan/auth/session-cache';
import { testClaims } from '@caravan/auth/testing/tokens';
import { closeRedis, createRedis, isRedisReady } from '@caravan/service-kit/storage/redis';
import { testServers } from '@caravan/service-kit/testing/servers';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway.ts';
import type { AdmissionControl } from './admission-control.ts';
import { type DeclaredRoute, guardRoutes } from './route-access.ts';
import { openPathOf } from '../routing/routes.ts';

type Caller = 'signed out' | 'guest' | 'deactivated' | 'member' | 'admin';
const callers: readonly Caller[] = ['signed out', 'guest', 'deactivated', 'member', 'admin'];

/** The routes that the gateway answers itself, with the callers that each admits. A new route is added here. */
const ownRoutes: Readonly<Record<string, DeclaredRoute['access']>> = {
  'GET /*': 'public',
  'GET /api/events': 'member',
  'GET /api/openapi.json': 'public',
  'GET /assets/app.js': 'public',
  'GET /companion/api/:token': 'public',
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'PUT /objects/incoming/*': 'public',
};

/** undefined: the caller is let in, whatever the route then answers. */
const refusals: Readonly<Record<DeclaredRoute['access'], Partial<Record<Caller, number>>>> = {
  public: {},
  service: { 'signed out': 401, deactivated: 401 },
  guest: { 'signed out': 401, deactivated: 401 },
  errand: { 'signed out': 401, deactivated: 401 },
  member: { 'signed out': 401, guest: 409, deactivated: 401 },
  admin: { 'signed out': 401, guest: 409, deactivated: 401, member: 403 },
};

let under: GatewayUnderTest;
let tokens: Record<Caller, string | undefined>;

beforeAll(async () => {
  under = await startGatewayUnderTest((_request, response) => response.end('{}'));
  const deactivated = testClaims();
  const redis = createRedis({ url: testServers().redis, prefix: under.prefix, name: 'test' });
  expect(await isRedisReady(redis)).toBe(true);
  await new RedisSessionCache(redis, redis).putEnded([String(deactivated.sid)]);
  await closeRedis(redis);
  tokens = {
    'signed out': undefined,
    guest: await under.tokenFor(testClaims({ guest: true })),
    deactivated: await under.tokenFor(deactivated),
    member: await under.tokenFor(testClaims()),
    admin: await under.tokenFor(testClaims({ role: 'admin' })),
  };
});
afterAll(() => under.close());

/** Ends the answer at once: the stream has no end of its own. */
async function ask(method: string, url: string, token: string | undefined) {
  const leaving = new AbortController();
  const answer = await fetch(`${under.gateway.url}${url.replaceAll(/:\w+|\*/g, 'x')}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json') === true;
  const problem = isProblem ? ((await answer.json()) as { code: string }) : undefined;
  leaving.abort();
  return { status: answer.status, code: problem?.code };
}

const isAnsweredHere = ({ access, method }: DeclaredRoute) => access !== 'service' && method !== 'HEAD';
/** Among the routes that a service answers: the reads for which the contract demands a token. */
const isAsked = ({ access, method, url }: DeclaredRoute) =>
  access === 'service' ? method === 'GET' && openPathOf(method, url) === undefined : method !== 'HEAD';
const nameOf = ({ method, url }: DeclaredRoute) => `${method} ${url}`;

describe('the routes of the gateway', () => {
  test('[S01 S40] every route that the gateway answers itself is one whose access is known', () => {
    const own = under.gateway.routes.all().filter(isAnsweredHere);
    expect(Object.fromEntries(own.map((route) => [nameOf(route), route.access]))).toEqual(ownRoutes);
  });

  test.each(callers)('[S01 S21 S22 D54] every route lets in or refuses, by its access: somebody %s', async (caller) => {
    const surprises: unknown[] = [];
    const asked = under.gateway.routes.all().filter(isAsked);
    expect(asked.length).toBeGreaterThan(50);
    for (const { method, url, access } of asked) {
      const expected = refusals[access][caller];
      const { status, code } = await ask(method, url, tokens[caller]);
      const isRefused = status === 401 || status === 403 || code === 'email/unconfirmed';
      if (isRefused !== (expected !== undefined) || (isRefused && status !== expected))
        surprises.push({ method, url, access, status, code });
    }
    expect(surprises).toEqual([]);
  });

  test('[S22 D54] a guest is not given the live stream of the organisation', async () => {
    const shows = 'feed,feed-team,activities,comments,reactions,ballot,journey,challenges,bonus';
    const refused = await under.call(`/api/events?shows=${shows}`, { as: tokens.guest ?? '' });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'email/unconfirmed' }]);
  });

  test('[S01] a gateway with a route that does not say whom it lets in does not start', async () => {
    const app = fastify();
    guardRoutes(app, {} as AdmissionControl);
    app.get('/new', () => ({}));
    await expect(app.ready()).rejects.toThrow('routes without an access: /new');
  });
});
