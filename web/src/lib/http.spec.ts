import { afterEach, expect, test } from 'vitest';
import { pathsOf, serveApi, signedInAs, type Api } from '../testing/app.tsx';
import { login, readDashboardStats, readLeaderboard, readMe } from './api/generated/sdk.gen.ts';
import { HttpError, serverMessage, SignedOutError } from './http-error.ts';
import { confirmSession, currentSession, needSessionWhere, restoreSession, startSession } from './session-state.ts';

const renewed = {
  token: 'token-2',
  user: { id: 'u1', name: 'Maya', email: 'm@example.org', role: 'member' as const, profilePhotoUrl: null },
};
const problem = { status: 422, title: 'Unprocessable', message: 'Duration must be at least 10 minutes', code: 'x/y' };

/** The token of the first session is refused; the second one's is taken. */
const onlySecondToken: Api[string] = (request) =>
  request.headers.get('authorization') === 'Bearer token-2' ? { body: {} } : { status: 401, body: {} };

function signedInAt(path: string): void {
  needSessionWhere(() => path !== '/login');
  signedInAs();
  restoreSession();
  confirmSession();
}

afterEach(() => {
  delete window.preloadedAnswers;
});

test('[7.1 6.3] calls send JSON, cookies and the bearer', async () => {
  signedInAt('/dashboard');
  const [call, ...rest] = await (async () => {
    const calls = serveApi({ 'POST /api/login': { body: renewed } });
    await login({ body: { email: 'm@example.org', password: 'x' } });
    return calls;
  })();
  expect(rest).toEqual([]);
  expect(call?.credentials).toBe('include');
  expect(call?.headers.get('content-type')).toBe('application/json');
  expect(call?.headers.get('authorization')).toBe('Bearer token-1');
  expect(await call?.json()).toEqual({ email: 'm@example.org', password: 'x' });
});

test('[S38] each call begins a trace of its own, which gateway and services go on with', async () => {
  signedInAt('/dashboard');
  const calls = serveApi({ 'GET /api/me': { body: { name: 'Maya' } } });
  await readMe();
  await readMe();
  const traces = calls.map(({ headers }) => headers.get('traceparent') ?? '');
  expect(traces).toHaveLength(2);
  for (const trace of traces) expect(trace).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(new Set(traces.map((trace) => trace.slice(3, 35))).size).toBe(2);
});

function preloadedPaths(goodUntil = performance.now() + 60_000, status = 200) {
  const answer = () => Promise.resolve(Response.json({ name: 'early' }, { status }));
  window.preloadedAnswers = { token: 'token-1', goodUntil, byPath: new Map([['/api/me', answer()]]) };
  return serveApi({ 'GET /api/me': { body: { name: 'asked' } }, 'POST /api/login': { body: renewed } });
}

test('what the page asked before its scripts were here is taken once, and not asked again', async () => {
  signedInAt('/dashboard');
  const calls = preloadedPaths();
  expect([await readMe(), pathsOf(calls)]).toEqual([{ name: 'early' }, []]);
  expect([await readMe(), pathsOf(calls)]).toEqual([{ name: 'asked' }, ['GET /api/me']]);
});

test.each([404, 500, 503])(
  '[8.2] an early answer %d is the answer: a call that failed is not made again',
  async (status) => {
    signedInAt('/dashboard');
    const calls = preloadedPaths(undefined, status);
    await expect(readMe()).rejects.toMatchObject({ status });
    expect(pathsOf(calls)).toEqual([]);
  },
);

test.each<[string, () => unknown]>([
  ['is out of date', () => preloadedPaths(performance.now() - 1)],
  ['was asked by another session', () => (preloadedPaths(), startSession('token-3', renewed.user))],
  [
    'is older than what was written since',
    () => (preloadedPaths(), login({ body: { email: 'm@e.org', password: 'x' } })),
  ],
])('an early answer is not taken where it %s', async (_why, prepare) => {
  signedInAt('/dashboard');
  await prepare();
  expect(await readMe()).toEqual({ name: 'asked' });
});

for (const [status, body, message] of [
  [500, 'Boom', '500: Boom'],
  [409, JSON.stringify(problem), `409: ${JSON.stringify(problem)}`],
] as const)
  test(`[8.1] an answer ${status} with a body throws status and body`, async () => {
    signedInAt('/dashboard');
    serveApi({ 'GET /api/me': { status, body } });
    await expect(readMe()).rejects.toThrow(new HttpError(status, '', body));
    await expect(readMe()).rejects.toHaveProperty('message', message);
  });

test('[8.1] an empty body gives way to the status text', () => {
  expect(new HttpError(503, 'Service Unavailable', '').message).toBe('503: Service Unavailable');
});

test('[D44] notices show the message of the problem document, or the text of the screen', () => {
  expect(serverMessage(new HttpError(422, '', JSON.stringify(problem)), 'Failed')).toBe(problem.message);
  for (const body of ['', '<html>', '[]', 'null', '{"message":5}', '{"message":""}'])
    expect(serverMessage(new HttpError(500, '', body), 'Failed')).toBe('Failed');
  expect(serverMessage(new TypeError('Failed to fetch'), 'Failed')).toBe('Failed');
});

