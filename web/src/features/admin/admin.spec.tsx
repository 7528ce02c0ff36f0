import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { openApp, pathsOf, serveApi, signedInAs } from '../../testing/app.tsx';
import { endSession } from '../../lib/session-state.ts';

const screens = [
  '/admin',
  '/admin/members',
  '/admin/teams',
  '/admin/ballots',
  '/admin/comments',
  '/admin/analytics',
  '/admin/invites',
  '/admin/audit',
  '/admin/challenges',
  '/admin/journey',
  '/company-setup',
];

function openAsAdmin(path: string) {
  signedInAs({ role: 'admin' });
  const calls = serveApi();
  return { calls, ...openApp(path) };
}

beforeEach(() => endSession());

test('[1.20 2.8 2.77] the admin dashboard has a way back and four cards, beyond them the people', async () => {
  openAsAdmin('/admin');
  expect(await screen.findByRole('heading', { name: 'Admin Dashboard' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe('/dashboard');
  const [cards, way, people] = within(screen.getByRole('main')).getAllByRole('list');
  const ways = (list: HTMLElement | undefined) =>
    within(list ?? document.body)
      .getAllByRole('link')
      .map((link) => [link.querySelector('b')?.textContent, link.getAttribute('href')]);
  expect(ways(cards)).toEqual([
    ['Company Setup', '/company-setup'],
    ['Team Management', '/team-voting'],
    ['Analytics', '/leaderboard'],
    ['System Settings', '/settings'],
  ]);
  expect(ways(people)).toEqual([
    ['Members', '/admin/members'],
    ['Teams', '/admin/teams'],
    ['Ballots', '/admin/ballots'],
    ['Reported comments', '/admin/comments'],
    ['Participation', '/admin/analytics'],
    ['Invites', '/admin/invites'],
    ['Audit log', '/admin/audit'],
  ]);
  expect(ways(way)).toEqual([
    ['Challenges', '/admin/challenges'],
    ['Journey', '/admin/journey'],
  ]);
});

for (const path of screens)
  test(`[6.5 6.6 D3] ${path} leads a member home, and asks nothing of the server`, async () => {
    signedInAs();
    const calls = serveApi();
    const { router } = openApp(path);
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(await screen.findByRole('heading', { name: "Let's go, Maya Okafor" })).toBeDefined();
    expect(pathsOf(calls).filter((call) => /members|teams|invites|ballots|comments|company/.test(call))).toEqual([]);
  });

for (const path of screens)
  test(`[2.20 6.5 6.6 D3] ${path} leads who is signed out to the login`, async () => {
    serveApi();
    const { router } = openApp(path);
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  });

for (const path of ['/admin', '/admin/teams'])
  test(`[2.28] ${path} has no floating button`, async () => {
    openAsAdmin(path);
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('button', { name: 'Start the timer' })).toBeNull();
  });
