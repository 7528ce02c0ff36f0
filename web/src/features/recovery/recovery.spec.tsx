import { i18n } from '@lingui/core';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { currentSession, endSession } from '../../lib/session-state.ts';
import { toast } from '../../ui/toast-state.ts';

const problem = (status: number, message: string) => ({ status, body: { title: 'Refused', status, message } });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
async function type(label: string, text: string): Promise<void> {
  await userEvent.click(await screen.findByLabelText(label));
  await userEvent.paste(text);
}
const heading = async (name: string) => screen.findByRole('heading', { name, level: 1 });

function open(path: string, api: Api = {}) {
  const calls = serveApi({
    'POST /api/forgot-password': { body: { message: 'Sent' } },
    'POST /api/reset-password': { body: { message: 'Set' } },
    ...api,
  });
  return { calls, ...openApp(path) };
}

async function resetWith(password: string): Promise<void> {
  await type('New password', password);
  await press('Update Password');
}

beforeEach(() => {
  endSession();
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[2.3 2.49 2.50 4.14 8.14] a link is asked for, and the way back to the form keeps the address', async () => {
  const { calls } = open('/forgot-password');
  await type('Email', 'maya@example.org');
  await press('Send Reset Link');
  expect(await noticeOf('Reset link sent!')).toBe('Check your email for password reset instructions.');
  expect(document.activeElement).toBe(await heading('Check your email!'));
  expect(await sentTo(calls, 'POST /api/forgot-password')).toEqual({ email: 'maya@example.org' });
  expect(screen.getByRole('link', { name: 'Back to Sign In' }).getAttribute('href')).toBe('/login');
  await press("Didn't receive the email? Try again");
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe('maya@example.org');
});

test('[5.4] an address that is none is not sent', async () => {
  const { calls } = open('/forgot-password');
  await type('Email', 'maya');
  await press('Send Reset Link');
  expect(await screen.findByRole('textbox', { name: 'Email', description: 'Invalid email address' })).toBeDefined();
  expect(pathsOf(calls)).toEqual([]);
});

for (const [what, answer, words] of [
  ['the server’s message', problem(429, 'Too many requests'), 'Too many requests'],
  ['Failed to send reset email where it has none', { status: 502, body: '' }, 'Failed to send reset email'],
] as const)
  test(`[8.6] what cannot be sent says ${what}`, async () => {
    open('/forgot-password', { 'POST /api/forgot-password': answer });
    await type('Email', 'maya@example.org');
    await press('Send Reset Link');
    expect(await noticeOf('Error')).toBe(words);
    expect(await heading('Forgot your password?')).toBeDefined();
  });

for (const path of ['/reset-password', '/reset-password?token=', '/reset-password?token=%20'])
  test(`[2.51 2.52 5.5 8.7] ${path} has no token: it says so and leads to asking for a link`, async () => {
    const { router } = open(path);
    const words = 'No reset token found. Please request a new password reset.';
    expect(await noticeOf('Invalid Reset Link')).toBe(words);
    await waitFor(() => expect(router.state.location.pathname).toBe('/forgot-password'));
  });

test('[2.51] the token leaves the address bar and the history, and is sent all the same', async () => {
  const { calls, router } = open('/reset-password?token=secret-1');
  await heading('Set a new password');
  await waitFor(() => expect(router.state.location.href).toBe('/reset-password'));
  expect(router.history.length).toBe(1);
  await resetWith('Walk4ever!');
  await heading('Password Updated!');
  expect(await sentTo(calls, 'POST /api/reset-password')).toEqual({ token: 'secret-1', password: 'Walk4ever!' });
});

test('[2.4 2.53 2.54 4.15 8.14] a new password is measured, set and leads to the login', async () => {
  const { router } = open('/reset-password?token=secret-1');
  await type('New password', 'Walk4ever!');
  expect(screen.getByRole('progressbar', { name: 'Password strength' }).getAttribute('aria-valuetext')).toBe('Strong');
  await press('Update Password');
  expect(await noticeOf('Password Reset Successful!')).toBe('Your password has been updated successfully.');
  expect(document.activeElement).toBe(await heading('Password Updated!'));
  await userEvent.click(screen.getByRole('link', { name: 'Sign In Now' }));
  await screen.findByRole('button', { name: 'Continue with Email' });
  expect(router.state.location.pathname).toBe('/login');
});

test('[2.54] Sign In Now leads to the login at the first click, however long its code takes to come', async () => {
  const { router } = open('/reset-password?token=secret-1');
  await resetWith('Walk4ever!');
  const link = await screen.findByRole('link', { name: 'Sign In Now' });
  const code = Promise.withResolvers<undefined>();
  Object.assign(router.routesByPath['/login'].options, { loader: () => code.promise });
  const places: string[] = [];
  router.subscribe('onBeforeNavigate', ({ toLocation }) => places.push(toLocation.pathname));
  await userEvent.click(link);
  act(() => i18n.load('en', {}));
  code.resolve(undefined);
  await screen.findByRole('button', { name: 'Continue with Email' });
  expect(places).toEqual(['/login']);
});

test('a new password ends the session of this browser too', async () => {
  signedInAs();
  const { verified } = open('/reset-password?token=secret-1');
  await verified;
  await resetWith('Walk4ever!');
  await heading('Password Updated!');
  expect(currentSession().status).toBe('signed-out');
  expect(localStorage.getItem('token')).toBeNull();
});

test('[5.5] a weak password is not sent', async () => {
  const { calls } = open('/reset-password?token=secret-1');
  await resetWith('walk');
  expect(await screen.findByText('Password must be at least 8 characters')).toBeDefined();
  expect(pathsOf(calls)).toEqual([]);
});

for (const [what, answer, words] of [
  ['the server’s message', problem(422, 'This link was used already'), 'This link was used already'],
  [
    'that the link may be expired where it has none',
    { status: 500, body: 'Boom' },
    'Failed to reset password. The link may be expired.',
  ],
] as const)
  test(`[8.7] a failed reset says ${what} and offers a new link`, async () => {
    open('/reset-password?token=old', { 'POST /api/reset-password': answer });
    await resetWith('Walk4ever!');
    expect(await noticeOf('Reset Failed')).toBe(words);
    expect(screen.getByRole('link', { name: 'Request a new link' }).getAttribute('href')).toBe('/forgot-password');
  });

for (const path of ['/forgot-password', '/reset-password?token=x'])
  test(`[2.21] ${path} has no navigation around it`, async () => {
    open(path);
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
  });

test('[2.50 7.7] the settings mail the link for a new password', async () => {
  signedInAs();
  const calls = serveApi({
    'POST /api/forgot-password': { body: { message: 'Sent' } },
    'GET /api/me/sessions': { body: [] },
    'GET /api/fitness/status': { status: 404 },
  });
  openApp('/settings');
  await userEvent.click(await screen.findByRole('button', { name: 'Change password' }));
  expect(await noticeOf('Check your email!')).toBe('We mailed a link to maya@example.org.');
  expect(await sentTo(calls, 'POST /api/forgot-password')).toEqual({ email: 'maya@example.org' });
});
