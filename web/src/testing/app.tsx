import type { Me } from '@caravan/contracts/http/accounts';
import type { DashboardStats, Leaderboard } from '@caravan/contracts/http/scores';
import { defaultBranding } from '@caravan/contracts/domain/branding';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render, screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import { createQueryClient } from '../lib/query-client.ts';
import { followSession, verifySession } from '../lib/session.ts';
import { createAppRouter } from '../router.tsx';
import { Toaster } from '../ui/toaster.tsx';

/** What the server answers to a call; a function decides at each call. */
export type Answer = { status?: number; body?: unknown; headers?: Record<string, string> };
export type Api = Record<string, Answer | ((request: Request) => Answer | Promise<Answer>)>;

export const me: Me = {
  id: 'u1',
  name: 'Maya Okafor',
  email: 'maya@example.org',
  role: 'member',
  profilePhotoUrl: null,
  team: { id: 't1', name: 'Thunder', emoji: '⚡' },
  totalMiles: 128.4,
  activityLevel: 'light',
  streakCount: 12,
  streakState: 'lit',
  streakFreezes: 1,
  lastActivityDate: '2026-11-21',
  hasVotedThisChallenge: true,
  timeZone: 'Europe/Berlin',
  bio: '',
  location: '',
  favoriteActivity: '',
  isEmailConfirmed: true,
  pendingEmail: null,
  isGuest: false,
};

export const stats: DashboardStats = {
  userRank: 3,
  weeklyMiles: 3.2,
  recentActivities: [],
  teamProgress: [{ id: 't1', name: 'Thunder', emoji: '⚡', miles: 42, goalMiles: 50 }],
};

export const board: Leaderboard = { users: [], teams: [], userPosition: null, teamPosition: null, around: [] };

const usual: Api = {
  'GET /api/me': { body: me },
  'GET /api/org/branding': { body: defaultBranding },
  'GET /api/dashboard/stats': { body: stats },
  'GET /api/leaderboard': { body: board },
  'GET /api/bonus-challenge': { body: null },
  'GET /api/weekly-challenges': { body: [] },
  'GET /api/recaps': { body: [] },
  'GET /api/journey': { status: 404, body: {} },
  'GET /api/notifications/unread': { body: { count: 0 } },
  'GET /api/feed/all': { body: [] },
  'GET /api/feed/mine': { body: [] },
  'GET /api/feed/team': { body: [] },
  'GET /api/activity-feed/all': { body: { activities: [], hasMore: false } },
  'POST /api/logout': { body: { loggedOut: true } },
};

/** Answers like the server; every call made stands in the list it returns. What is not named is never answered. */
export function serveApi(api: Api = {}): Request[] {
  const calls: Request[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(new URL(String(input), location.origin), init);
    calls.push(request);
    const call = `${request.method} ${new URL(request.url).pathname}`;
    const answer = api[call] ?? usual[call];
    if (!answer) return new Promise<Response>(() => undefined);
    const { status = 200, body, headers } = typeof answer === 'function' ? await answer(request) : answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } });
  });
  return calls;
}

export const pathsOf = (calls: readonly Request[]): string[] =>
  calls.map(({ method, url }) => `${method} ${new URL(url).pathname}${new URL(url).search}`);

export function signedInAs(person: Partial<Me> = {}): void {
  localStorage.setItem('token', 'token-1');
  localStorage.setItem('user', JSON.stringify({ ...me, ...person }));
}

export function onScreen(kind: 'phone' | 'wide'): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: kind === 'wide' && query.includes('min-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

/** The whole app at a path, as main.tsx puts it together. */
export function openApp(path: string) {
  history.replaceState(null, '', path);
  const queryClient = createQueryClient();
  followSession(queryClient);
  const verified = verifySession(queryClient);
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }));
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toaster />
      </QueryClientProvider>
    </I18nProvider>,
  );
  return { queryClient, router, verified };
}

/** What the notice with that title says, as soon as it shows. */
export async function noticeOf(title: string): Promise<string | null | undefined> {
  return (await screen.findByText(title, { selector: 'li *' })).nextElementSibling?.textContent;
}

/** The sentence of the moment after a log, once it is shown. */
export async function momentOf(title: string): Promise<string | null | undefined> {
  const dialog = await screen.findByRole('dialog', { name: title });
  const miles = (await within(dialog).findByText(title)).nextElementSibling;
  return miles?.nextElementSibling?.textContent;
}

/** The body that was sent to a path last. */
export const sentTo = (calls: readonly Request[], path: string): Promise<unknown> | undefined =>
  calls
    .findLast(({ method, url }) => path === `${method} ${new URL(url).pathname}`)
    ?.clone()
    .json();
