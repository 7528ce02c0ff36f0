import type { Settings } from '@caravan/contracts/http/people';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { me, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';

const device = { connected: false, lastSync: null };
const settings: Settings = {
  profile: { name: 'Maya Okafor', email: 'maya@example.org', phone: '', bio: 'Lakes' },
  notifications: { email: true, push: true, teamUpdates: true, weeklyReports: false },
  privacy: {
    profileVisible: true,
    activityVisible: true,
    statsVisible: true,
    shareHeartRate: false,
    shareCalories: false,
    featuredInRecaps: false,
  },
  preferences: { darkMode: false, theme: 'system', units: 'imperial' },
  fitnessDevices: { appleWatch: device, googleFit: device, strava: device },
};
const nothingConnected = {
  strava: { connected: false, athleteId: null },
  fitbit: { connected: false, userId: null },
  lastSyncDate: null,
};
const saving = 'PATCH /api/me/settings';

function open(api: Api = {}) {
  signedInAs();
  const calls = serveApi({
    'GET /api/me/settings': { body: settings },
    'GET /api/me/sessions': { body: [] },
    'GET /api/fitness/status': { body: nothingConnected },
    [saving]: async (request) => ({ body: { ...settings, ...((await request.clone().json()) as object) } }),
    ...api,
  });
  return { calls, ...openApp('/settings') };
}

const region = (name: string) => screen.findByRole('region', { name });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const saveButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Save Changes' });
const turn = async (name: string) => userEvent.click(await screen.findByRole('switch', { name }));
const type = async (name: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(name), { target: { value } });

beforeEach(() => {
  delete document.documentElement.dataset.theme;
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[2.104 3.46 5.23] five sections with what is saved, and nothing to save yet', async () => {
  open();
  for (const name of ['Profile', 'Notifications', 'Privacy', 'Fitness Devices', 'Preferences'])
    expect(await region(name)).toBeDefined();
  const profile = within(await region('Profile'));
  const values = ['Name', 'Email', 'Phone', 'Bio', 'Time zone'].map(
    (name) => profile.getByLabelText<HTMLInputElement>(name).value,
  );
  expect(values).toEqual(['Maya Okafor', 'maya@example.org', '', 'Lakes', 'Europe/Berlin']);
  expect(profile.getByLabelText<HTMLInputElement>('Email').type).toBe('email');
  expect((await saveButton()).disabled).toBe(true);
});

test('[3.46 6.9 D18 D28] six privacy switches, each with what colleagues will see', async () => {
  open();
  const switches = within(await region('Privacy')).getAllByRole('switch');
  const on = 'true';
  const off = 'false';
  expect(switches.map((each) => each.getAttribute('aria-checked'))).toEqual([on, on, on, off, off, off]);
  for (const each of switches) {
    const hint = document.getElementById(each.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent.length).toBeGreaterThan(20);
  }
});

test('[7.31 8.14] saving sends the whole settings object, says so, and there is nothing left to save', async () => {
  const { calls } = open();
  await turn('Show my stats');
  await turn('Feature my words and photos in recaps');
  await turn('Weekly reports');
  await type('Phone', '+49 40 123');
  expect((await saveButton()).disabled).toBe(false);
  await press('Save Changes');
  await screen.findByText('Settings Updated', { selector: 'li *' });
  expect(await sentTo(calls, saving)).toEqual({
    profile: { ...settings.profile, phone: '+49 40 123' },
    notifications: { ...settings.notifications, weeklyReports: true },
    privacy: { ...settings.privacy, statsVisible: false, featuredInRecaps: true },
    preferences: settings.preferences,
    fitnessDevices: settings.fitnessDevices,
  });
  await waitFor(async () => expect((await saveButton()).disabled).toBe(true));
  expect(pathsOf(calls)).not.toContain('PATCH /api/me/profile');
});

test('[D10 D39] a new time zone is saved with the profile', async () => {
  const { calls } = open({ 'PATCH /api/me/profile': { body: { ...me, timeZone: 'America/New_York' } } });
  await type('Time zone', 'America/New_York');
  await press('Save Changes');
  await screen.findByText('Settings Updated', { selector: 'li *' });
  expect(await sentTo(calls, 'PATCH /api/me/profile')).toEqual({ timeZone: 'America/New_York' });
});

test('[8.12] settings that cannot be saved say so and stay to be saved', async () => {
  open({ [saving]: { status: 500, body: 'Boom' } });
  await turn('Push notifications');
  await press('Save Changes');
  expect(await noticeOf('Error')).toBe('Failed to update settings. Please try again.');
  expect((await saveButton()).disabled).toBe(false);
  expect(screen.getByRole('switch', { name: 'Push notifications' }).getAttribute('aria-checked')).toBe('false');
});

test.each([
  [409, { message: 'This email is already registered' }, 'Email', 'This email is already registered'],
  [
    422,
    { message: 'No', errors: [{ path: 'profile.phone', message: 'Phone must be at most 40 characters' }] },
    'Phone',
    'Phone must be at most 40 characters',
  ],
])('[D38] an answer %d stands at the field it is about', async (status, body, label, message) => {
  open({ [saving]: { status, body } });
  await type(label, label === 'Email' ? 'omar@example.org' : '1'.repeat(41));
  if (label === 'Email') await type('Current password', 'Walk4ever!');
  await press('Save Changes');
  expect(await screen.findByText(message, { selector: 'p' })).toBeDefined();
  const field = screen.getByLabelText(label);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(field));
});

