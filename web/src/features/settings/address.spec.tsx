import type { Settings } from '@caravan/contracts/http/people';
import { fireEvent, screen, waitFor } from '@testing-library/react';
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

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const saveButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Save Changes' });
const type = async (name: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(name), { target: { value } });

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[D54] another address asks for the password, and stays pending until its link is opened', async () => {
  let pendingEmail: string | null = null;
  const { calls } = open({
    'GET /api/me': () => ({ body: { ...me, pendingEmail } }),
    [saving]: () => {
      pendingEmail = 'next@example.org';
      return { body: settings };
    },
    'DELETE /api/email/pending': () => {
      pendingEmail = null;
      return { body: { message: 'Kept' } };
    },
  });
  await saveButton();
  expect(screen.queryByLabelText('Current password')).toBeNull();
  await type('Email', 'next@example.org');
  await press('Save Changes');
  expect(await screen.findByText('Password is required')).toBeDefined();
  expect(pathsOf(calls)).not.toContain(saving);
  await type('Current password', 'Walk4ever!');
  await press('Save Changes');
  expect(await noticeOf('Settings Updated')).toContain('next@example.org');
  const sent = await sentTo(calls, saving);
  expect(sent).toMatchObject({ profile: { email: 'next@example.org' }, currentPassword: 'Walk4ever!' });
  expect((await screen.findByRole('status')).textContent).toContain('next@example.org');
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('maya@example.org');
  expect(screen.queryByLabelText('Current password')).toBeNull();
  await press('Keep my address');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep my address' })).toBeNull());
});

test('[D54] a wrong password stands at its field', async () => {
  const errors = [{ path: 'currentPassword', message: 'The password is wrong.' }];
  open({ [saving]: { status: 422, body: { message: 'The password is wrong.', errors } } });
  await type('Email', 'next@example.org');
  await type('Current password', 'Nope');
  await press('Save Changes');
  await screen.findByText('The password is wrong.', { selector: 'p' });
  expect(screen.getByLabelText('Current password').getAttribute('aria-invalid')).toBe('true');
});
