import { personKey } from '@caravan/contracts/events/fact-key';
import { ProblemFilter } from '@caravan/service-kit/http/problem.filter';
import { createLog } from '@caravan/service-kit/telemetry/log';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminOnly, OpenToErrands, OpenToGuests, Public } from './access.decorator.ts';
import { AuthGuard } from './auth.guard.ts';
import { CurrentCaller } from './caller.decorator.ts';
import type { Caller } from './claims.ts';
import { AccessTokenStrategy } from './passport.ts';
import { RefusedCalls } from './refused-calls.ts';
import { RefusedTokens } from './refused-tokens.ts';
import { SessionLiveness, type SessionState } from './session-liveness.ts';
import { forgedTokens, signTestToken, testClaims, testKey, testKeys, testRules } from './testing/tokens.ts';
import { RefusedToken, TokenVerifier } from './token-verifier.ts';

const key = testKey();
const refused: string[] = [];
const refusedCalls = {
  note: ({ userId }: Caller, call: string) => {
    refused.push(`${userId} ${call}`);
    return Promise.resolve();
  },
};
const faults: string[] = [];
const refusedTokens = {
  note: (error: unknown) => {
    if (error instanceof RefusedToken) faults.push(error.fault);
  },
};
const states = new Map<string, SessionState | 'unknown'>();
const cache = {
  read: () => Promise.resolve(undefined),
  onEnded: () => Promise.resolve(),
  onInterrupted: () => undefined,
  isListening: () => false,
};
const source = {
  stateOf: (sessionId: string) => {
    const state = states.get(sessionId) ?? 'live';
    return state === 'unknown' ? Promise.reject(new Error('away')) : Promise.resolve(state);
  },
};

@Controller()
class Routes {
  @Get('mine')
  mine(@CurrentCaller() caller: Caller) {
    return caller;
  }

  @AdminOnly()
  @Get('admins/:id')
  admins() {
    return { done: true };
  }

  @OpenToGuests()
  @Get('guests')
  guests() {
    return { welcome: true };
  }

  @OpenToErrands()
  @Get('errands')
  errands(@CurrentCaller() caller: Caller) {
    return caller;
  }

  @Public()
  @Get('everyones')
  everyones() {
    return { open: true };
  }
}

@Public()
@Controller('open')
class OpenRoutes {
  @AdminOnly()
  @Get('admins')
  admins() {
    return { done: true };
  }

  @Get('everyones')
  everyones() {
    return { open: true };
  }
}

@Module({
  controllers: [Routes, OpenRoutes],
  providers: [
    { provide: TokenVerifier, useValue: new TokenVerifier(testRules, testKeys(key)) },
    { provide: SessionLiveness, useValue: new SessionLiveness(cache, source) },
    { provide: RefusedCalls, useValue: refusedCalls },
    { provide: RefusedTokens, useValue: refusedTokens },
    AccessTokenStrategy,
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
})
class Service {}

let app: NestFastifyApplication;

beforeAll(async () => {
  const service = await Test.createTestingModule({ imports: [Service] }).compile();
  app = service.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
  app.useGlobalFilters(new ProblemFilter(createLog({ service: 'test', level: 'silent' })));
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
});
afterAll(() => app.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ method: 'GET', url: path, headers });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}
const withToken = (token: string) => get('/mine', { authorization: `Bearer ${token}` });

