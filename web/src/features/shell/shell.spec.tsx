import { defaultBranding } from '@caravan/contracts/domain/branding';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { setOnboarding } from '../../lib/session-state.ts';
import { onScreen, openApp, pathsOf, serveApi, signedInAs } from '../../testing/app.tsx';
import { holdMilliseconds } from './timer-button.tsx';

const namesOf = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);

async function openMenu(): Promise<HTMLElement> {
  await userEvent.click(await screen.findByRole('button', { name: 'Profile' }));
  return screen.findByRole('menu');
}

test('[2.22 9.32] below 768 px a bar at the bottom leads to the five places', async () => {
  signedInAs();
  serveApi();
  openApp('/profile');
  const bar = await screen.findByRole('navigation', { name: 'Main' });
  expect(namesOf(within(bar).getAllByRole('link'))).toEqual(['Dashboard', 'Activity', 'Scoreboard', 'Explore']);
  const targets = within(bar)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));
  expect(targets).toEqual(['/dashboard', '/feed', '/leaderboard', '/explore']);
  expect(screen.queryByRole('banner')).toBeNull();
});

test('[2.23 6.4] the profile menu offers a member settings, profile and logout', async () => {
  signedInAs();
  serveApi();
  openApp('/profile');
  const items = namesOf(within(await openMenu()).getAllByRole('menuitem'));
  expect(items).toEqual(['Settings', 'My Profile', 'Badges', 'Journey', 'Logout']);
});

test('[2.23 6.4] an admin also finds the admin dashboard there', async () => {
  signedInAs({ role: 'admin' });
  serveApi();
  openApp('/settings');
  const items = namesOf(within(await openMenu()).getAllByRole('menuitem'));
  expect(items).toEqual(['Settings', 'My Profile', 'Badges', 'Journey', 'Admin Dashboard', 'Logout']);
});

test('[2.25 2.26] from 768 px a header leads to the five places, with bell and initials', async () => {
  onScreen('wide');
  signedInAs();
  serveApi();
  openApp('/explore');
  const header = await screen.findByRole('banner');
  const nav = within(header).getByRole('navigation', { name: 'Main' });
  expect(namesOf(within(nav).getAllByRole('link'))).toEqual(['Home', 'Feed', 'Scoreboard', 'Explore', 'Profile']);
  expect(within(header).getByRole('button', { name: 'Notifications' })).toBeDefined();
  expect(within(header).getByText('MO')).toBeDefined();
  expect(
    within(header)
      .getByRole('link', { name: /My profile/ })
      .getAttribute('href'),
  ).toBe('/profile');
});

for (const [what, logoUrl, name] of [
  ['a logo where the organisation has one', 'https://example.org/logo.svg', 'Harbour Inc'],
  ['the wordmark where it has none', null, null],
] as const)
  test(`[2.25] the header shows ${what}`, async () => {
    onScreen('wide');
    signedInAs();
    serveApi({
      'GET /api/org/branding': {
        body: { primaryColor: '#2563eb', welcomeMessage: 'Hi', name: 'Harbour Inc', logoUrl },
      },
    });
    openApp('/explore');
    if (name) expect(await screen.findByRole('img', { name })).toBeDefined();
    else expect(await screen.findByText('Caravan')).toBeDefined();
  });

test('[1.22 4.11] the organisation’s look is applied when first loaded, once, and remembered for the next start', async () => {
  signedInAs();
  const calls = serveApi({
    'GET /api/org/branding': { body: { primaryColor: '#7c3aed', welcomeMessage: 'Hi', name: 'H', logoUrl: null } },
  });
  openApp('/explore');
  await expect.poll(() => document.documentElement.style.getPropertyValue('--brand-solid')).toContain('#7c3aed');
  expect(localStorage.getItem('branding') ?? '').toContain('#7c3aed');
  for (const place of ['Scoreboard', 'Explore']) {
    await userEvent.click(screen.getByRole('link', { name: place }));
    await screen.findByRole('heading', { name: place, level: 1 });
  }
  expect(pathsOf(calls).filter((path) => path === 'GET /api/org/branding')).toHaveLength(1);
});

