import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { noticeOf, pathsOf } from '../../testing/app.tsx';
import { departures, fitbit, lastSyncDate, open, press, rowOf, statusOf, strava } from './testing/open-devices.tsx';

const connecting = 'GET /api/fitness/strava/auth';
const path = '/account-settings';
const authUrl = 'https://platform.example/authorize?state=1';
const away = { body: { authUrl } };

const connectedBoth = {
  'GET /api/fitness/status': { body: statusOf('4711', 'ABC123', lastSyncDate) },
  'GET /api/fitness/accounts': { body: [strava({ state: 'connected' }), fitbit({ state: 'connected' })] },
};

test('[1.16 2.9 2.80 2.84 D23] a way back, a card of four devices, and nothing to sync before one is connected', async () => {
  const { router } = open(path);
  const card = await screen.findByRole('region', { name: 'Fitness Devices' });
  await within(card).findByRole('heading', { name: 'Strava' });
  const rows = within(card).getAllByRole('heading', { level: 3 });
  expect(rows.map(({ textContent }) => textContent)).toEqual(['Apple Watch', 'Strava', 'Fitbit', 'Google Fit']);
  const coming = within(await rowOf('Google Fit')).getByRole<HTMLButtonElement>('button', { name: 'Coming Soon' });
  expect(coming.disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Sync Now' })).toBeNull();
  expect(screen.queryByText(/Last synced/)).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'Back' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
});

test('[2.82 2.83 2.85 7.21] who is connected with which number, and when something came last; no way to disconnect', async () => {
  open(path, connectedBoth);
  expect(within(await rowOf('Strava')).getByText('Connected')).toBeDefined();
  expect(within(await rowOf('Strava')).getByText('Athlete ID: 4711')).toBeDefined();
  expect(within(await rowOf('Fitbit')).getByText('User ID: ABC123')).toBeDefined();
  expect(screen.getByText(/^Last synced Nov 20, 2026, \d+:30/)).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Disconnect/ })).toBeNull();
  expect(within(await rowOf('Strava')).queryByRole('button')).toBeNull();
});

test.each(['strava', 'fitbit'] as const)(
  '[2.80 2.85] %s alone is enough to sync; the banner waits for a date',
  async (only) => {
    open(path, {
      'GET /api/fitness/status': { body: statusOf(only === 'strava' ? '1' : null, only === 'fitbit' ? '1' : null) },
    });
    expect(await screen.findByRole('button', { name: 'Sync Now' })).toBeDefined();
    expect(screen.queryByText(/Last synced/)).toBeNull();
  },
);

test('[2.85] a date of what is not connected any more says nothing', async () => {
  open(path, { 'GET /api/fitness/status': { body: statusOf(null, null, lastSyncDate) } });
  await rowOf('Strava');
  expect(screen.queryByText(/Last synced/)).toBeNull();
});

test.each([
  ['apple-watch', 'Apple Watch'],
  ['strava', 'Strava'],
  ['fitbit', 'Fitbit'],
  ['google-fit', 'Google Fit'],
])('[2.78 2.79] ?connect=%s marks its row, and leaves the address bar', async (id, name) => {
  const { router } = open(`${path}?connect=${id}`);
  await waitFor(() => expect(router.state.location.href).toBe(path));
  expect((await rowOf(name)).getAttribute('aria-current')).toBe('true');
  expect(document.querySelectorAll('li[aria-current]')).toHaveLength(1);
});

test('[2.78] what the address makes up marks nothing, and leaves it too', async () => {
  const { router } = open(`${path}?connect=pebble&connected=garmin`);
  await waitFor(() => expect(router.state.location.href).toBe(path));
  await rowOf('Strava');
  expect(document.querySelector('li[aria-current]')).toBeNull();
});

test('[1.16 2.81 D23] the Apple Watch’s dialog says what the companion app brings, and where it is had', async () => {
  open(path);
  await press('Connect Apple Watch');
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect your Apple Watch' }));
  for (const text of ['Real-time heart rate', 'Automatic workout detection', 'All workout types'])
    expect(dialog.getByText(text)).toBeDefined();
  expect(dialog.getByRole('button', { name: 'Download on App Store' })).toBeDefined();
});

