import type { EarnedBadge, GalleryBadge } from '@caravan/contracts/http/badges';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { endSession } from '../../lib/session-state.ts';
import { me, openApp, pathsOf, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const badge = (badgeId: string, more: Partial<GalleryBadge> = {}): GalleryBadge => ({
  badgeId,
  badgeName: badgeId,
  badgeIcon: '🥾',
  description: `What ${badgeId} is for`,
  requirement: `Do ${badgeId}`,
  category: 'Milestones',
  isEarned: false,
  dateEarned: null,
  progress: { current: 0, target: 10, progressText: '0 / 10 miles' },
  ...more,
});

const gallery = [
  badge('First Steps', { isEarned: true, dateEarned: minutesAgo(2000) }),
  badge('Ten Miles', { progress: { current: 7.5, target: 10, progressText: '7.5 / 10 miles' } }),
  badge('Week of Fire', { category: 'Streaks' }),
  badge('Old Friend', { category: 'Activity', isEarned: true, dateEarned: '2026-01-09T10:00:00.000Z' }),
];
const earnedBadge = (badgeName: string, dateEarned: string): EarnedBadge => ({
  badgeName,
  badgeIcon: '🥾',
  dateEarned,
});

function open(path: string, api: Api = {}) {
  signedInAs();
  const calls = serveApi({
    'GET /api/badges/all': { body: gallery },
    'GET /api/user/badges': { body: [] },
    ...api,
  });
  return { calls, ...openApp(path) };
}

const tiles = () =>
  screen.getAllByRole('button', { name: /Earned|\/ 10/ }).map((tile) => tile.querySelector('b')?.textContent);

beforeEach(() => sessionStorage.clear());

test('[2.94] the gallery shows all badges, filters by category and counts what is earned', async () => {
  open('/badges');
  expect(await screen.findByRole('heading', { name: 'Badge Gallery' })).toBeDefined();
  const filters = await screen.findByRole('group', { name: 'Category' });
  expect(
    within(filters)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['All', 'Milestones', 'Streaks', 'Activity']);
  expect(screen.getByText('/ 4 earned').textContent).toBe('2 / 4 earned');
  await userEvent.click(within(filters).getByRole('button', { name: 'Milestones' }));
  expect(tiles()).toEqual(['First Steps', 'Ten Miles']);
  expect(screen.getByText('/ 2 earned').textContent).toBe('1 / 2 earned');
  const tips = screen.getByRole('region', { name: 'How to earn the next one' });
  expect(
    within(tips)
      .getAllByRole('term')
      .map(({ textContent }) => textContent),
  ).toEqual(['Milestones', 'Streaks', 'Activity']);
});

test('[2.94 2.96 D13] a badge shows the picture drawn for it; one that the page does not know, the icon that came with it', async () => {
  const badges = ['First Steps', 'Old Friend'].map((name) => earnedBadge(name, '2026-01-09T10:00:00.000Z'));
  open('/badges', { 'GET /api/user/badges': { body: badges } });
  const strip = within(await screen.findByRole('list', { name: 'Your Streak Badges (2)' })).getAllByRole('listitem');
  expect(strip.map(({ textContent }) => textContent)).toEqual(['🥾Old Friend', 'First Steps']);
  expect(strip.map((each) => each.querySelectorAll('span[data-state] > span svg path').length > 0)).toEqual([
    false,
    true,
  ]);
  const known = await screen.findByRole('button', { name: /^First Steps/ });
  expect(known.textContent).not.toContain('🥾');
  expect(screen.getByRole('button', { name: /^Ten Miles/ }).textContent).toContain('🥾');
});

test('[2.94 D11] the tips speak of freezes only where there are any', async () => {
  const tipOfStreaks = async () =>
    within(await screen.findByRole('region', { name: 'How to earn the next one' })).getAllByRole('definition')[1]
      ?.textContent;
  open('/badges', { 'GET /api/me': { body: { ...me, streakFreezes: 2 } } });
  await waitFor(async () => expect(await tipOfStreaks()).toContain('on a day off a freeze holds it. You have 2 of 2.'));
  cleanup();
  endSession();
  const { queryClient } = open('/badges', { 'GET /api/me': { body: { ...me, streakFreezes: null } } });
  await waitFor(() => expect(queryClient.getQueryData(['/api/me'])).toMatchObject({ streakFreezes: null }));
  expect(await tipOfStreaks()).toMatch(/a short walk is enough\.$/);
});

test('[2.95] a badge not earned yet opens with its requirement, a bar and how far it is', async () => {
  open('/badges');
  await userEvent.click(await screen.findByRole('button', { name: /Ten Miles/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Ten Miles' });
  expect(within(dialog).getByText('What Ten Miles is for')).toBeDefined();
  expect(dialog.textContent).toContain('Do Ten Miles');
  expect(within(dialog).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('75');
  expect(within(dialog).getByText("You're 2.5 away from unlocking this badge!")).toBeDefined();
});

test('[2.95 4.38] an earned badge says when, and in its first week that it is new', async () => {
  open('/badges');
  await userEvent.click(await screen.findByRole('button', { name: /First Steps/ }));
  const fresh = await screen.findByRole('dialog', { name: 'First Steps' });
  expect(fresh.textContent).toContain('Earned on');
  expect(within(fresh).getByText('this week')).toBeDefined();
  expect(within(fresh).queryByRole('progressbar')).toBeNull();
  await userEvent.click(within(fresh).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(document.activeElement?.textContent).toContain('First Steps'));
  await userEvent.click(screen.getByRole('button', { name: /Old Friend/ }));
  const old = await screen.findByRole('dialog', { name: 'Old Friend' });
  expect(within(old).queryByText('this week')).toBeNull();
});

test('[2.96 D44] the strip counts all earned badges and says that it scrolls beyond four', async () => {
  const five = ['A', 'B', 'C', 'D', 'E'].map((name) => earnedBadge(name, '2026-01-09T10:00:00.000Z'));
  open('/badges', { 'GET /api/user/badges': { body: five } });
  expect(await screen.findByRole('heading', { name: 'Your Streak Badges (5)' })).toBeDefined();
  expect(screen.getByText('Scroll to see all badges')).toBeDefined();
});

test('[2.96] with four badges there is nothing to scroll', async () => {
  const four = ['A', 'B', 'C', 'D'].map((name) => earnedBadge(name, '2026-01-09T10:00:00.000Z'));
  open('/badges', { 'GET /api/user/badges': { body: four } });
  expect(await screen.findByRole('heading', { name: 'Your Streak Badges (4)' })).toBeDefined();
  expect(screen.queryByText('Scroll to see all badges')).toBeNull();
});

test('[2.97 8.13] when the badges do not load, the page says so and tries again', async () => {
  let isAway = true;
  open('/badges', { 'GET /api/badges/all': () => (isAway ? { status: 500, body: {} } : { body: gallery }) });
  expect(await screen.findByText('Unable to load badges')).toBeDefined();
  isAway = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: /Ten Miles/ })).toBeDefined();
});

test('[4.37] a badge of the last hour is told of after the start, once in a session', async () => {
  const badges = [earnedBadge('First Steps', minutesAgo(59)), earnedBadge('Old Friend', minutesAgo(61))];
  const { queryClient } = open('/badges', { 'GET /api/user/badges': { body: badges } });
  await screen.findByRole('heading', { name: 'Your Streak Badges (2)' });
  expect(screen.queryByText(/You earned/)).toBeNull();
  const notice = await screen.findByText('You earned the First Steps badge!', { selector: 'li *' });
  fireEvent.click(within(notice.closest('li') ?? document.body).getByRole('button', { name: 'Close' }));
  await act(() => queryClient.invalidateQueries({ queryKey: ['/api/user/badges'] }));
  expect(sessionStorage.getItem('badgesTold')).toContain('First Steps');
  expect(sessionStorage.getItem('badgesTold')).not.toContain('Old Friend');
  expect(screen.queryByText(/Old Friend badge!/)).toBeNull();
});

test('[4.37 D35] what is earned while the page is open is told of too', async () => {
  let badges: EarnedBadge[] = [];
  const { queryClient, calls } = open('/badges', { 'GET /api/user/badges': () => ({ body: badges }) });
  await waitFor(() => expect(pathsOf(calls)).toContain('GET /api/user/badges'));
  badges = [earnedBadge('Ten Miles', minutesAgo(0))];
  await act(() => queryClient.invalidateQueries({ queryKey: ['/api/user/badges'] }));
  const notice = await screen.findByText('You earned the Ten Miles badge!', { selector: 'li *' });
  await expect.poll(() => notice.closest('li')?.textContent).toContain('🥾');
});

test('[D34] a notice of a badge opens it; one that is unknown opens the gallery alone', async () => {
  open('/badges#Ten%20Miles');
  expect(await screen.findByRole('dialog', { name: 'Ten Miles' })).toBeDefined();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  cleanup();
  open('/badges#nobodys');
  await screen.findByRole('group', { name: 'Category' });
  expect(screen.queryByRole('dialog')).toBeNull();
});
