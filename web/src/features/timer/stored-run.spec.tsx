import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openApp, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
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
  stopTheClock,
  time,
  write,
} from './testing/open-timer.tsx';

beforeEach(stopTheClock);
afterEach(() => void vi.useRealTimers());

const typedText = () => screen.getByLabelText<HTMLTextAreaElement>('Describe your workout').value;

/** The app again, where the log form was open. */
async function openForm(api: Api) {
  signedInAs();
  const calls = serveApi(api);
  const app = openApp('/timer');
  await screen.findByLabelText('Describe your workout');
  return { calls, ...app };
}

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
  expect(choosePhoto()).toEqual([expect.stringContaining('Biking')]);
});

test('a reload in the log form keeps what was typed; after the log it is gone', async () => {
  await moveFor(60, '1:00');
  write('Round the la');
  cleanup();
  const { calls, router } = await openForm(logAnswer(0.1));
  expect(typedText()).toBe('Round the la');
  expect(screen.getByText('1:00')).toBeDefined();
  write('Round the lake');
  await press('Log Activity');
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  expect(await sentTo(calls, logging)).toMatchObject({ photoPrompt: 'Round the lake', durationMinutes: 1 });
  await router.navigate({ to: '/timer' });
  await press('Start');
  pass(60);
  await shows('1:00');
  await press('Stop');
  expect(typedText()).toBe('');
});

test('[4.26] Cancel keeps the time and drops what was typed', async () => {
  await moveFor(60, '1:00');
  write('Round the la');
  await press('Cancel');
  expect(time()).toBe('1:00');
  cleanup();
  await open();
  expect(time()).toBe('1:00');
  await press('Stop');
  expect(typedText()).toBe('');
});

test('a running timer stays in sight on other screens and leads back', async () => {
  const { router } = await open();
  await press('Start');
  expect(screen.queryByRole('navigation', { name: 'Running timer' })).toBeNull();
  await router.navigate({ to: '/explore' });
  const chip = await screen.findByRole('navigation', { name: 'Running timer' });
  pass(65);
  await waitFor(() => expect(chip.textContent).toContain('1:05'));
  expect(chip.textContent).toContain('Walking');
});

test('two hours without a touch: the timer asks, and cuts back to the last sign of life', async () => {
  await open();
  await press('Start');
  pass(1500);
  await shows('25:00');
  fireEvent.pointerDown(document.body);
  pass(7200);
  expect(await screen.findByRole('dialog', { name: 'Are you still moving?' })).toBeDefined();
  fireEvent.pointerDown(document.body);
  await press('No, cut it back to 25 min');
  await shows('25:00');
  expect(button('Resume')).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('whoever was moving all the while keeps the time', async () => {
  await open();
  await press('Start');
  pass(7200);
  await press('Yes, keep 2 hr');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect([time(), button('Pause').disabled]).toEqual(['2:00:00', false]);
});

test('the timer of one person is not the timer of the next in the same browser', async () => {
  await open();
  await press('Start');
  cleanup();
  localStorage.setItem('user', '{}');
  signedInAs({ id: 'u2' });
  serveApi();
  openApp('/timer');
  expect((await screen.findByRole('timer')).textContent).toBe('0:00');
  expect(screen.getByRole('button', { name: 'Start' })).toBeDefined();
});