test.each([
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)', 'here'],
  ['a desk', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'in a new tab'],
])('[2.81 D23] on %s the App Store opens', async (_what, userAgent, where) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  const opened = vi.fn();
  vi.stubGlobal('open', opened);
  const left = departures();
  open(path);
  await press('Connect Apple Watch');
  const dialog = await screen.findByRole('dialog', { name: 'Connect your Apple Watch' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Download on App Store' }));
  const store = expect.stringMatching(/^https:\/\/apps\.apple\.com\//) as unknown;
  expect(left).toEqual(where === 'here' ? [store] : []);
  expect(opened.mock.calls).toEqual(where === 'here' ? [] : [[store, '_blank', 'noopener']]);
  vi.restoreAllMocks();
});

test('[4.30 7.22 D21] Strava asks who may see it first; without the tick it is asked for without being scored', async () => {
  const left = departures();
  const { calls } = open(path, { [connecting]: away });
  await press('Connect Strava');
  const dialog = await screen.findByRole('dialog', { name: 'Before you go to Strava' });
  expect(within(dialog).getByText(/Only you see these workouts/)).toBeDefined();
  expect(within(dialog).getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
  expect(pathsOf(calls)).not.toContain(connecting);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Continue to Strava' }));
  await waitFor(() => expect(left).toEqual([authUrl]));
  expect(pathsOf(calls)).toContain(connecting);
});

test('[D21] the tick goes along, with what it means to others beside it', async () => {
  const left = departures();
  const { calls } = open(path, { [connecting]: away });
  await press('Connect Strava');
  const tick = await screen.findByRole('checkbox', { name: /^Let my Strava workouts earn miles/ });
  const hint = document.getElementById(tick.getAttribute('aria-describedby') ?? '');
  expect(hint?.textContent).toMatch(/others see your miles.* never what you did, when or where/);
  await userEvent.click(tick);
  await press('Continue to Strava');
  await waitFor(() => expect(left).toEqual([authUrl]));
  expect(pathsOf(calls)).toContain(`${connecting}?scored=true`);
});

test('[7.23 D22] Fitbit is shown as everything else is, and so asks nothing first', async () => {
  const left = departures();
  const { calls } = open(path, { 'GET /api/fitness/fitbit/auth': away });
  await press('Connect Fitbit');
  await waitFor(() => expect(left).toEqual([authUrl]));
  expect(pathsOf(calls)).toContain('GET /api/fitness/fitbit/auth');
});

test('[D44] where the server tells no more than the specification does, connecting and its state still work', async () => {
  const left = departures();
  const { calls } = open(path, { 'GET /api/fitness/accounts': { status: 404, body: {} }, [connecting]: away });
  await waitFor(() => expect(pathsOf(calls)).toContain('GET /api/fitness/accounts'));
  await rowOf('Strava');
  await press('Connect Strava');
  await waitFor(() => expect(left).toEqual([authUrl]));
});

test('[D21] while the server cannot tell who may see it, Strava asks as if nobody else may', async () => {
  const left = departures();
  const accounts = { status: 503, body: { message: 'This is not available right now.' } };
  const { calls } = open(path, { 'GET /api/fitness/accounts': accounts, [connecting]: away });
  await waitFor(() => expect(pathsOf(calls)).toContain('GET /api/fitness/accounts'));
  await rowOf('Strava');
  await press('Connect Strava');
  expect(await screen.findByRole('checkbox', { name: /^Let my Strava workouts earn miles/ })).toBeDefined();
  expect(left).toEqual([]);
});

test.each([
  ['Strava', 'strava'],
  ['Fitbit', 'fitbit'],
])('[8.11] %s that cannot be connected is told, with the server’s reason in its row', async (name, id) => {
  const message = 'Your administrator has not set up this platform.';
  open(path, {
    [`GET /api/fitness/${id}/auth`]: { status: 409, body: { message } },
    'GET /api/fitness/accounts': { status: 404, body: {} },
  });
  await press(`Connect ${name}`);
  expect(await noticeOf('Connection Failed')).toBe(`Could not connect to ${name}. Please try again.`);
  expect(within(await rowOf(name)).getByRole('status').textContent).toBe(message);
});

test.each([
  ['refused', /You did not allow it at Strava/],
  ['scope', /was not allowed to show us your workouts/],
  ['expired', /It took longer than ten minutes/],
  ['taken', /connected to somebody else/],
  ['another', /Another Strava account is connected/],
  ['unreachable', /Strava did not answer/],
])('[4.30 8.11] who comes back unconnected (%s) reads why, in the row', async (why, words) => {
  const { router } = open(`${path}?failed=strava&why=${why}`);
  expect(await noticeOf('Connection Failed')).toBe('Could not connect to Strava. Please try again.');
  expect(within(await rowOf('Strava')).getByRole('status').textContent).toMatch(words);
  expect(router.state.location.href).toBe(path);
});

test('[4.30] who comes back connected is told, in the row that it is about', async () => {
  open(`${path}?connected=fitbit`, connectedBoth);
  expect(await noticeOf('Fitbit is connected')).toBe('Your last 30 days are on their way.');
  expect((await rowOf('Fitbit')).getAttribute('aria-current')).toBe('true');
});

test('[2.82] what the administrator has not set up says so and offers nothing', async () => {
  open(path, { 'GET /api/fitness/accounts': { body: [strava({ state: 'not-set-up' }), fitbit()] } });
  const row = within(await rowOf('Strava'));
  expect(await row.findByText('Your administrator has not set up this platform.')).toBeDefined();
  expect(row.queryByRole('button')).toBeNull();
});

test('[D22] what wants to be connected again says why, and offers it', async () => {
  open(path, { 'GET /api/fitness/accounts': { body: [strava(), fitbit({ state: 'reconnect', importCount: 3 })] } });
  const row = within(await rowOf('Fitbit'));
  expect(await row.findByText(/Fitbit no longer lets us read your workouts. What was imported stays/)).toBeDefined();
  expect(row.getByRole('button', { name: 'Connect again Fitbit' })).toBeDefined();
});

test('[4.30] the first days are counted as they come; their end is looked up without a reload', async () => {
  let daysDone = 12;
  const account = () => strava({ state: 'connected', backfill: daysDone < 30 ? { daysDone, days: 30 } : null });
  const { calls } = open(path, {
    'GET /api/fitness/status': () => ({ body: statusOf('4711', null, daysDone < 30 ? null : lastSyncDate) }),
    'GET /api/fitness/accounts': () => ({ body: [account(), fitbit()] }),
  });
  const bar = await screen.findByRole('progressbar', { name: 'Workouts from Strava' });
  expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuetext')]).toEqual(['40', '12 of 30 days']);
  const before = pathsOf(calls).filter((call) => call === 'GET /api/me').length;
  daysDone = 30;
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect(await screen.findByText(/^Last synced Nov 20/)).toBeDefined();
  expect(pathsOf(calls).filter((call) => call === 'GET /api/me').length).toBeGreaterThan(before);
});

test('[7.24 8.14] Sync Now says how many came, and looks up what follows from it', async () => {
  const { calls } = open(path, { ...connectedBoth, 'POST /api/fitness/sync': { body: { syncedActivities: 3 } } });
  await press('Sync Now');
  expect(await noticeOf('Sync Complete')).toBe('Synced 3 new activities');
  const since = pathsOf(calls).slice(pathsOf(calls).indexOf('POST /api/fitness/sync'));
  for (const read of ['GET /api/fitness/status', 'GET /api/me'])
    await waitFor(() => expect(since.concat(pathsOf(calls).slice(since.length))).toContain(read));
  const sync = calls.find(({ url, method }) => method === 'POST' && url.endsWith('/sync'));
  expect(await sync?.clone().text()).toBe('');
});

test('[8.12] a sync that fails says so, and the server’s reason stays in sight', async () => {
  const message = 'Strava takes no more questions for now. Try again in 12 minutes.';
  open(path, { ...connectedBoth, 'POST /api/fitness/sync': { status: 503, body: { message } } });
  await press('Sync Now');
  expect(await noticeOf('Sync Failed')).toBe('Could not sync activities. Please try again.');
  expect(screen.getByText(message)).toBeDefined();
});

test('devices that cannot be loaded can be tried again', async () => {
  let isBroken = true;
  open(path, {
    'GET /api/fitness/status': () => (isBroken ? { status: 500, body: 'Boom' } : { body: statusOf(null, null) }),
  });
  const again = await screen.findByRole('button', { name: 'Try again' });
  isBroken = false;
  await userEvent.click(again);
  await rowOf('Strava');
});
