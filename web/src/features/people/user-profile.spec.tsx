import type { UserProfile } from '@caravan/contracts/http/people';
import { characterCount } from '@caravan/contracts/domain/text/text';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { me, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';

const lena: UserProfile = {
  id: 'l1',
  name: 'Lena Fischer',
  bio: 'Stairs, always.',
  location: 'Hamburg',
  favoriteActivity: 'Hiking',
  profilePhotoUrl: null,
  totalMiles: 1212.64,
  streakCount: 7,
  teamName: 'Blazers',
  teamEmoji: '🔥',
  badges: ['First Steps', 'Week Warrior'],
  joinedDate: '2026-03-09',
  followerCount: 3,
  followingCount: 4,
  isFollowing: false,
  isSelf: false,
};
const maya: UserProfile = { ...lena, id: 'u1', name: 'Maya Okafor', isSelf: true };
const saving = 'PATCH /api/me/profile';

const row = (id: string, name: string) => ({
  id,
  name,
  profilePhotoUrl: null,
  teamName: 'Thunder',
  teamEmoji: '⚡',
});

function open(user: UserProfile, api: Api = {}) {
  signedInAs();
  const calls = serveApi({ [`GET /api/users/${user.id}`]: { body: user }, ...api });
  return { calls, ...openApp(`/user/${user.id}`) };
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const refusal = { message: 'Refused', errors: [{ path: 'location', message: 'Control characters are not allowed' }] };

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[2.102 3.45 D46] a profile shows who somebody is, their miles, streak, team and badges', async () => {
  open(lena);
  expect(await screen.findByRole('heading', { level: 1, name: 'Lena Fischer' })).toBeDefined();
  for (const text of ['Stairs, always.', 'Hamburg', 'Hiking', 'First Steps', 'Week Warrior'])
    expect(screen.getByText(text)).toBeDefined();
  expect(screen.getByText(/Blazers/).closest('p')?.textContent).toBe('🔥 Blazerson the way since March 2026');
  expect(screen.getByText('Total miles').nextElementSibling?.textContent).toBe('1,212.6');
  expect(screen.getByText('Streak days').nextElementSibling?.textContent).toBe('7');
  expect(screen.queryByRole('button', { name: 'Edit Profile' })).toBeNull();
});

test('[9.22] their miles read as kilometers to whom prefers them', async () => {
  localStorage.setItem('units', 'metric');
  open(lena);
  expect((await screen.findByText('Total km')).nextElementSibling?.textContent).toBe('1,951.6');
});

test('[D18] who hides their numbers keeps them private, in friendly words', async () => {
  open({ ...lena, totalMiles: null, streakCount: null, badges: [] });
  expect(await screen.findByText('Lena keeps their numbers private.')).toBeDefined();
  expect(screen.queryByText('Total miles')).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Badges' })).toBeNull();
});

test('[2.103 8.13 D18] who is not there or hides is Profile not found, with a way on', async () => {
  open(lena, { 'GET /api/users/l1': { status: 404, body: { message: 'Not found' } } });
  expect(await screen.findByRole('heading', { name: 'Profile not found' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'To the scoreboard' }).getAttribute('href')).toBe('/leaderboard');
});

test('[D18 D35] a profile that is hidden while one looks at it goes', async () => {
  let isHidden = false;
  const { queryClient } = open(lena, {
    'GET /api/users/l1': () => (isHidden ? { status: 404, body: {} } : { body: lena }),
  });
  await screen.findByRole('heading', { name: 'Lena Fischer' });
  isHidden = true;
  void queryClient.invalidateQueries({ queryKey: ['/api/users'] });
  expect(await screen.findByRole('heading', { name: 'Profile not found' })).toBeDefined();
});

test('a profile that cannot be loaded can be tried again', async () => {
  let isBroken = true;
  open(lena, { 'GET /api/users/l1': () => (isBroken ? { status: 500, body: 'Boom' } : { body: lena }) });
  const again = await screen.findByRole('button', { name: 'Try again' });
  isBroken = false;
  await userEvent.click(again);
  expect(await screen.findByRole('heading', { name: 'Lena Fischer' })).toBeDefined();
});

test('[2.102] the back button leads where one came from', async () => {
  const { router } = open(lena);
  await screen.findByRole('heading', { name: 'Lena Fischer' });
  await router.navigate({ to: '/explore' });
  await router.navigate({ to: '/user/$id', params: { id: 'l1' } });
  await press('Back');
  await waitFor(() => expect(router.state.location.pathname).toBe('/explore'));
});

