import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';

const startedAt = '2026-11-21T09:00:00.000Z';
const logging = 'POST /api/log';
const bonusLink = '/timer?preset=true&duration=30&activity=Running&bonusChallenge=b1';

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const time = () => screen.getByRole('timer').textContent;
const shows = (text: string) => waitFor(() => expect(time()).toBe(text));
const milesLine = () => screen.getByRole('timer').nextElementSibling?.textContent;
const write = (text: string) =>
  fireEvent.change(screen.getByLabelText('Describe your workout'), { target: { value: text } });
const chosen = () =>
  within(screen.getByRole('group', { name: 'Activity' }))
    .getAllByRole('button', { pressed: true })
    .map(({ textContent }) => textContent);

/** Only the clock on the wall is driven: the page's own ticks notice that it has moved. */
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

const logged = (milesEarned: number, bonusApplied = false) => ({
  [logging]: { status: 201, body: { id: 'l1', milesEarned, bonusApplied } },
});

async function open(path = '/timer', api: Api = {}) {
  signedInAs();
  const calls = serveApi(api);
  const app = openApp(path);
  await screen.findByRole('timer');
  return { calls, ...app };
}

/** A run of that many seconds, stopped. */
async function moveFor(seconds: number, shown: string, api: Api = {}) {
  const app = await open('/timer', api);
  await press('Start');
  pass(seconds);
  await shows(shown);
  await press('Stop');
  return app;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(startedAt) });
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});
afterEach(() => void vi.useRealTimers());

test('[2.68 2.69 2.71] an idle timer offers activities, tips and the rule', async () => {
  await open();
  expect(screen.getByText('10 minutes of any activity = 1 mile')).toBeDefined();
  expect(within(screen.getByRole('list', { name: 'Tips' })).getAllByRole('listitem').length).toBeGreaterThan(0);
  const choices = within(screen.getByRole('group', { name: 'Activity' })).getAllByRole('button');
  expect(choices.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Walking'),
    expect.stringContaining('Running'),
    expect.stringContaining('Biking'),
    expect.stringContaining('Stretching'),
    expect.stringContaining('More'),
  ]);
  expect(choices.slice(0, 4).every(({ title }) => title !== '')).toBe(true);
  expect([time(), button('Stop').disabled]).toEqual(['0:00', true]);
});

test.each([
  [1, '0:01', '0.00 miles', 599],
  [65, '1:05', '0.10 miles', 535],
  [599, '9:59', '0.99 miles', 1],
  [600, '10:00', '1.00 miles', 600],
  [3661, '1:01:01', '6.10 miles', 539],
])('[2.69 9.1 9.8 9.9 D44] after %i seconds it shows %s, %s and %i to go', async (seconds, text, miles, next) => {
  await open();
  await press('Start');
  pass(seconds);
  await shows(text);
  expect(milesLine()).toBe(miles);
  expect(screen.getByText(`Next mile in ${next} seconds`)).toBeDefined();
});

test('[4.24] a pause keeps the time and going on adds to it', async () => {
  await open();
  await press('Start');
  pass(90);
  await shows('1:30');
  await press('Pause');
  expect(screen.getByText('Paused')).toBeDefined();
  pass(3600);
  await press('Resume');
  expect(time()).toBe('1:30');
  pass(30);
  await shows('2:00');
});

test('[4.25 5.8 9.3] under a minute there is nothing to log, and everything starts anew', async () => {
  await moveFor(59, '0:59');
  expect(await noticeOf('Timer Stopped')).toBe('Activity must be at least 1 minute to log.');
  expect(time()).toBe('0:00');
  expect(button('Start')).toBeDefined();
});

test('[2.70 4.25] from a minute on, stopping opens the log with duration and miles', async () => {
  await moveFor(1859, '30:59');
  expect(await screen.findByRole('heading', { name: 'Log your activity' })).toBeDefined();
  expect(screen.getByText('Duration').nextElementSibling?.textContent).toBe('30:59');
  expect(screen.getByText('Miles earned').nextElementSibling?.textContent).toBe('3.0');
});

test('[4.26] cancelling the log leads back to the timer, with its time', async () => {
  await moveFor(60, '1:00');
  pass(500);
  await press('Cancel');
  expect(time()).toBe('1:00');
  expect(button('Resume')).toBeDefined();
});

test('[5.8] nothing is logged without a word about it', async () => {
  const { calls } = await moveFor(60, '1:00');
  expect(button('Log Activity').disabled).toBe(true);
  write('   ');
  expect(button('Log Activity').disabled).toBe(true);
  const form = button('Log Activity').closest('form');
  if (form) fireEvent.submit(form);
  expect(await noticeOf('Photo or Description Required')).toBe(
    'Please either upload a photo or describe your workout.',
  );
  expect(pathsOf(calls)).not.toContain(logging);
  write('Round the lake');
  expect(button('Log Activity').disabled).toBe(false);
});