for (const status of [401, 403])
  test(`[4.9 8.1] an answer ${status} clears token and user and signs out`, async () => {
    signedInAt('/dashboard');
    serveApi({ 'GET /api/me': { status, body: {} }, 'POST /api/auth/refresh': { status: 401, body: {} } });
    await expect(readMe()).rejects.toBeInstanceOf(SignedOutError);
    expect(localStorage.length).toBe(0);
    expect(currentSession().status).toBe('signed-out');
  });

test('[D31] after a 401 the session is renewed once and the call made again', async () => {
  signedInAt('/dashboard');
  const calls = serveApi({ 'GET /api/me': onlySecondToken, 'POST /api/auth/refresh': { body: renewed } });
  await expect(readMe()).resolves.toEqual({});
  expect(pathsOf(calls)).toEqual(['GET /api/me', 'POST /api/auth/refresh', 'GET /api/me']);
  expect(localStorage.getItem('token')).toBe('token-2');
  expect(currentSession()).toMatchObject({ status: 'signed-in', user: renewed.user });
});

test('[D31] many calls refused at once renew once', async () => {
  signedInAt('/dashboard');
  const calls = serveApi({
    'GET /api/me': onlySecondToken,
    'GET /api/dashboard/stats': onlySecondToken,
    'GET /api/leaderboard': onlySecondToken,
    'POST /api/auth/refresh': { body: renewed },
  });
  await Promise.all([readMe(), readDashboardStats(), readLeaderboard()]);
  expect(pathsOf(calls).filter((path) => path.includes('refresh'))).toHaveLength(1);
});

test('[D31] a renewed token that is refused again ends the session', async () => {
  signedInAt('/dashboard');
  const calls = serveApi({
    'GET /api/me': { status: 401, body: {} },
    'POST /api/auth/refresh': { body: renewed },
  });
  await expect(readMe()).rejects.toBeInstanceOf(SignedOutError);
  expect(pathsOf(calls)).toHaveLength(3);
  expect(localStorage.length).toBe(0);
});

const offline = () => Promise.reject(new TypeError('Failed to fetch'));

test.each<[string, Api[string]]>([
  ['a limit', { status: 429, body: {} }],
  ['an outage', { status: 503, body: {} }],
  ['another fault', { status: 500, body: {} }],
  ['no network', offline],
])('[D44] a refresh that meets %s ends no session', async (_what, refresh) => {
  signedInAt('/dashboard');
  serveApi({ 'GET /api/me': { status: 401, body: {} }, 'POST /api/auth/refresh': refresh });
  const failure = await readMe().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toBeInstanceOf(SignedOutError);
  expect([localStorage.getItem('token'), currentSession().status]).toEqual(['token-1', 'signed-in']);
});

test.each([401, 403])('[D31] a refresh that is refused with %i ends the session', async (status) => {
  signedInAt('/dashboard');
  serveApi({ 'GET /api/me': { status: 401, body: {} }, 'POST /api/auth/refresh': { status, body: {} } });
  await expect(readMe()).rejects.toBeInstanceOf(SignedOutError);
  expect([localStorage.getItem('token'), currentSession().status]).toEqual([null, 'signed-out']);
});

test.each<[string, Api[string]]>([
  ['meets a limit', { status: 429, body: {} }],
  ['meets an outage', { status: 503, body: {} }],
  ['finds no network', offline],
])('[4.9] a call that %s ends no session', async (_what, answer) => {
  signedInAt('/dashboard');
  serveApi({ 'GET /api/me': answer });
  await expect(readMe()).rejects.not.toBeInstanceOf(SignedOutError);
  expect([localStorage.getItem('token'), currentSession().status]).toEqual(['token-1', 'signed-in']);
});

test.each([401, 403])('[4.9] an answer %i to the token before says nothing of the session of now', async (status) => {
  signedInAt('/login');
  serveApi({
    'GET /api/me': () => {
      startSession('token-2', renewed.user);
      return { status, body: {} };
    },
  });
  await expect(readMe()).rejects.not.toBeInstanceOf(SignedOutError);
  expect([localStorage.getItem('token'), currentSession().status]).toEqual(['token-2', 'signed-in']);
});

test('[D44] an answer 403 is not renewed: a missing role is not a worn-out token', async () => {
  signedInAt('/dashboard');
  const calls = serveApi({ 'GET /api/me': { status: 403, body: {} }, 'POST /api/auth/refresh': { body: renewed } });
  await expect(readMe()).rejects.toBeInstanceOf(SignedOutError);
  expect(pathsOf(calls)).toEqual(['GET /api/me']);
});

test('[D44] an answer 401 on a screen that needs no session is not renewed, and ends none', async () => {
  signedInAt('/login');
  const calls = serveApi({ 'GET /api/me': { status: 401, body: {} }, 'POST /api/auth/refresh': { body: renewed } });
  await expect(readMe()).rejects.toBeInstanceOf(SignedOutError);
  expect(pathsOf(calls)).toEqual(['GET /api/me']);
  expect(localStorage.getItem('token')).toBe('token-1');
});

test('[8.3] a refused login is an answer to the person, not the end of a session', async () => {
  signedInAt('/login');
  serveApi({ 'POST /api/login': { status: 401, body: { message: 'Invalid credentials' } } });
  const refusal = await login({ body: { email: 'm@example.org', password: 'x' } }).catch((error: unknown) => error);
  expect(refusal).not.toBeInstanceOf(SignedOutError);
  expect(serverMessage(refusal, 'Login failed')).toBe('Invalid credentials');
  expect(localStorage.getItem('token')).toBe('token-1');
});