test('[D46] following shows at once and is told to the server; following no more, too', async () => {
  let answer: (given: object) => void = () => undefined;
  const { calls } = open(lena, {
    'PUT /api/users/l1/follow': () => new Promise((resolve) => (answer = resolve)),
    'DELETE /api/users/l1/follow': { body: { isFollowing: false, followerCount: 3 } },
  });
  await press('Follow');
  expect(await screen.findByRole('button', { name: '4 followers' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Following' })).toBeDefined();
  await waitFor(() => {
    answer({ body: { isFollowing: true, followerCount: 9 } });
    expect(screen.getByRole('button', { name: '9 followers' })).toBeDefined();
  });
  await press('Following');
  expect(await screen.findByRole('button', { name: '3 followers' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Follow' })).toBeDefined();
  expect(pathsOf(calls).filter((path) => path.includes('/follow'))).toEqual([
    'PUT /api/users/l1/follow',
    'DELETE /api/users/l1/follow',
  ]);
});

test('[D46] a follow that fails is taken back and says so', async () => {
  open(lena, { 'PUT /api/users/l1/follow': { status: 503, body: { message: 'Please try again later.' } } });
  await press('Follow');
  expect(await noticeOf('Error')).toBe('Please try again later.');
  expect(screen.getByRole('button', { name: '3 followers' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Follow' })).toBeDefined();
});

test('[D46 D17] the number of followers opens their list, page by page, and each name leads on', async () => {
  const link = '</api/users/l1/followers?limit=25&cursor=abc>; rel="next"';
  const { router } = open(lena, {
    'GET /api/users/l1/followers': ({ url }) =>
      url.includes('cursor')
        ? { body: [row('o1', 'Omar Haddad')] }
        : { body: [row('y1', 'Yuki Tanaka')], headers: { link } },
    'GET /api/users/o1': { body: { ...lena, id: 'o1', name: 'Omar Haddad' } },
  });
  await press('3 followers');
  const dialog = await screen.findByRole('dialog', { name: "Lena's followers" });
  expect((await within(dialog).findByRole('link', { name: 'Yuki Tanaka' })).getAttribute('href')).toBe('/user/y1');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Show more' }));
  await userEvent.click(await within(dialog).findByRole('link', { name: 'Omar Haddad' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/user/o1'));
  expect(await screen.findByRole('heading', { name: 'Omar Haddad' })).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('[D46] a list of nobody says so', async () => {
  open({ ...lena, followingCount: 0 }, { 'GET /api/users/l1/following': { body: [] } });
  await press('0 following');
  expect(await screen.findByText('Follows nobody yet')).toBeDefined();
});

test('[4.32 7.30 8.14] saving sends name, bio, location and favorite activity, and returns to the view', async () => {
  const { calls } = open(maya, { [saving]: { body: { ...me, name: 'Maya O.', bio: 'Lakes' } } });
  await press('Edit Profile');
  const countRequests = () => pathsOf(calls).filter((path) => path === 'GET /api/me').length;
  const askedBefore = countRequests();
  type('Name', 'Maya O.');
  type('Bio', 'Lakes');
  type('Location', 'Berlin');
  type('Favorite activity', 'Kayaking');
  await press('Save');
  await screen.findByText('Profile Updated', { selector: 'li *' });
  expect(await sentTo(calls, saving)).toEqual({
    name: 'Maya O.',
    bio: 'Lakes',
    location: 'Berlin',
    favoriteActivity: 'Kayaking',
  });
  expect(await screen.findByRole('button', { name: 'Edit Profile' })).toBeDefined();
  await waitFor(() => expect(countRequests()).toBeGreaterThan(askedBefore));
  expect(localStorage.getItem('user')).toContain('Maya O.');
});

test('[4.32] Cancel restores what was there', async () => {
  const { calls } = open(maya);
  await press('Edit Profile');
  type('Location', 'Elsewhere');
  await press('Cancel');
  expect(await screen.findByText('Hamburg')).toBeDefined();
  await press('Edit Profile');
  expect(field('Location').value).toBe('Hamburg');
  expect(pathsOf(calls)).not.toContain(saving);
});

test('[4.32 8.12 D38] a failed save stays in edit mode and says what is wrong where it is wrong', async () => {
  open(maya, { [saving]: { status: 422, body: refusal } });
  await press('Edit Profile');
  type('Location', 'Nowhere');
  await press('Save');
  expect(await noticeOf('Update Failed')).toBe('There was an error updating your profile.');
  expect(field('Location').value).toBe('Nowhere');
  expect(screen.getByText('Control characters are not allowed')).toBeDefined();
  expect(field('Location').getAttribute('aria-invalid')).toBe('true');
});

test('[D39] a blank name is refused before the server is asked', async () => {
  const { calls } = open(maya);
  await press('Edit Profile');
  type('Name', '   ');
  await press('Save');
  expect(await screen.findByText('Name is required')).toBeDefined();
  expect(pathsOf(calls)).not.toContain(saving);
});

test('[5.25 9.12 D44] the bio stops at 120 characters as people count them, with a counter', async () => {
  open(maya);
  await press('Edit Profile');
  type('Bio', '🏔️'.repeat(30) + 'x'.repeat(100));
  expect(characterCount(field('Bio').value)).toBe(120);
  expect(screen.getByText('120/120')).toBeDefined();
  type('Bio', 'Lakes');
  expect(screen.getByText('5/120')).toBeDefined();
});

test('[2.107] the link to edit on the own profile opens the form', async () => {
  signedInAs();
  serveApi({ 'GET /api/users/u1': { body: maya }, 'GET /api/logs': { body: [] } });
  const { router } = openApp('/profile');
  await userEvent.click(await screen.findByRole('link', { name: 'Edit Profile' }));
  expect(await screen.findByRole('heading', { name: 'Edit Profile' })).toBeDefined();
  expect(router.state.location.pathname).toBe('/user/u1');
});
