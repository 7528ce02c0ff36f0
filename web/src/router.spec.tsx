import type { UserProfile } from '@caravan/contracts/http/people';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { openApp, pathsOf, serveApi, signedInAs, type Api } from './testing/app.tsx';
import { endSession } from './lib/session-state.ts';

const maya: UserProfile = {
  id: 'u1',
  name: 'Maya Okafor',
  bio: '',
  location: '',
  favoriteActivity: '',
  profilePhotoUrl: null,
  totalMiles: 128.4,
  streakCount: 12,
  teamName: 'Thunder',
  teamEmoji: '⚡',
  badges: [],
  joinedDate: '2026-03-09',
  followerCount: 3,
  followingCount: 4,
  isFollowing: false,
  isSelf: true,
};

const title = (name: string) => screen.findByRole('heading', { level: 1, name });

/** The screen is there for who is signed in, and the login for who is not. */
async function expectForMembers(path: string, name: string, api: Api = {}): Promise<void> {
  const calls = serveApi(api);
  const { router } = openApp(path);
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(pathsOf(calls)).toEqual([]);
  cleanup();
  signedInAs();
  openApp(path);
  expect(await title(name)).toBeDefined();
}

beforeEach(() => endSession());

for (const path of ['/', '/dashboard'])
  test(`[1.6 2.5] ${path} is home to who is signed in: own week, teams and what was done lately`, async () => {
    await expectForMembers(path, "Let's go, Maya Okafor");
    for (const name of ["This Week's Progress", 'Team Progress', 'Recent Team Activity'])
      expect(await screen.findByRole('region', { name })).toBeDefined();
  });

test('[2.6] /timer is the activity timer', async () => {
  await expectForMembers('/timer', 'Timer');
  expect(screen.getByRole('timer')).toBeDefined();
});

test('[2.7] /leaderboard is the scoreboard', () => expectForMembers('/leaderboard', 'Scoreboard'));

test('[2.10] /feed is the activity feed with three tabs', async () => {
  await expectForMembers('/feed', 'Activity Feed');
  expect(screen.getAllByRole('tab')).toHaveLength(3);
});

test('[2.11] /badges is the badge gallery', () => expectForMembers('/badges', 'Badge Gallery'));

test('[2.12] /activity-feed is the second activity feed', () => expectForMembers('/activity-feed', 'Team Activity'));

test('[2.13] /user/{id} is the profile of that person, which its owner edits there', async () => {
  const omar = { ...maya, id: 'u2', name: 'Omar Haddad', isSelf: false };
  const api = { 'GET /api/users/u1': { body: maya }, 'GET /api/users/u2': { body: omar } };
  await expectForMembers('/user/u2', 'Omar Haddad', api);
  expect(screen.queryByRole('button', { name: 'Edit Profile' })).toBeNull();
  cleanup();
  openApp('/user/u1');
  expect(await title('Maya Okafor')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Edit Profile' })).toBeDefined();
});

test('[2.18] /team-voting is the vote on the own team’s name', () => expectForMembers('/team-voting', 'Team Voting'));

test('[1.19 2.14] /settings are the settings', () => expectForMembers('/settings', 'Settings'));

test('[1.19 2.15] /explore has quick workouts, challenges and tips', async () => {
  await expectForMembers('/explore', 'Explore');
  for (const name of ['Quick workouts', 'Weekly Challenges', 'Tips'])
    expect(await screen.findByRole('heading', { name })).toBeDefined();
});

test('[1.19 2.16] /profile is the own profile', async () => {
  await expectForMembers('/profile', 'Maya Okafor', { 'GET /api/users/u1': { body: maya } });
  expect(await screen.findByRole('tablist', { name: 'Profile' })).toBeDefined();
  expect(document.title).toBe('Profile · Caravan');
});

test('[2.20] every screen but the public ones leads a signed-out person to the login, and asks the server nothing', async () => {
  serveApi();
  const paths = Object.keys(openApp('/terms').router.routesByPath);
  cleanup();
  const open: string[] = [];
  for (const path of paths) {
    const calls = serveApi();
    const { router } = openApp(path.replace('$id', 'u2'));
    await screen.findByRole('heading', { level: 1 });
    if (router.state.location.pathname !== '/login') open.push(path);
    expect([path, ...pathsOf(calls)]).toEqual([path]);
    cleanup();
  }
  expect(open.toSorted()).toEqual([
    '/confirm-email',
    '/forgot-password',
    '/privacy',
    '/reset-password',
    '/signup',
    '/terms',
    '/undo-email',
    '/unsubscribe',
  ]);
  expect(paths.length).toBeGreaterThan(20);
});

test('[2.28] every screen of members has the floating button, but for timer, profile and the admins’ area', async () => {
  signedInAs({ role: 'admin' });
  serveApi();
  const { router } = openApp('/explore');
  await screen.findByRole('button', { name: 'Start the timer' });
  const without: string[] = [];
  for (const path of Object.keys(router.routesByPath)) {
    await router.navigate({ to: path.replace('$id', 'u2') });
    // Public screens lead who is signed in away, or have no navigation.
    if (router.state.matches.every(({ routeId }) => routeId !== '/_member')) continue;
    await screen.findByRole('navigation', { name: 'Main' });
    if (!screen.queryByRole('button', { name: 'Start the timer' })) without.push(router.state.location.pathname);
  }
  expect(new Set(without.filter((path) => !path.startsWith('/admin/')))).toEqual(
    new Set(['/timer', '/profile', '/admin']),
  );
});

test('[2.36 D30] both legal links open short real pages, without a session', async () => {
  for (const [link, first] of [
    ['Terms of Service', 'What this is'],
    ['Privacy Policy', 'What is kept'],
  ] as const) {
    const calls = serveApi();
    const { router } = openApp('/login');
    (await screen.findByRole('link', { name: link })).click();
    expect(await title(link)).toBeDefined();
    expect(screen.getByRole('heading', { level: 2, name: first }).nextElementSibling?.textContent).toMatch(/\w+ \w+/);
    expect([router.state.location.pathname, ...pathsOf(calls)]).toHaveLength(1);
    cleanup();
  }
});
