import type { OwnLog } from '@caravan/contracts/http/movement';
import type { UserProfile } from '@caravan/contracts/http/people';
import { screen, within } from '@testing-library/react';
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
  const heading = await screen.findByRole('heading', { name: 'Maya Okafor' });
  expect(heading.parentElement?.textContent).toBe('Maya Okafor' + 'maya@example.org');
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

test('a year that cannot be loaded says so', async () => {
  open({ 'GET /api/logs': { status: 500, body: 'Boom' } });
  expect(await screen.findByText('Your year could not be loaded')).toBeDefined();
});

test('[2.107] four tabs: the own feed, photos, badges and the team', async () => {
  const calls = open();
  const tabs = await screen.findAllByRole('tab');
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['Feed', 'Photos', 'Badges', 'Teams']);
  expect(await screen.findByText("You haven't logged any movement yet")).toBeDefined();
  expect(pathsOf(calls)).toContain('GET /api/feed/mine?limit=10');
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
