import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import {
  me,
  noticeOf,
  openApp,
  pathsOf,
  sentTo,
  serveApi,
  signedInAs,
  type Answer,
  type Api,
} from '../../testing/app.tsx';
import { currentSession, endSession } from '../../lib/session-state.ts';
import { toast } from '../../ui/toast-state.ts';

const answerOf = (message: string) => ({ body: { message } });
const refusal = (status: number, message: string) => ({ status, body: { title: 'Refused', status, message } });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });

function open(path: string, api: Api = {}) {
  const calls = serveApi({
    'POST /api/email/confirm': answerOf('Confirmed'),
    'POST /api/email/undo': answerOf('Kept'),
    'POST /api/email/confirmation': answerOf('A mail is on its way.'),
    'POST /api/auth/refresh': { body: { token: 'token-2', user: me } },
    ...api,
  });
  return { calls, ...openApp(path) };
}

beforeEach(() => {
  endSession();
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[D54] opening the link confirms the address, once, and the token leaves the address bar', async () => {
  const { calls, router } = open('/confirm-email?token=secret-1');
  await heading('Your email is confirmed!');
  expect(await sentTo(calls, 'POST /api/email/confirm')).toEqual({ token: 'secret-1' });
  expect(pathsOf(calls).filter((path) => path === 'POST /api/email/confirm')).toHaveLength(1);
  await waitFor(() => expect(router.state.location.href).toBe('/confirm-email'));
  await userEvent.click(screen.getByRole('link', { name: 'Sign In' }));
  await screen.findByRole('button', { name: 'Continue with Email' });
});

test('[D54] whoever is signed in here goes on with a new token', async () => {
  signedInAs({ isEmailConfirmed: false });
  const { verified } = open('/confirm-email?token=secret-1');
  await verified;
  await heading('Your email is confirmed!');
  await waitFor(() => expect(localStorage.getItem('token')).toBe('token-2'));
  expect(screen.getByRole('link', { name: 'Go on' }).getAttribute('href')).toBe('/');
});

for (const page of ['confirm-email', 'undo-email'])
  test(`[D54] /${page} without a token says so and asks nothing of the server`, async () => {
    const { calls } = open(`/${page}`);
    await heading('This link does not work');
    expect(pathsOf(calls)).toEqual([]);
  });

test('[D54] a link that is used or too old says so', async () => {
  open('/confirm-email?token=old', { 'POST /api/email/confirm': refusal(422, 'This link has expired.') });
  await heading('This link does not work');
  expect(screen.getByText(/This link has expired\./)).toBeDefined();
});

test('[D54] keeping the old address takes one press, so that nothing which only looks at a mail does it', async () => {
  signedInAs();
  const { calls, verified } = open('/undo-email?token=secret-1');
  await verified;
  await heading('Keep your email address?');
  expect(pathsOf(calls)).not.toContain('POST /api/email/undo');
  await press('Keep this address');
  expect(document.activeElement).toBe(await heading('Your address is yours again'));
  expect(await sentTo(calls, 'POST /api/email/undo')).toEqual({ token: 'secret-1' });
  expect(currentSession().status).toBe('signed-out');
});

test('[D54] a reminder stands above every screen until the address is confirmed or it is put off', async () => {
  signedInAs();
  open('/profile', { 'GET /api/me': { body: { ...me, isEmailConfirmed: false } } });
  const reminder = await screen.findByRole('region', { name: 'Confirm your email' });
  expect(reminder.textContent).toContain('maya@example.org');
  await userEvent.click(within(reminder).getByRole('button', { name: 'Send the link again' }));
  expect(await noticeOf('Check your email!')).toBe('A mail is on its way.');
  await press('Remind me later');
  expect(screen.queryByRole('region', { name: 'Confirm your email' })).toBeNull();
});

test.each([[{ isEmailConfirmed: true }], [{ isEmailConfirmed: undefined }]])(
  '[D44 D54] %j reminds of nothing',
  async (fields) => {
    signedInAs();
    open('/profile', { 'GET /api/me': { body: { ...me, ...fields } } });
    await screen.findByRole('navigation', { name: 'Main' });
    expect(screen.queryByRole('region', { name: 'Confirm your email' })).toBeNull();
  },
);

test('[D54 S25] too many mails says the server’s words', async () => {
  signedInAs();
  open('/profile', {
    'GET /api/me': { body: { ...me, isEmailConfirmed: false } },
    'POST /api/email/confirmation': refusal(429, 'Three mails an hour is the most.'),
  });
  await press('Send the link again');
  expect(await noticeOf('Error')).toBe('Three mails an hour is the most.');
});

test('[D54] a guest sees what to do instead of the organisation, and comes in with a new token', async () => {
  signedInAs();
  let isGuest = true;
  const guest = () => ({ body: { ...me, isGuest, isEmailConfirmed: !isGuest } });
  const { calls } = open('/profile', { 'GET /api/me': guest });
  await heading('Confirm your email to come in');
  expect(screen.queryByRole('region', { name: 'Confirm your email' })).toBeNull();
  isGuest = false;
  await press('I have opened it');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Confirm your email to come in' })).toBeNull());
  expect(localStorage.getItem('token')).toBe('token-2');
  expect(pathsOf(calls)).toContain('POST /api/auth/refresh');
});

test('[D34 3.46] unsubscribing takes one press and no signing in, and says which switch is off now', async () => {
  const { calls } = open('/unsubscribe?token=secret-1', {
    'POST /api/unsubscribe': { body: { mails: 'teamUpdates' } },
  });
  await heading('No more mails like this?');
  expect(pathsOf(calls)).toEqual([]);
  await press('Unsubscribe');
  expect(document.activeElement).toBe(await heading('You are unsubscribed'));
  expect(screen.getByText(/^Team updates are off\./)).toBeDefined();
  const [call] = calls.filter(({ url }) => url.includes('/api/unsubscribe'));
  expect(new URL(call?.url ?? '').search).toBe('?token=secret-1');
  expect(currentSession().status).toBe('signed-out');
});

test('[D34] a link to unsubscribe that is cut off, or of an account that is gone, says so', async () => {
  open('/unsubscribe?token=old', { 'POST /api/unsubscribe': refusal(422, 'Its account is gone.') });
  await press('Unsubscribe');
  await heading('This link does not work');
  expect(screen.getByText(/Its account is gone\./)).toBeDefined();
  open('/unsubscribe');
  expect(await screen.findByText('This link is not complete.')).toBeDefined();
});

test('[D34] mails that could not be ended can be tried again, and the link is not blamed', async () => {
  const answers: Answer[] = [{ status: 503, body: '' }, { body: { mails: 'email' } }];
  open('/unsubscribe?token=secret-1', { 'POST /api/unsubscribe': () => answers.shift() ?? { body: {} } });
  await press('Unsubscribe');
  expect(document.activeElement).toBe(await heading('That did not work'));
  expect(screen.getByText('The mails could not be ended. Please try again.')).toBeDefined();
  await press('Try again');
  await heading('You are unsubscribed');
  expect(screen.getByText(/^Email notifications are off\./)).toBeDefined();
});
