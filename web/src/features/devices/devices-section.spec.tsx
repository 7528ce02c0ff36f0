import type { Settings } from '@caravan/contracts/http/people';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { noticeOf, pathsOf, sentTo, type Api } from '../../testing/app.tsx';
import { departures, fitbit, lastSyncDate, open, press, rowOf, statusOf, strava } from './testing/open-devices.tsx';

const device = { connected: false, lastSync: null };
const settings: Settings = {
  profile: { name: 'Maya Okafor', email: 'maya@example.org', phone: '', bio: '' },
  notifications: { email: true, push: true, teamUpdates: true, weeklyReports: true },
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
const connected = {
  'GET /api/fitness/status': { body: statusOf('4711', 'ABC', lastSyncDate) },
  'GET /api/fitness/accounts': {
    body: [
      strava({ state: 'connected', providerUserId: '4711', importCount: 12 }),
      fitbit({ state: 'connected', providerUserId: 'ABC', importCount: 3 }),
    ],
  },
};

const openSettings = (api: Api = {}, path = '/settings') =>
  open(path, { 'GET /api/me/settings': { body: settings }, 'GET /api/me/sessions': { body: [] }, ...api });

const disconnectOf = async (name: string) => {
  await press(`Disconnect ${name}`);
  return within(await screen.findByRole('dialog', { name: `Disconnect ${name}?` }));
};

test('[1.17 D24 3.37] devices tell what the server knows, and connect and disconnect for real', async () => {
  openSettings({
    'GET /api/fitness/status': { body: statusOf('4711', null, lastSyncDate) },
    'GET /api/fitness/accounts': { body: [strava({ state: 'connected' }), fitbit()] },
  });
  const section = within(await screen.findByRole('region', { name: 'Fitness Devices' }));
  expect(await section.findByText(/^Last synced Nov 20, 2026/)).toBeDefined();
  expect(within(await rowOf('Strava')).getByText('Connected')).toBeDefined();
  expect(within(await rowOf('Strava')).getByText('Athlete ID: 4711')).toBeDefined();
  const buttons = section.getAllByRole('button').map((button) => button.textContent);
  expect(buttons).toEqual(['Connect Apple Watch', 'Disconnect Strava', 'Connect Fitbit', 'Coming Soon']);
  expect(section.getByRole('link', { name: 'Imported workouts' }).getAttribute('href')).toBe('/settings/workouts');
});

test('[D24] connecting begins here and ends here, and is no change to save', async () => {
  const left = departures();
  const { calls } = openSettings({
    'GET /api/fitness/fitbit/auth': { body: { authUrl: 'https://platform.example/' } },
  });
  await press('Connect Fitbit');
  await waitFor(() => expect(left).toEqual(['https://platform.example/']));
  expect(pathsOf(calls)).toContain('GET /api/fitness/fitbit/auth?from=settings');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save Changes' }).disabled).toBe(true);
});

test('[4.30 8.11] who comes back unconnected reads why here too', async () => {
  const { router } = openSettings({}, '/settings?failed=strava&why=refused');
  expect(await noticeOf('Connection Failed')).toBe('Could not connect to Strava. Please try again.');
  expect(within(await rowOf('Strava')).getByRole('status').textContent).toMatch(/You did not allow it/);
  await waitFor(() => expect(router.state.location.href).toBe('/settings'));
});

test.each([
  ['Keep what was imported', 'false', 0, 'What was imported stays yours, with its miles.'],
  ['Delete what was imported', 'true', 3, '3 imported activities and their miles were taken back.'],
])('[4.31 D24] a disconnect asks what becomes of what came: %s', async (choice, deleteImported, removed, said) => {
  let isConnected = true;
  const { calls } = openSettings({
    ...connected,
    'GET /api/fitness/status': () => ({ body: statusOf('4711', isConnected ? 'ABC' : null, lastSyncDate) }),
    'DELETE /api/fitness/fitbit': () => {
      isConnected = false;
      return { body: { disconnected: true, removedActivities: removed } };
    },
  });
  const dialog = await disconnectOf('Fitbit');
  expect(dialog.getByText('3 workouts stay yours, with what they earned.')).toBeDefined();
  await userEvent.click(dialog.getByRole('radio', { name: choice }));
  await userEvent.click(dialog.getByRole('button', { name: 'Disconnect' }));
  expect(await noticeOf('Fitbit is disconnected')).toBe(said);
  expect(pathsOf(calls)).toContain(`DELETE /api/fitness/fitbit?deleteImported=${deleteImported}`);
  expect(await screen.findByRole('button', { name: 'Connect Fitbit' })).toBeDefined();
});

test('[D21] what came from Strava goes with the permission to have it: that is said, not asked', async () => {
  const { calls } = openSettings({
    ...connected,
    'DELETE /api/fitness/strava': { body: { disconnected: true, removedActivities: 12 } },
  });
  const dialog = await disconnectOf('Strava');
  expect(dialog.queryByRole('radio')).toBeNull();
  expect(dialog.getByText(/12 workouts go, and what they earned with them.*Strava asks for that/)).toBeDefined();
  await userEvent.click(dialog.getByRole('button', { name: 'Disconnect' }));
  expect(await noticeOf('Strava is disconnected')).toBe('12 imported activities and their miles were taken back.');
  expect(pathsOf(calls)).toContain('DELETE /api/fitness/strava?deleteImported=true');
});

test('[D24] a disconnect that fails says why, and one that is thought better of does nothing', async () => {
  const { calls } = openSettings({
    ...connected,
    'DELETE /api/fitness/fitbit': { status: 409, body: { message: 'This platform is not connected.' } },
  });
  await userEvent.click((await disconnectOf('Fitbit')).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(pathsOf(calls).some((call) => call.startsWith('DELETE'))).toBe(false);
  await userEvent.click((await disconnectOf('Fitbit')).getByRole('button', { name: 'Disconnect' }));
  expect(await noticeOf('Error')).toBe('This platform is not connected.');
});

const consent = 'Let my Strava workouts earn miles';
const consentSwitch = () => screen.findByRole('switch', { name: consent });

test('[D21] the consent to be scored stands at Strava alone, and is given and taken back at once', async () => {
  let isScored = false;
  const account = () => strava({ state: 'connected', isScored });
  const { calls } = openSettings({
    ...connected,
    'GET /api/fitness/accounts': () => ({ body: [account(), fitbit({ state: 'connected' })] }),
    'PATCH /api/fitness/strava': async (request) => {
      ({ isScored } = (await request.clone().json()) as { isScored: boolean });
      return { body: account() };
    },
  });
  expect((await consentSwitch()).getAttribute('aria-checked')).toBe('false');
  expect(within(await rowOf('Strava')).getByText('Seen by you alone; earns no miles.')).toBeDefined();
  expect(within(await rowOf('Fitbit')).queryByRole('switch')).toBeNull();
  await userEvent.click(await consentSwitch());
  await waitFor(() => expect(pathsOf(calls)).toContain('PATCH /api/fitness/strava'));
  expect(await sentTo(calls, 'PATCH /api/fitness/strava')).toEqual({ isScored: true });
  expect(await screen.findByText('Seen by you alone; earns miles.')).toBeDefined();
  await userEvent.click(await consentSwitch());
  await waitFor(async () => expect((await consentSwitch()).getAttribute('aria-checked')).toBe('false'));
});

test('[D21] a consent that cannot be saved goes back to what holds', async () => {
  openSettings({ ...connected, 'PATCH /api/fitness/strava': { status: 500, body: 'Boom' } });
  await userEvent.click(await consentSwitch());
  expect(await noticeOf('That could not be changed')).toBe('Please try again.');
  expect((await consentSwitch()).getAttribute('aria-checked')).toBe('false');
});
