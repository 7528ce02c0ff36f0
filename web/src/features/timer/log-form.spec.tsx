import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { momentOf, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs } from '../../testing/app.tsx';
import { keyedServer } from '../../testing/keyed-server.ts';
import {
  button,
  choosePhoto,
  logAnswer,
  logging,
  moveFor,
  open,
  pass,
  press,
  shows,
  startedAt,
  stopTheClock,
  write,
} from './testing/open-timer.tsx';

/** The screen again, with the form of the log that was being made. */
async function openLog() {
  signedInAs();
  const calls = serveApi(logAnswer(0.1));
  openApp('/timer');
  await screen.findByRole('button', { name: 'Log Activity' });
  return { calls };
}

beforeEach(stopTheClock);
afterEach(() => void vi.useRealTimers());

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

test('[2.74 4.27 7.17 8.14 D6] a log sends whole minutes, says what they earned and leads to the dashboard', async () => {
  const { calls, router } = await moveFor(1859, '30:59', logAnswer(3));
  write('Round the lake');
  await press('Log Activity');
  expect(await momentOf('Activity Logged!')).toBe('Great job! You earned 3.0 miles for your team');
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

test('[ADR-0104] how hard it was can be said, taken back, survives a reload, and goes with the log', async () => {
  const { calls } = await moveFor(60, '1:00');
  write('Round the lake');
  const effort = (name: string) => screen.getByRole('radio', { name });
  expect(effort('Not said').getAttribute('aria-checked')).toBe('true');
  fireEvent.click(effort('All out'));
  fireEvent.click(effort('Not said'));
  expect(effort('All out').getAttribute('aria-checked')).toBe('false');
  fireEvent.click(effort('Hard'));
  cleanup();
  const { calls: after } = await openLog();
  expect(effort('Hard').getAttribute('aria-checked')).toBe('true');
  await press('Log Activity');
  await momentOf('Activity Logged!');
  expect(pathsOf(calls)).not.toContain(logging);
  expect(await sentTo(after, logging)).toMatchObject({ photoPrompt: 'Round the lake', perceivedEffort: 4 });
});

test('[4.27 7.35] after a log, what it changed is asked for again', async () => {
  const { calls, queryClient } = await moveFor(60, '1:00', logAnswer(0.1));
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
  write('Round the lake');
  await press('Log Activity');
  await momentOf('Activity Logged!');
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

test.each([
  ['at once', false],
  ['after a reload', true],
])(
  '[8.10 D8 D38] a log whose answer was lost and whose words were changed is said to be saved, and takes them, %s',
  async (_when, isReloaded) => {
    const server = keyedServer(1, () => ({ status: 201, body: { id: 'l1', milesEarned: 0.1, bonusApplied: false } }));
    const api = { [logging]: server.answerTo, 'PATCH /api/logs/l1': { body: { id: 'l1' } } };
    let { calls } = await moveFor(60, '1:00', api);
    write('Round the lake');
    await press('Log Activity');
    await noticeOf('Error');
    write('Round the lake and back');
    if (isReloaded) {
      cleanup();
      calls = serveApi(api);
      openApp('/timer');
    }
    await press('Log Activity');
    const words = 'Your first try was saved: Walking, 1 min. Your changes since then are not in it yet.';
    expect((await screen.findByText(words)).getAttribute('role')).toBe('alert');
    expect(server.served).toEqual([expect.objectContaining({ photoPrompt: 'Round the lake' })]);
    await press('Add my changes to it');
    expect(await noticeOf('Log corrected')).toBe('Your miles follow.');
    expect(await sentTo(calls, 'PATCH /api/logs/l1')).toEqual({ photoPrompt: 'Round the lake and back' });
    expect(pathsOf(calls).filter((path) => path === logging)).toHaveLength(isReloaded ? 1 : 2);
  },
);

test('[8.14 D38] a log whose answer was lost can be left as it was saved', async () => {
  const server = keyedServer(1, () => ({ status: 201, body: { id: 'l1', milesEarned: 0.1, bonusApplied: false } }));
  await moveFor(60, '1:00', { [logging]: server.answerTo });
  write('Round the lake');
  await press('Log Activity');
  await noticeOf('Error');
  write('Round the lake and back');
  await press('Log Activity');
  await press('Leave it as it is');
  expect(await momentOf('Activity Logged!')).toBe('Great job! You earned 0.1 miles for your team');
  expect(server.served).toHaveLength(1);
});

test('[2.73 3.31 7.15] what one does most is offered beside the presets', async () => {
  const frequent = ['Raking leaves', 'Walking', 'Yoga', 'Gardening', 'Judo'].map((activityName, index) => ({
    id: String(index),
    activityName,
    usageCount: 9 - index,
  }));
  await open('/timer', { 'GET /api/user-activities/frequent': { body: frequent } });
  await press('Raking leaves');
  expect(choosePhoto()).toEqual(['Raking leaves']);
  const offered = within(screen.getByRole('group', { name: 'Activity' })).getAllByRole('button');
  expect(offered.slice(4, -1).map(({ textContent }) => textContent)).toEqual(['Raking leaves', 'Yoga', 'Gardening']);
  await press('More');
  expect(await screen.findByRole('button', { name: 'Judo' })).toBeDefined();
});

test('[7.16 D44] a log of anything but a preset counts it; that this fails is only logged', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const tracking = 'POST /api/user-activities/track';
  const { calls } = await open('/timer?preset=true&duration=10&activity=Raking%20leaves', {
    ...logAnswer(1),
    [tracking]: { status: 503, body: { message: 'Away' } },
  });
  pass(600);
  await shows('10:00');
  await press('Stop');
  write('The whole yard');
  await press('Log Activity');
  expect(await momentOf('Activity Logged!')).toBe('Great job! You earned 1.0 miles for your team');
  await waitFor(() => expect(warn).toHaveBeenCalledOnce());
  expect(await sentTo(calls, tracking)).toEqual({ activityName: 'Raking leaves' });
});

test('[7.16 D44] presets are not counted', async () => {
  const { calls } = await moveFor(60, '1:00', logAnswer(0.1));
  write('Round the lake');
  await press('Log Activity');
  await momentOf('Activity Logged!');
  expect(pathsOf(calls)).not.toContain('POST /api/user-activities/track');
});

test('[D6] a clock ahead of the server’s does not cost the log: it is sent again without its start', async () => {
  const early = {
    status: 422,
    body: { code: 'movement/future-start', message: 'The start must not be in the future' },
  };
  const { calls } = await moveFor(600, '10:00', {
    [logging]: async (request) =>
      'startedAt' in ((await request.clone().json()) as object) ? early : logAnswer(1)[logging],
  });
  write('Round the lake');
  await press('Log Activity');
  await momentOf('Activity Logged!');
  expect(await sentTo(calls, logging)).not.toHaveProperty('startedAt');
});

test('[8.10] what the server refuses is said in its words, too', async () => {
  await moveFor(60, '1:00', { [logging]: { status: 422, body: { message: 'At most 2000 characters' } } });
  write('Round the lake');
  await press('Log Activity');
  expect(await noticeOf('Error')).toBe('Failed to log activity. Please try again.');
  expect((await screen.findAllByRole('alert')).map(({ textContent }) => textContent)).toContain(
    'At most 2000 characters',
  );
});
