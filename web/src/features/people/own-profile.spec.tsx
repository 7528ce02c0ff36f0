import type { GalleryBadge } from '@caravan/contracts/http/badges';
import type { OwnLog } from '@caravan/contracts/http/movement';
import type { UserProfile } from '@caravan/contracts/http/people';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, pathsOf, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const user: UserProfile = {
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

const year = new Date().getUTCFullYear();
const log = (id: string, loggedOn: string, distanceMiles: number): OwnLog => ({
  id,
  activityType: 'Walking',
  durationMinutes: 90,
  distanceMiles,
  multiplier: 1,
  source: 'manual',
  isImported: false,
  importSource: null,
  audience: 'organisation',
  heartRate: null,
  calories: null,
  perceivedEffort: null,
  isCounted: true,
  countsByWord: null,
  sameAs: null,
  caption: null,
  location: null,
  photoPath: null,
  photoUrl: null,
  photo: null,
  startedAt: `${loggedOn}T09:00:00.000Z`,
  loggedOn,
  createdAt: `${loggedOn}T10:00:00.000Z`,
});

function open(api: Api = {}) {
  signedInAs();
  const calls = serveApi({
    'GET /api/users/u1': { body: user },
    'GET /api/logs': { body: [] },
    'GET /api/user/badges': { body: [] },
    'GET /api/users/u1/photos': { body: [] },
    ...api,
  });
  openApp('/profile');
  return calls;
}

test('[2.107 2.108 D26] the own profile: name, email, team, since when, total, streak, and whom one follows', async () => {
  open();
  await screen.findByRole('heading', { level: 1, name: 'Maya Okafor' });
  expect(screen.getByText('Email').closest('div')?.textContent).toBe('Emailmaya@example.org');
  const since = await screen.findByText('on the way since March 2026');
  expect(since.closest('section')?.textContent).toContain('⚡ Thunder');
  expect(screen.getByText('MO')).toBeDefined();
  expect(screen.getByText('Total miles').nextElementSibling?.textContent).toBe('128.4');
  expect(screen.getByText('Streak days').nextElementSibling?.textContent).toBe('12');
  expect(screen.getByRole('button', { name: '3 followers' })).toBeDefined();
  expect(screen.getByRole('button', { name: '4 following' })).toBeDefined();
});

test('[2.107 D44] the statistics are those of the running year, over all pages of the logs and no further', async () => {
  const link = '</api/logs?limit=50&cursor=abc>; rel="next"';
  const asked = open({
    'GET /api/logs': ({ url }) =>
      url.includes('cursor')
        ? { body: [log('2', `${year}-01-01`, 9), log('3', `${year - 1}-12-31`, 100)], headers: { link } }
        : { body: [log('1', `${year}-01-02`, 4.5)], headers: { link } },
  });
  const card = await screen.findByRole('region', { name: `Your ${year}` });
  const figures = await within(card).findAllByRole('definition');
  expect(figures.map(({ textContent }) => textContent)).toEqual(['13.5', '2', '2', '3 hr']);
  const months = within(within(card).getByRole('list', { name: 'By month' })).getAllByRole('listitem');
  expect(months[0]?.textContent).toContain('January: 13.5 miles');
  expect(pathsOf(asked).filter((path) => path.includes('/api/logs?limit=50'))).toEqual([
    'GET /api/logs?limit=50',
    'GET /api/logs?limit=50&cursor=abc',
  ]);
});

test('[2.107 D8] what one did stands once on the page, in the feed tab, to be corrected or deleted', async () => {
  const startedAt = new Date(Date.now() - 3_600_000).toISOString();
  const calls = open({ 'GET /api/logs': { body: [{ ...log('1', startedAt.slice(0, 10), 4.5), startedAt }] } });
  const movements = await screen.findByRole('region', { name: 'Your movements' });
  expect(screen.getByRole('tabpanel', { name: 'Feed' }).contains(movements)).toBe(true);
  expect(await within(movements).findByRole('button', { name: /^Correct Walking/ })).toBeDefined();
  expect(within(movements).getByLabelText('Activity')).toBeDefined();
  expect(pathsOf(calls).some((path) => path.includes('/api/feed/'))).toBe(false);
});

test('[2.108 D12] rank and the state of the streak stand beside the total, with the way to its explanation', async () => {
  open();
  expect(await screen.findByText('#3')).toBeDefined();
  expect(screen.getByText('lit today')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Why this total?' }).getAttribute('href')).toBe('/miles');
  for (const name of ['Settings', 'Fitness Devices', 'Edit Profile'])
    expect(screen.getByRole('link', { name })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Logout' })).toBeDefined();
});

test('[D11 D44] the year has its days as a map and as a table of months; without them the figures still stand', async () => {
  const days = [{ on: `${year}-01-05`, miles: 3, movements: 1 }];
  const body = { from: '', to: '', today: `${year}-01-08`, days, restDays: [`${year}-01-06`] };
  const calls = open({ 'GET /api/miles/days': { body } });
  const card = await screen.findByRole('region', { name: `Your ${year}` });
  const row = await within(card).findByRole('row', { name: /January/, hidden: true });
  expect([...row.children].map(({ textContent }) => textContent)).toEqual(['January', '1', '3.0', '1']);
  expect(pathsOf(calls)).toContain(`GET /api/miles/days?from=${year}-01-01&to=${year}-12-31`);
  cleanup();
  open({ 'GET /api/miles/days': { status: 500, body: 'Boom' } });
  expect(await screen.findByRole('list', { name: 'By month' })).toBeDefined();
  expect(screen.queryByText('Rest day, streak kept')).toBeNull();
});

const badge = (badgeId: string, more: Partial<GalleryBadge>): GalleryBadge => ({
  badgeId,
  badgeName: badgeId,
  badgeIcon: '👣',
  description: '',
  requirement: '',
  category: 'Milestones',
  isEarned: false,
  dateEarned: null,
  progress: { current: 0, target: 10, progressText: '0 of 10' },
  ...more,
});

test('[2.107 2.95] the badges earned last and the nearest one stand beside the year, and lead to all of them', async () => {
  const progress = { current: 8, target: 10, progressText: '8 of 10' };
  const earned = { isEarned: true, dateEarned: '2026-03-09T10:00:00.000Z' };
  open({
    'GET /api/badges/all': {
      body: [badge('Far', {}), badge('Near', { progress }), badge('Had', earned)],
    },
  });
  const shelf = await screen.findByRole('region', { name: 'Badges' });
  expect((await within(shelf).findByRole('link', { name: '1 of 3' })).getAttribute('href')).toBe('/badges');
  expect((await within(shelf).findByRole('listitem')).textContent).toContain('HadMar 9');
  expect(within(shelf).getByRole('heading', { name: 'Near' })).toBeDefined();
  expect(shelf.textContent).toContain("You're 2 away from unlocking this badge!");
});

test('a year that cannot be loaded says so', async () => {
  open({ 'GET /api/logs': { status: 500, body: 'Boom' } });
  expect(await screen.findByText('Your year could not be loaded')).toBeDefined();
});

test('[2.107] four tabs: what one did, photos, badges and the team', async () => {
  const calls = open();
  const tabs = await screen.findAllByRole('tab');
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['Feed', 'Photos', 'Badges', 'Teams']);
  expect(await screen.findByText("You haven't logged any movement yet")).toBeDefined();
  expect(pathsOf(calls)).toContain('GET /api/logs?limit=5');
  await userEvent.click(screen.getByRole('tab', { name: 'Photos' }));
  expect(await screen.findByText('No photos yet')).toBeDefined();
  await userEvent.click(screen.getByRole('tab', { name: 'Badges' }));
  expect(await screen.findByText('No badges yet')).toBeDefined();
  await userEvent.click(screen.getByRole('tab', { name: 'Teams' }));
  expect((await screen.findByRole('region', { name: /Thunder/ })).textContent).toContain('42.0 of 50 miles this week');
});

test('[2.107] earned badges stand in their tab by name', async () => {
  open({
    'GET /api/user/badges': {
      body: [{ badgeName: 'First Steps', badgeIcon: '👣', dateEarned: '2026-03-09T10:00:00.000Z' }],
    },
  });
  await userEvent.click(await screen.findByRole('tab', { name: 'Badges' }));
  expect(await screen.findByText('First Steps')).toBeDefined();
});
