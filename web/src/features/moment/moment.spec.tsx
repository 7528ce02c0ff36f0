import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { showMoment } from '../../lib/moment.ts';
import { type Api, me, openApp, serveApi, signedInAs, stats } from '../../testing/app.tsx';
import { untouchedMilliseconds } from './celebration-dialog.tsx';

const today = '2026-11-19';
const days = (movements: number) => ({
  from: '2026-09-07',
  to: today,
  today,
  days: [{ on: today, miles: 2, movements }],
  restDays: [],
});
const journey = {
  route: {
    id: 'camino-frances',
    name: 'Camino Francés',
    totalMiles: 484,
    checkpoints: ['Pamplona', 'Burgos'].map((name, nth) => ({
      name,
      mileMark: nth * 178,
      country: 'Spain',
      longitude: 0,
      latitude: 42,
      story: '',
    })),
  },
  startedAt: '2026-11-16T00:00:00.000Z',
  teams: [{ ...me.team, miles: 178.5, lastCheckpoint: 'Burgos', nextCheckpoint: null, milesToNext: 0 }],
  reached: [],
  routes: [],
};

function celebrate(api: Api = {}) {
  signedInAs();
  serveApi({
    'GET /api/miles/days': { body: days(2) },
    'GET /api/journey': { body: journey },
    'GET /api/user/badges': { body: [] },
    ...api,
  });
  const app = openApp('/dashboard');
  act(() =>
    showMoment({
      title: 'Activity Logged!',
      sentence: 'Great job! You earned 2.0 miles for your team',
      miles: 2,
      on: today,
      at: Date.now(),
    }),
  );
  return app;
}

const dialog = () => screen.findByRole('dialog', { name: 'Activity Logged!' });
const untilClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('[8.14] the moment after a log says what was earned, the day of the streak, the goal and the stop', async () => {
  celebrate({ 'GET /api/dashboard/stats': { body: { ...stats, weeklyMiles: 5.5 } } });
  const moment = within(await dialog());
  expect(await moment.findByText('Great job! You earned 2.0 miles for your team')).toBeDefined();
  expect(moment.getByRole('heading', { level: 2 }).textContent).toContain('+2.0 miles');
  expect(moment.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['Day 12', 'Weekly goal reached', 'Burgos reached']),
  );
  expect(moment.getByRole('list', { name: 'Your week, day by day' })).toBeDefined();
});

test.each(['Skip', 'Continue'])('%s ends the moment, and the heading of the dashboard has the focus', async (name) => {
  celebrate();
  await userEvent.click(await within(await dialog()).findByRole('button', { name }));
  await untilClosed();
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

test('Skip and Continue are the first two stops of the keyboard, and Escape ends the moment', async () => {
  celebrate();
  const moment = await dialog();
  await within(moment).findByRole('button', { name: 'Skip' });
  const buttons = within(moment)
    .getAllByRole('button')
    .map(({ textContent, ariaLabel }) => ariaLabel ?? textContent);
  expect(buttons).toEqual(['Skip', 'Continue', 'Share a picture']);
  fireEvent(moment, new Event('cancel', { cancelable: true }));
  await untilClosed();
});

test('a moment that nobody touches ends by itself, one that is touched stays', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  celebrate();
  await dialog();
  await vi.advanceTimersByTimeAsync(untouchedMilliseconds);
  await untilClosed();
  act(() => showMoment({ title: 'Activity Logged!', sentence: '', miles: 1, on: today, at: Date.now() }));
  await dialog();
  fireEvent.pointerMove(window);
  await vi.advanceTimersByTimeAsync(2 * untouchedMilliseconds);
  expect(await dialog()).toBeDefined();
  vi.useRealTimers();
});

test.each([7, 14, 30, 60, 100, 365])('[D11] the log that makes a streak of %i days has its night', async (length) => {
  celebrate({
    'GET /api/me': { body: { ...me, streakCount: length } },
    'GET /api/miles/days': { body: days(1) },
  });
  const moment = within(await dialog());
  expect(await moment.findByText(`${length} days on the road, Maya Okafor`)).toBeDefined();
  expect(moment.getByText('Great job! You earned 2.0 miles for your team')).toBeDefined();
  expect(moment.queryByRole('list', { name: 'Your week, day by day' })).toBeNull();
});

test('[4.37] a badge of the log is part of the moment, and its notice does not come as well', async () => {
  const badge = { badgeId: 'activities-50', badgeName: 'Regular', badgeIcon: '📗', badgeColor: 'green' };
  const dateEarned = new Date(Date.now() + 1000).toISOString();
  celebrate({ 'GET /api/user/badges': { body: [{ ...badge, dateEarned }] } });
  const moment = within(await dialog());
  expect(await moment.findByText('You earned the Regular badge!')).toBeDefined();
  await userEvent.click(moment.getByRole('button', { name: 'Continue' }));
  await untilClosed();
  expect(sessionStorage.getItem('badgesTold')).toContain('Regular');
  expect(screen.queryByText('You earned the Regular badge!')).toBeNull();
});

test('[D44] without answers about days and journey the moment still says what was earned', async () => {
  celebrate({ 'GET /api/miles/days': { status: 500, body: {} }, 'GET /api/journey': { status: 500, body: {} } });
  expect(await within(await dialog()).findByText('Great job! You earned 2.0 miles for your team')).toBeDefined();
});
