import { queryOptions } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openApp, pathsOf, serveApi, signedInAs, type Api } from '../testing/app.tsx';
import { createQueryClient, inAdvance } from './query-client.ts';

test('[9.30 8.2] no retry, never stale, no refetch on focus, reconnection or interval', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: false,
  });
  expect(mutations?.retry).toBe(false);
});

test('[7.2] a query without its own function GETs the path that its key spells', async () => {
  signedInAs();
  const calls = serveApi({ 'GET /api/weekly-challenges/c1/progress': { body: { currentProgress: 3 } } });
  const answer = await createQueryClient().query({ queryKey: ['/api/weekly-challenges', 'c1', 'progress'] });
  expect(answer).toEqual({ currentProgress: 3 });
  expect(pathsOf(calls)).toEqual(['GET /api/weekly-challenges/c1/progress']);
});

test('[8.1] a query answered 401 or 403 yields null', async () => {
  signedInAs();
  serveApi({ 'GET /api/logs': { status: 403, body: {} } });
  expect(await createQueryClient().query({ queryKey: ['/api/logs'] })).toBeNull();
});

test('[8.2] a failed query is called once', async () => {
  signedInAs();
  const calls = serveApi({ 'GET /api/logs': { status: 500, body: 'Boom' } });
  await expect(createQueryClient().query({ queryKey: ['/api/logs'] })).rejects.toThrow('500: Boom');
  expect(calls).toHaveLength(1);
});

const screens = [
  '/dashboard',
  '/leaderboard',
  '/feed',
  '/activity-feed',
  '/explore',
  '/badges',
  '/journey',
  '/profile',
  '/user/u2',
  '/timer',
  '/miles',
  '/settings',
  '/settings/notifications',
  '/account-settings',
  '/notifications',
  '/recaps',
  '/recaps/2026-01-05',
  '/team-voting',
  '/admin',
  '/admin/members',
];

const failing: Api[string] = { status: 500, body: 'Boom' };
/** Every call but the two that the frame is drawn from. */
const failingApi = new Proxy<Api>(
  {},
  {
    has: () => true,
    get: (_, call) => (typeof call === 'string' && /^GET .*(?<!\/me|\/branding)$/.test(call) ? failing : undefined),
  },
);

test.each(screens)('[8.2 9.30] %s asks once for what fails, in advance and on the screen together', async (path) => {
  signedInAs({ role: 'admin' });
  const calls = serveApi(failingApi);
  const { queryClient, verified } = openApp(path);
  await verified;
  await screen.findByRole('heading', { level: 1 });
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  const asked = pathsOf(calls).filter((call) => call.startsWith('GET '));
  expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
});

test('[8.2] who comes back to a screen that failed asks anew', async () => {
  signedInAs();
  const calls = serveApi({ 'GET /api/badges/all': failing });
  const { router } = openApp('/badges');
  await screen.findByText('Unable to load badges');
  await router.navigate({ to: '/explore' });
  await screen.findByRole('heading', { name: 'Explore' });
  await router.navigate({ to: '/badges' });
  await screen.findByText('Unable to load badges');
  expect(pathsOf(calls).filter((call) => call === 'GET /api/badges/all')).toHaveLength(2);
});

test('[8.2 9.30] a link that is hovered and then followed asks for a failed answer once, and later asks anew', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const queryClient = createQueryClient();
  const queryFn = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('refused')));
  const query = queryOptions({ queryKey: ['/api/badges'], queryFn });
  inAdvance(queryClient, query);
  await expect.poll(() => queryClient.getQueryState(query.queryKey)?.status).toBe('error');
  inAdvance(queryClient, query);
  expect(queryFn).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 5_001);
  inAdvance(queryClient, query);
  expect(queryFn).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