test('[4.27 7.17 8.14 D6] a log sends whole minutes, says what they earned and leads to the dashboard', async () => {
  const { calls, router } = await moveFor(1859, '30:59', logged(3));
  write('Round the lake');
  await press('Log Activity');
  expect(await noticeOf('Activity Logged!')).toBe('Great job! You earned 3.0 miles for your team');
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  expect(await sentTo(calls, logging)).toEqual({
    activityType: 'Walking',
    durationMinutes: 30,
    source: 'timer',
    startedAt,
    photoPrompt: 'Round the lake',
  });
  await router.navigate({ to: '/timer' });
  expect((await screen.findByRole('timer')).textContent).toBe('0:00');
});

test('[4.27] after a log, what it changed is asked for again', async () => {
  const { calls, queryClient } = await moveFor(60, '1:00', logged(0.1));
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
  write('Round the lake');
  await press('Log Activity');
  await noticeOf('Activity Logged!');
  const asked = invalidate.mock.calls.map(([filter]) => filter?.queryKey?.[0]);
  expect(asked).toEqual(expect.arrayContaining(['/api/me', '/api/dashboard/stats', '/api/bonus-challenge']));
  await waitFor(() => expect(pathsOf(calls).filter((path) => path === 'GET /api/me').length).toBeGreaterThan(1));
});

test('[8.10] a log that fails says so, keeps the form, and trying again can log only once', async () => {
  const { calls } = await moveFor(60, '1:00', { [logging]: { status: 503, body: { message: 'Away' } } });
  write('Round the lake');
  await press('Log Activity');
  expect(await noticeOf('Error')).toBe('Failed to log activity. Please try again.');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Describe your workout').value).toBe('Round the lake');
  await press('Log Activity');
  const logs = () => calls.filter(({ method }) => method === 'POST');
  await waitFor(() => expect(logs()).toHaveLength(2));
  const keys = logs().map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('[2.66 4.29 8.14 9.4] the link of a bonus challenge starts at once and doubles the miles', async () => {
  const { calls } = await open(bonusLink, logged(2, true));
  expect(button('Pause')).toBeDefined();
  expect(chosen()).toEqual([expect.stringContaining('Running')]);
  pass(600);
  await shows('10:00');
  expect(milesLine()).toBe('2.00 miles');
  await press('Stop');
  expect(screen.getByText('Miles earned').nextElementSibling?.textContent).toBe('2.0');
  write('Uphill');
  await press('Log Activity');
  expect(await noticeOf('Bonus Challenge Complete!')).toBe(
    'Great job! You earned 2.0 miles for your team (x2 BONUS BOOST!)',
  );
  expect(await sentTo(calls, logging)).toMatchObject({ activityType: 'Running', bonusChallengeId: 'b1' });
});

test.each(['/timer?preset=quick', '/timer?preset=true', '/timer?preset=quick&duration=30&activity=Running'])(
  '[2.65 2.66 D44] %s opens an idle timer',
  async (path) => {
    await open(path);
    pass(30);
    expect(button('Start')).toBeDefined();
    expect(localStorage.getItem('caravan:timer')).toBeNull();
    expect(chosen()).toEqual([expect.stringContaining('Walking')]);
  },
);

test('a reload keeps the run and its activity', async () => {
  await open();
  await press('Biking');
  await press('Start');
  pass(100);
  await shows('1:40');
  cleanup();
  pass(20);
  await open();
  expect(time()).toBe('2:00');
  expect(button('Pause')).toBeDefined();
  expect(chosen()).toEqual([expect.stringContaining('Biking')]);
});

test('[2.72 4.28] a name of one’s own is an activity, until a preset is chosen', async () => {
  await open();
  await press('More');
  expect(await screen.findByRole('button', { name: 'Kayaking' })).toBeDefined();
  fireEvent.change(screen.getByLabelText('Something else'), { target: { value: ' Raking leaves ' } });
  await press('Use it');
  await waitFor(() => expect(chosen()).toEqual(['Raking leaves']));
  await press('Walking');
  expect(chosen()).toEqual([expect.stringContaining('Walking')]);
  expect(screen.queryByRole('button', { name: 'Raking leaves' })).toBeNull();
});

test('the space bar starts and pauses', async () => {
  await open();
  fireEvent.keyDown(document.body, { code: 'Space' });
  expect(await screen.findByRole('button', { name: 'Pause' })).toBeDefined();
  fireEvent.keyDown(document.body, { code: 'Space' });
  expect(await screen.findByRole('button', { name: 'Resume' })).toBeDefined();
});