describe('a protected route', () => {
  test('[6.3 S01] answers its caller, whose instant is read once', async () => {
    const claims = testClaims({ role: 'admin' });
    const { status, body } = await withToken(await signTestToken(key, claims));
    expect(status).toBe(200);
    expect(body).toMatchObject({ userId: claims.sub, orgId: claims.org, sessionId: claims.sid, role: 'admin' });
    expect(body.meta).toMatchObject({
      orgId: claims.org,
      actorId: claims.sub,
      key: personKey(String(claims.sub)),
      at: body.at,
    });
  });

  test('[S01] refuses a request without a token', async () => {
    expect(await get('/mine')).toMatchObject({ status: 401, body: { code: 'auth/no-token' } });
  });

  test('[S09 S39] takes neither a cookie nor an internal header for a token', async () => {
    const token = await signTestToken(key);
    const headers = { cookie: `rt=${token}; token=${token}`, 'x-user-id': testClaims().sub as string };
    expect(await get('/mine', headers)).toMatchObject({ status: 401, body: { code: 'auth/no-token' } });
    expect(await get(`/mine?access_token=${token}`)).toMatchObject({ status: 401 });
  });

  test('[S04] refuses a good token whose session has ended, also one it has verified before', async () => {
    const claims = testClaims();
    const token = await signTestToken(key, claims);
    expect(await withToken(token)).toMatchObject({ status: 200 });
    states.set(claims.sid as string, 'ended');
    expect(await withToken(token)).toMatchObject({ status: 401, body: { code: 'auth/session-ended' } });
  });

  test('[S18] answers background work for a member only where it is open to errands, without a session', async () => {
    const claims = testClaims({ errand: 'my-data', role: 'admin' });
    states.set(claims.sid as string, 'ended');
    const authorization = `Bearer ${await signTestToken(key, claims)}`;
    expect(await get('/errands', { authorization })).toMatchObject({ status: 200, body: { userId: claims.sub } });
    for (const path of ['/mine', '/guests', '/admins/1'])
      expect(await get(path, { authorization })).toMatchObject({ status: 401, body: { code: 'auth/token-refused' } });
    const own = `Bearer ${await signTestToken(key, testClaims({ guest: true }))}`;
    expect(await get('/errands', { authorization: own })).toMatchObject({ status: 200 });
  });

  test('[D54] answers a guest only where it is open to guests, and with no status that signs the web app out', async () => {
    const authorization = `Bearer ${await signTestToken(key, testClaims({ guest: true }))}`;
    expect(await get('/guests', { authorization })).toMatchObject({ status: 200, body: { welcome: true } });
    expect(await get('/mine', { authorization })).toMatchObject({ status: 409, body: { code: 'email/unconfirmed' } });
    const forged = `Bearer ${await signTestToken(key, testClaims({ guest: false }))}`;
    expect(await get('/guests', { authorization: forged })).toMatchObject({ status: 401 });
  });

  test('[S42] answers 503, not 401, when nobody can tell whether the session lives', async () => {
    const claims = testClaims();
    states.set(claims.sid as string, 'unknown');
    const answer = await withToken(await signTestToken(key, claims));
    expect(answer).toMatchObject({ status: 503, body: { code: 'auth/sessions-unavailable' } });
  });
});

test.each([
  ['admin', 200],
  ['member', 403],
] as const)('[D3 S21] a route for admins answers a person with the role %s with %s', async (role, status) => {
  const authorization = `Bearer ${await signTestToken(key, testClaims({ role }))}`;
  expect(await get('/admins/7', { authorization })).toMatchObject({ status });
  expect(await get('/admins/7')).toMatchObject({ status: 401 });
});

test('[S38] a call that only admins may make is noted by who made it and which it was, an admin’s is not', async () => {
  refused.length = 0;
  for (const role of ['member', 'admin'] as const) {
    const authorization = `Bearer ${await signTestToken(key, testClaims({ role }))}`;
    await get('/admins/7?secret=1', { authorization });
  }
  expect(refused).toEqual([expect.stringMatching(/^[0-9a-f-]{36} GET \/admins\/\{id\}$/)]);
});

describe('a forged token', async () => {
  test.each(Object.entries(await forgedTokens(key)))('[S02 S03] is refused by the guard: %s', async (_, token) => {
    const { status, body } = await withToken(token);
    expect(status).toBe(401);
    expect(body.code).toMatch(/^auth\/(token-refused|no-token)$/);
    expect(JSON.stringify(body)).not.toMatch(/jwt|signature|audience|issuer|expired|alg/i);
  });

  test('[S38] a forged token is recorded with its fault, and a call without a token as such', async () => {
    faults.length = 0;
    const forged = await forgedTokens(key);
    await get('/mine');
    for (const title of [
      'expired',
      'wrong audience',
      'a kid nobody knows',
      'our kid over a foreign signature',
      'not a token at all',
    ])
      await withToken(forged[title] ?? '');
    expect(faults).toEqual(['missing', 'expired', 'wrong-claims', 'unknown-key', 'bad-signature', 'malformed']);
  });
});

test('[D54] an admin route refuses a guest, and what a route says goes before what its controller says', async () => {
  const guest = `Bearer ${await signTestToken(key, testClaims({ guest: true }))}`;
  expect(await get('/admins/7', { authorization: guest })).toMatchObject({ status: 409 });
  const member = `Bearer ${await signTestToken(key, testClaims())}`;
  expect(await get('/open/admins', { authorization: member })).toMatchObject({ status: 403 });
  expect(await get('/open/everyones')).toMatchObject({ status: 200 });
});

test('[S01] a public route answers without a token and with a bad one', async () => {
  expect(await get('/everyones')).toMatchObject({ status: 200 });
  expect(await get('/everyones', { authorization: 'Bearer nonsense' })).toMatchObject({ status: 200 });
});
