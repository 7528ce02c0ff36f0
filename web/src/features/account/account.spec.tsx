import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { board, me, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { endSession } from '../../lib/session-state.ts';
import { toast } from '../../ui/toast-state.ts';

const assignedTeam = { id: 't1', name: 'Thunder', emoji: '⚡' };
const tooShort = 'Password must be at least 8 characters';
const tooSimple =
  'Password must contain at least 1 uppercase letter, 1 lowercase letter, 1 number, and 1 special character';

const problem = (status: number, message: string) => ({ status, body: { title: 'Refused', status, message } });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
async function type(label: string, text: string): Promise<void> {
  await userEvent.click(await screen.findByLabelText(label));
  await userEvent.paste(text);
}

function open(path: string, api: Api = {}) {
  const calls = serveApi(api);
  return { calls, ...openApp(path) };
}

async function openForm(path: string, api: Api = {}) {
  const opened = open(path, api);
  await press('Continue with Email');
  await screen.findByLabelText('Email');
  return opened;
}

async function logInWith(email: string, password: string): Promise<void> {
  if (email) await type('Email', email);
  if (password) await type('Password', password);
  await press('Sign In');
}

async function signUpWith(password = 'Walk4ever!'): Promise<void> {
  await type('Full name', 'Maya Okafor');
  await type('Email', 'maya@example.org');
  await type('Password', password);
  await press('Create Account');
}

beforeEach(() => {
  endSession();
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});
afterEach(() => void vi.restoreAllMocks());

/** What is pressed tells of its provider; nothing is asked of the server. */
async function expectSocialButtons(): Promise<void> {
  for (const provider of ['Apple', 'Google', 'Facebook']) {
    await press(`Continue with ${provider}`);
    await screen.findByText(`${provider} Sign-In will be available in a future update.`, { selector: 'li *' });
    expect(await noticeOf('Coming Soon')).toBe(`${provider} Sign-In will be available in a future update.`);
  }
}

test('[2.1 2.32 2.33 D36] login first offers Apple, Google and Facebook, each to come, and asks for nothing yet', async () => {
  const { calls } = open('/login');
  await expectSocialButtons();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(pathsOf(calls)).toEqual([]);
});

test('[2.2 2.38 D36] sign-up announces Apple, Google and Facebook', async () => {
  const { calls } = open('/signup');
  await expectSocialButtons();
  expect(pathsOf(calls)).toEqual([]);
});

test('[1.18 2.39 D36] sign-up announces the fitness platforms', async () => {
  open('/signup');
  const group = await screen.findByRole('region', { name: 'Connect with fitness platforms' });
  const platforms = within(group).getAllByRole('button');
  expect(platforms.map(({ textContent }) => textContent)).toEqual(['Strava', 'Garmin', 'AllTrails']);
  for (const platform of platforms) {
    await userEvent.click(platform);
    const words = `${platform.textContent} Sign-In will be available in a future update.`;
    expect(await screen.findByText(words, { selector: 'li *' })).toBeDefined();
  }
});

/** The fields of the form that is open; then the way back to the social buttons. */
async function expectFormAndWayBack(labels: string[], action: string): Promise<void> {
  const fields = [...document.querySelectorAll('form input')].map((input) => input.id);
  expect(fields).toEqual(labels.map((label) => screen.getByLabelText(label).id));
  expect(screen.getByRole('button', { name: action })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Continue with Google' })).toBeNull();
  await press('Back');
  expect(screen.getByRole('button', { name: 'Continue with Google' })).toBeDefined();
  expect(screen.queryByRole('button', { name: action })).toBeNull();
}

test('[2.34] Continue with Email opens a form for email and password that leads back', async () => {
  await openForm('/login');
  await expectFormAndWayBack(['Email', 'Password'], 'Sign In');
});

test('[2.40] sign-up with email asks for full name, email and password, whose strength shows while one types', async () => {
  await openForm('/signup');
  const strength = () => screen.getByRole('progressbar', { name: 'Password strength' }).getAttribute('aria-valuetext');
  const shown = [strength()];
  for (const typed of ['walk', 'Walk', '4ever!']) {
    await type('Password', typed);
    shown.push(strength());
  }
  expect(shown).toEqual(['Weak', 'Weak', 'Medium', 'Strong']);
  await expectFormAndWayBack(['Full name', 'Email', 'Password'], 'Create Account');
});

test('[2.35] login and sign-up lead to each other', async () => {
  const { router } = open('/login');
  await userEvent.click(await screen.findByRole('link', { name: 'Create one' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/signup'));
  await userEvent.click(await screen.findByRole('link', { name: 'Sign in' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
});

test('[2.35] the form leads to a forgotten password', async () => {
  const { router } = await openForm('/login');
  await userEvent.click(screen.getByRole('link', { name: 'Forgot your password?' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/forgot-password'));
  expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeDefined();
});

test('[2.36] both legal texts are linked', async () => {
  open('/login');
  expect((await screen.findByRole('link', { name: 'Terms of Service' })).getAttribute('href')).toBe('/terms');
  expect(screen.getByRole('link', { name: 'Privacy Policy' }).getAttribute('href')).toBe('/privacy');
});

test('[5.3] what login cannot send is said at the field, and not sent', async () => {
  const { calls } = await openForm('/login');
  await logInWith('maya', '');
  expect(await screen.findByRole('textbox', { name: 'Email', description: 'Invalid email address' })).toBeDefined();
  expect(screen.getByText('Password is required')).toBeDefined();
  expect(pathsOf(calls)).toEqual([]);
});

test('[2.37 3.2 4.7 8.14] a login stores the session, says so and leads to the dashboard', async () => {
  const { calls, router } = await openForm('/login', { 'POST /api/login': { body: { token: 'token-9', user: me } } });
  await logInWith('maya@example.org', 'any password');
  expect(await noticeOf('Welcome back!')).toBe('You have successfully logged in.');
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  expect(localStorage.getItem('token')).toBe('token-9');
  const stored: unknown = JSON.parse(localStorage.getItem('user') ?? '');
  expect(stored).toMatchObject({ name: 'Maya Okafor', role: 'member', profilePhotoUrl: null });
  expect(await sentTo(calls, 'POST /api/login')).toEqual({ email: 'maya@example.org', password: 'any password' });
});

for (const [what, answer, words] of [
  ['the server’s message', problem(429, 'Too many attempts'), 'Too many attempts'],
  ['that the account was deactivated', problem(401, 'This account is deactivated'), 'This account is deactivated'],
  ['Invalid credentials where it has none', { status: 500, body: 'Boom' }, 'Invalid credentials'],
] as const)
  test(`[8.3] a failed login says ${what} and stays`, async () => {
    const { router } = await openForm('/login', { 'POST /api/login': answer });
    await logInWith('maya@example.org', 'wrong');
    expect(await noticeOf('Login failed')).toBe(words);
    expect(router.state.location.pathname).toBe('/login');
    expect(localStorage.getItem('token')).toBeNull();
  });

test('who is signed in finds the dashboard instead of the login', async () => {
  signedInAs();
  const { router, verified } = open('/login');
  await verified;
  await router.navigate({ to: '/login' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
});

for (const [password, words] of [
  ['Aa1!aaa', tooShort],
  ['aaaaaa1!', tooSimple],
  ['AAAAAA1!', tooSimple],
  ['Aaaaaaa!', tooSimple],
  ['Aaaaaaa1', tooSimple],
] as const)
  test(`[5.1 9.11] sign-up refuses the password ${password}`, async () => {
    const { calls } = await openForm('/signup');
    await signUpWith(password);
    expect(await screen.findByText(words)).toBeDefined();
    expect(pathsOf(calls)).toEqual([]);
  });

test('[5.6] sign-up asks for a name, a proper address and a password, and for no activity level', async () => {
  const { calls } = await openForm('/signup');
  await type('Email', 'maya@');
  await press('Create Account');
  expect(await screen.findByRole('textbox', { name: 'Full name', description: 'Name is required' })).toBeDefined();
  expect(screen.getByRole('textbox', { name: 'Email', description: 'Invalid email address' })).toBeDefined();
  expect(screen.getByText(tooShort)).toBeDefined();
  expect(screen.queryByRole('radio')).toBeNull();
  expect(pathsOf(calls)).toEqual([]);
});

for (const [password, met, label] of [
  ['', [], 'Weak'],
  ['a', ['One lowercase letter'], 'Weak'],
  ['aA', ['One lowercase letter', 'One uppercase letter'], 'Medium'],
  ['aA1', ['One lowercase letter', 'One uppercase letter', 'One number'], 'Medium'],
  ['aA1!', ['One lowercase letter', 'One uppercase letter', 'One number', 'One special character'], 'Strong'],
  ['aaaaaaaa', ['At least 8 characters', 'One lowercase letter'], 'Medium'],
] as const)
  test(`[5.2] of the five criteria “${password}” meets ${met.length}: ${label}`, async () => {
    await openForm('/signup');
    if (password) await type('Password', password);
    const meter = screen.getByRole('progressbar', { name: 'Password strength' });
    expect(meter.getAttribute('aria-valuetext')).toBe(label);
    const criteria = screen.getAllByRole('listitem').filter(({ textContent }) => /At least|One /.test(textContent));
    expect(criteria).toHaveLength(5);
    const marked = criteria.filter(({ textContent }) => textContent.includes('(met)'));
    expect(marked.map(({ textContent }) => textContent)).toEqual(met.map((text) => `${text} (met)`));
  });

test('[7.5 D39] a sign-up sends the time zone of the browser and begins the four steps', async () => {
  const actual = Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...actual,
    timeZone: 'Pacific/Auckland',
  });
  const answer = { status: 201, body: { token: 'token-9', user: me, assignedTeam } };
  const { calls, router } = await openForm('/signup', { 'POST /api/signup': answer });
  await signUpWith();
  expect(await screen.findByRole('heading', { name: 'Welcome, Maya!' })).toBeDefined();
  expect(await sentTo(calls, 'POST /api/signup')).toEqual({
    name: 'Maya Okafor',
    email: 'maya@example.org',
    password: 'Walk4ever!',
    timeZone: 'Pacific/Auckland',
  });
  expect(localStorage.getItem('token')).toBe('token-9');
  expect(router.state.location.pathname).toBe('/signup');
});

for (const [what, answer, words] of [
  ['the server’s message', problem(422, 'This invite has expired'), 'This invite has expired'],
  ['Failed to create account where it has none', { status: 502, body: '' }, 'Failed to create account'],
] as const)
  test(`[8.4] a failed sign-up says ${what} and keeps what was typed`, async () => {
    await openForm('/signup', { 'POST /api/signup': answer });
    await signUpWith();
    expect(await noticeOf('Signup failed')).toBe(words);
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('maya@example.org');
  });

test('[2.20 2.37] a link that was opened signed out is where one goes on after signing in', async () => {
  endSession();
  serveApi({ 'POST /api/login': { body: { token: 'token-1', user: me } }, 'GET /api/leaderboard': { body: board } });
  const { router } = openApp('/leaderboard?period=week');
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with Email' }));
  expect(router.state.location.href).toBe('/login');
  await userEvent.type(await screen.findByLabelText('Email'), 'maya@example.org');
  await userEvent.type(screen.getByLabelText('Password'), 'Secret-1!');
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
  await waitFor(() => expect(router.state.location.href).toBe('/leaderboard?period=week'));
});