test('[3.4 9.16] where no look is loaded, the product has its own: colour, welcome and name', async () => {
  document.documentElement.removeAttribute('style');
  signedInAs();
  serveApi({ 'GET /api/org/branding': { status: 500, body: 'Boom' } });
  openApp('/dashboard');
  expect(await screen.findByText('Welcome to your team wellness platform!')).toBeDefined();
  expect(document.documentElement.style.getPropertyValue('--brand-solid')).toBe('');
  expect(defaultBranding).toMatchObject({ primaryColor: '#ea580c', name: 'Your Organization', logoUrl: null });
});

for (const path of ['/login', '/signup', '/terms', '/nowhere'])
  test(`[2.21] ${path} has no navigation for a signed-out person`, async () => {
    serveApi();
    openApp(path);
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
  });

for (const [who, width, isSignedIn] of [
  ['signed in on a phone', 'phone', true],
  ['signed in on a wide screen', 'wide', true],
  ['signed out', 'wide', false],
] as const)
  test(`[2.19 8.13 D44] an unknown path shows Page Not Found ${who}`, async () => {
    onScreen(width);
    if (isSignedIn) signedInAs();
    serveApi();
    openApp('/no/such/page');
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeDefined();
    if (isSignedIn) expect(await screen.findByRole('navigation', { name: 'Main' })).toBeDefined();
  });

test('[2.21] during onboarding there is no navigation', async () => {
  signedInAs();
  serveApi();
  const { verified } = openApp('/explore');
  await verified;
  await screen.findByRole('navigation', { name: 'Main' });
  setOnboarding(true);
  await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull());
});

test('[2.29] a tap on the floating button goes to the timer', async () => {
  signedInAs();
  serveApi();
  const { router } = openApp('/explore');
  await userEvent.click(await screen.findByRole('button', { name: 'Start the timer' }));
  await waitFor(() => expect(router.state.location.href).toBe('/timer'));
});

test('[2.30 2.31 9.31] holding it for 500 ms opens the menu, a tap then closes it', async () => {
  signedInAs();
  serveApi();
  const { router } = openApp('/explore');
  const button = await screen.findByRole('button', { name: 'Start the timer' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const hold = (milliseconds: number) => {
    fireEvent.pointerDown(button, { button: 0 });
    vi.advanceTimersByTime(milliseconds);
    fireEvent.pointerUp(button);
    fireEvent.click(button);
  };
  hold(holdMilliseconds);
  vi.useRealTimers();
  const quick = await screen.findByRole('link', { name: 'Quick start' });
  expect([quick.getAttribute('href'), holdMilliseconds]).toEqual(['/timer?preset=quick', 500]);
  fireEvent.pointerDown(button, { button: 0 });
  fireEvent.pointerUp(button);
  fireEvent.click(button);
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Quick start' })).toBeNull());
  expect(router.state.location.pathname).toBe('/explore');
});

test('the menu of the floating button opens without a pointer too, and Escape closes it', async () => {
  signedInAs();
  serveApi();
  openApp('/explore');
  const button = await screen.findByRole('button', { name: 'Start the timer' });
  fireEvent.contextMenu(button);
  const quick = await screen.findByRole('link', { name: 'Quick start' });
  expect(document.activeElement).toBe(quick);
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('link', { name: 'Quick start' })).toBeNull();
  expect(document.activeElement).toBe(button);
});

test('after a navigation the title is the screen’s and its heading has the focus', async () => {
  signedInAs();
  serveApi();
  openApp('/explore');
  await userEvent.click(await screen.findByRole('link', { name: 'Scoreboard' }));
  const heading = await screen.findByRole('heading', { name: 'Scoreboard', level: 1 });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(document.title).toBe('Scoreboard · Caravan');
});

test('[2.23] a menu that is opened while the next screen loads stays open', async () => {
  signedInAs();
  serveApi();
  const { router } = openApp('/explore');
  await userEvent.click(await screen.findByRole('button', { name: 'Profile' }));
  await screen.findByRole('menu');
  await router.navigate({ to: '/leaderboard' });
  await screen.findByRole('heading', { name: 'Scoreboard', level: 1 });
  await expect.poll(() => document.title).toBe('Scoreboard · Caravan');
  expect(screen.getByRole('menu')).toBeDefined();
});
