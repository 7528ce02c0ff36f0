import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { me, noticeOf, onScreen, openApp, pathsOf, serveApi, signedInAs, type Api } from '../testing/app.tsx';
import { currentSession, endSession, setOnboarding, startSession } from './session-state.ts';

test('[4.1 4.2 4.3] a stored session that the server accepts is the signed-in one', async () => {
  signedInAs({ name: 'Stored Name' });
  const calls = serveApi();
  const { verified } = openApp('/dashboard');
  await verified;
  expect(currentSession()).toMatchObject({ status: 'signed-in', user: { name: 'Stored Name' } });
  expect(calls[0]?.headers.get('authorization')).toBe('Bearer token-1');
  expect(await screen.findByText('Your team is counting on you')).toBeDefined();
});

for (const status of [401, 403])
  test(`[4.4] a stored session whose check is refused with ${status} is cleared without a word`, async () => {
    signedInAs();
    serveApi({ 'GET /api/me': { status, body: {} }, 'POST /api/auth/refresh': { status: 401, body: {} } });
    const { router, verified } = openApp('/dashboard');
    await verified;
    expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null]);
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(screen.queryByRole('status')).toBeNull();
  });

const unanswered: [what: string, check: Api[string], refresh?: Api[string]][] = [
  ['fails with 500', { status: 500, body: 'Boom' }],
  ['meets a limit', { status: 429, body: {} }],
  ['meets an outage', { status: 503, body: {} }],
  ['finds no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['is aborted by a reload', () => Promise.reject(new DOMException('The user aborted a request.', 'AbortError'))],
  ['needs a refresh that meets a limit', { status: 401, body: {} }, { status: 429, body: {} }],
  ['needs a refresh that meets an outage', { status: 401, body: {} }, { status: 503, body: {} }],
  [
    'needs a refresh that finds no network',
    { status: 401, body: {} },
    () => Promise.reject(new TypeError('Failed to fetch')),
  ],
];
for (const [what, check, refresh = { status: 401, body: {} }] of unanswered)
  test(`[4.4 D44] a check that ${what} is asked again, and the member known last is shown meanwhile`, async () => {
    signedInAs({ name: 'Stored Name' });
    serveApi({ 'GET /api/me': check, 'POST /api/auth/refresh': refresh });
    const { router, verified } = openApp('/dashboard');
    expect(await screen.findByRole('heading', { level: 1, name: "Let's go, Stored Name" })).toBeDefined();
    expect(localStorage.getItem('token')).toBe('token-1');
    serveApi({ 'GET /api/me': { body: { ...me, name: 'Known Again' } } });
    dispatchEvent(new Event('online'));
    await verified;
    expect(await screen.findByRole('heading', { level: 1, name: "Let's go, Known Again" })).toBeDefined();
    expect(router.state.location.pathname).toBe('/dashboard');
  });

test('[4.4] a verified session shows the photo by an address that works now, and remembers it', async () => {
  const signedPath = (signature: string) => `/objects/photos/p1/280.webp?signature=${signature}`;
  signedInAs({ profilePhotoUrl: signedPath('worn') });
  serveApi({ 'GET /api/me': { body: { ...me, profilePhotoUrl: signedPath('new') } } });
  await openApp('/explore').verified;
  expect(currentSession()).toMatchObject({ user: { profilePhotoUrl: signedPath('new') } });
  expect(localStorage.getItem('user')).toContain(signedPath('new'));
});

test('[4.4] a check that failed and is then refused ends the session', async () => {
  signedInAs();
  serveApi({ 'GET /api/me': { status: 503, body: {} } });
  const { verified } = openApp('/explore');
  await screen.findByRole('heading', { level: 1 });
  serveApi({ 'GET /api/me': { status: 401, body: {} }, 'POST /api/auth/refresh': { status: 403, body: {} } });
  dispatchEvent(new Event('online'));
  await verified;
  expect([localStorage.getItem('token'), currentSession().status]).toEqual([null, 'signed-out']);
});

test('[D44] a worn token on a screen that needs no session is left alone, and renewed on the next that does', async () => {
  signedInAs();
  const isRenewed = (request: Request) => request.headers.get('authorization') === 'Bearer token-2';
  const calls = serveApi({
    'GET /api/me': (request) => (isRenewed(request) ? { body: me } : { status: 401, body: {} }),
    'POST /api/auth/refresh': { body: { token: 'token-2', user: me } },
  });
  const { router, verified } = openApp('/terms');
  await verified;
  expect(pathsOf(calls)).toEqual(['GET /api/me']);
  expect(localStorage.getItem('token')).toBe('token-1');
  await router.navigate({ to: '/explore' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Explore' })).toBeDefined();
  expect(localStorage.getItem('token')).toBe('token-2');
});

test('[4.5] a loading state holds until the check ends', async () => {
  signedInAs();
  let accept: (answer: object) => void = () => undefined;
  serveApi({ 'GET /api/me': () => new Promise((resolve) => (accept = resolve)) });
  openApp('/dashboard');
  expect(await screen.findByText('Loading')).toBeDefined();
  expect(screen.queryByText('Your team is counting on you')).toBeNull();
  await waitFor(() => {
    accept({ body: me });
    expect(screen.getByText('Your team is counting on you')).toBeDefined();
  });
});

for (const user of ['not json', '{}', 'null', '"Maya"'])
  test(`[4.6] corrupt user data ${user} clears the session`, async () => {
    localStorage.setItem('token', 'token-1');
    localStorage.setItem('user', user);
    const calls = serveApi();
    const { router } = openApp('/dashboard');
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(localStorage.length).toBe(0);
    expect(calls).toEqual([]);
  });

for (const status of [401, 403])
  test(`[4.9 8.1] a call answered ${status} on any screen clears token and user and leads to the login`, async () => {
    signedInAs();
    const refused = { status, body: {} };
    serveApi({ 'GET /api/feed/all': refused, 'POST /api/auth/refresh': { status: 401, body: {} } });
    const { router, verified } = openApp('/feed');
    await verified;
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null]);
    expect(currentSession().status).toBe('signed-out');
  });

test('[4.10] nobody is in the onboarding unless a sign-up says so', async () => {
  signedInAs();
  serveApi();
  await openApp('/explore').verified;
  expect(currentSession()).toMatchObject({ status: 'signed-in', isOnboarding: false });
  endSession();
  startSession('token-2', me);
  expect(currentSession()).toMatchObject({ status: 'signed-in', isOnboarding: false });
  setOnboarding(true);
  expect(currentSession()).toMatchObject({ status: 'signed-in', isOnboarding: true });
  endSession();
  startSession('token-3', me);
  expect(currentSession()).toMatchObject({ status: 'signed-in', isOnboarding: false });
});

test('[3.1 9.33] token and user are what the browser stores of a session', () => {
  startSession('token-2', me);
  expect(Object.keys(localStorage).toSorted()).toEqual(['token', 'user']);
  expect([localStorage.getItem('token'), JSON.parse(localStorage.getItem('user') ?? '')]).toEqual(['token-2', me]);
});

test('[4.8 D31] logging out ends the session at the server and leads to the login screen', async () => {
  signedInAs();
  onScreen('wide');
  const calls = serveApi();
  const { router, queryClient } = openApp('/settings');
  await userEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  const logout = calls.find(({ url }) => url.endsWith('/api/logout'));
  expect(logout?.headers.get('authorization')).toBe('Bearer token-1');
  expect(localStorage.getItem('token')).toBeNull();
  expect(queryClient.getQueryData(['/api/me'])).toBeUndefined();
});

test('[4.11] branding is asked for only when signed in', async () => {
  const calls = serveApi();
  openApp('/terms');
  await screen.findByRole('heading', { name: 'Terms of Service' });
  expect(pathsOf(calls)).toEqual([]);
  signedInAs();
  openApp('/profile');
  await waitFor(() => expect(pathsOf(calls)).toContain('GET /api/org/branding'));
});

test('what one person has loaded is not shown to the next who signs in', async () => {
  signedInAs();
  serveApi();
  const { queryClient, verified } = openApp('/explore');
  await verified;
  expect(queryClient.getQueryData(['/api/me'])).toBeDefined();
  startSession('token-2', { ...me, id: 'u2' });
  expect(queryClient.getQueryData(['/api/me'])).toBeUndefined();
});

test('signing out in another tab signs out here', async () => {
  signedInAs();
  serveApi();
  const { router, verified } = openApp('/explore');
  await verified;
  dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
});

test('[4.9 8.1] a session that ends while it is in use says so at the login', async () => {
  signedInAs();
  serveApi({
    'GET /api/notifications': { status: 401, body: {} },
    'POST /api/auth/refresh': { status: 401, body: {} },
  });
  const { router, verified } = openApp('/explore');
  await verified;
  await router.navigate({ to: '/notifications' });
  expect(await noticeOf('Please sign in again')).toContain('when your role or password changes');
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
});
