import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noticeOf } from '../../testing/app.tsx';
import {
  button,
  choosePhoto,
  milesLine,
  moveFor,
  open,
  pass,
  press,
  shows,
  stopTheClock,
  time,
} from './testing/open-timer.tsx';

beforeEach(stopTheClock);
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
  // In sight, not in a tooltip that nobody who touches ever meets.
  for (const text of ['A stroll', 'A jog', 'Outdoors', 'At the desk'])
    expect(screen.getByText(new RegExp(`^${text}`)).closest('button')?.title).toBe('');
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

test.each(['/timer?preset=quick', '/timer?preset=true', '/timer?preset=quick&duration=30&activity=Running'])(
  '[2.65 2.66 D44] %s opens an idle timer',
  async (path) => {
    await open(path);
    pass(30);
    expect(button('Start')).toBeDefined();
    expect(localStorage.getItem('caravan:timer:u1')).toBeNull();
    expect(choosePhoto()).toEqual([expect.stringContaining('Walking')]);
  },
);

test('[2.72 4.28 5.9] a name of one’s own is an activity, until a preset is chosen', async () => {
  await open();
  await press('More');
  expect(await screen.findByRole('button', { name: 'Kayaking' })).toBeDefined();
  fireEvent.change(screen.getByLabelText('Something else'), { target: { value: '   ' } });
  expect(button('Use it').disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Something else'), { target: { value: ' Raking leaves ' } });
  await press('Use it');
  await waitFor(() => expect(choosePhoto()).toEqual(['Raking leaves']));
  await press('Walking');
  expect(choosePhoto()).toEqual([expect.stringContaining('Walking')]);
  expect(screen.queryByRole('button', { name: 'Raking leaves' })).toBeNull();
});

test('the space bar starts and pauses', async () => {
  await open();
  fireEvent.keyDown(document.body, { code: 'Space' });
  expect(await screen.findByRole('button', { name: 'Pause' })).toBeDefined();
  fireEvent.keyDown(document.body, { code: 'Space' });
  expect(await screen.findByRole('button', { name: 'Resume' })).toBeDefined();
});

test('[9.2 D5] beside the miles earned stands an estimate of the way covered', async () => {
  await open();
  await press('Running');
  await press('Start');
  pass(1200);
  await shows('20:00');
  expect([milesLine(), screen.getByText(/covered on the way/).textContent]).toEqual([
    '2.00 miles',
    'About 2.5 miles covered on the way',
  ]);
});