for (const [label, value, message] of [
  ['Email', 'nobody', 'Invalid email address'],
  ['Name', '  ', 'Name is required'],
] as const)
  test(`[5.23 D39] ${label} “${value}” is refused before the server is asked`, async () => {
    const { calls } = open();
    await type(label, value);
    await press('Save Changes');
    expect(await screen.findByText(message)).toBeDefined();
    expect(pathsOf(calls)).not.toContain(saving);
  });

test('[5.25 D44] the bio stops at 120 characters', async () => {
  open();
  await type('Bio', 'é'.repeat(200));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Bio').value).toHaveLength(120);
});

test('leaving with something unsaved asks first; staying keeps it, leaving forgets it', async () => {
  const { router } = open();
  await turn('Push notifications');
  void router.navigate({ to: '/explore' });
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Stay' }));
  expect(router.state.location.pathname).toBe('/settings');
  expect((await saveButton()).disabled).toBe(false);
  void router.navigate({ to: '/explore' });
  await press('Leave');
  await waitFor(() => expect(router.state.location.pathname).toBe('/explore'));
});

test('nothing changed, nothing asked; and whoever logs out is not asked either', async () => {
  const { router } = open();
  await saveButton();
  await router.navigate({ to: '/explore' });
  expect(router.state.location.pathname).toBe('/explore');
  await router.navigate({ to: '/settings' });
  await turn('Push notifications');
  await press('Logout');
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
});

test('Undo brings back what is saved', async () => {
  open();
  await turn('Push notifications');
  await press('Undo');
  expect(screen.getByRole('switch', { name: 'Push notifications' }).getAttribute('aria-checked')).toBe('true');
  expect((await saveButton()).disabled).toBe(true);
});

test('[3.46 D51] a theme shows at once, holds when saved and is forgotten when not', async () => {
  const { calls, router } = open();
  await userEvent.click(await screen.findByRole('radio', { name: 'Dark' }));
  expect(document.documentElement.dataset.theme).toBe('dark');
  expect(localStorage.getItem('theme')).toBeNull();
  await press('Undo');
  expect(document.documentElement.dataset.theme).toBeUndefined();
  await userEvent.click(await screen.findByRole('radio', { name: 'Dark' }));
  await press('Save Changes');
  await screen.findByText('Settings Updated', { selector: 'li *' });
  expect(await sentTo(calls, saving)).toMatchObject({ preferences: { theme: 'dark', darkMode: true } });
  expect(localStorage.getItem('theme')).toBe('dark');
  await router.navigate({ to: '/explore' });
  expect(document.documentElement.dataset.theme).toBe('dark');
});

test('[9.22] kilometers hold at once after saving', async () => {
  const { router } = open();
  await userEvent.click(await screen.findByRole('radio', { name: 'Kilometers' }));
  expect(localStorage.getItem('units')).toBeNull();
  await press('Save Changes');
  await screen.findByText('Settings Updated', { selector: 'li *' });
  await router.navigate({ to: '/dashboard' });
  expect(await screen.findByText('Total km')).toBeDefined();
});

test('[3.46] theme and units of the account hold in a browser that did not know them', async () => {
  signedInAs();
  const preferences = { theme: 'dark', darkMode: true, units: 'metric' };
  serveApi({ 'GET /api/me/settings': { body: { ...settings, preferences } } });
  openApp('/dashboard');
  expect(await screen.findByText('Total km')).toBeDefined();
  expect(document.documentElement.dataset.theme).toBe('dark');
});

test('settings that cannot be loaded can be tried again', async () => {
  let isBroken = true;
  open({ 'GET /api/me/settings': () => (isBroken ? { status: 500, body: 'Boom' } : { body: settings }) });
  const again = await screen.findByRole('button', { name: 'Try again' });
  isBroken = false;
  await userEvent.click(again);
  expect(await region('Privacy')).toBeDefined();
});
