import type { MilesEntry } from '@caravan/contracts/http/scores';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, pathsOf, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const entries: MilesEntry[] = [
  {
    at: '2026-11-20T23:30:00.000Z',
    on: '2026-11-20',
    kind: 'removal',
    miles: -3,
    logId: 'l1',
    explanation: 'Removed: −3 miles',
  },
  {
    at: '2026-11-20T10:00:00.000Z',
    on: '2026-11-18',
    kind: 'weekly-bonus',
    miles: 2,
    explanation: 'Weekly challenge: Walk 5 miles',
  },
  {
    at: '2026-11-18T09:00:00.000Z',
    on: '2026-11-18',
    kind: 'log',
    miles: 3,
    logId: 'l1',
    explanation: '30 minutes of Walking: 30 ÷ 10 = 3 miles',
  },
];
const days = [
  { on: '2026-11-20', miles: -3 },
  { on: '2026-11-18', miles: 5 },
];
const whole = { entries, days, totalMiles: 6.5 };

function open(api: Api = {}) {
  signedInAs();
  const calls = serveApi({ 'GET /api/miles': { body: whole }, ...api });
  return { calls, ...openApp('/miles') };
}

test('[D9 D10] every entry by its local day, with its sentence, what it gave or took and the total after it', async () => {
  open();
  // Entered on another day than the miles count for, by the clock of Berlin: the line says so.
  const late = await screen.findByRole('region', { name: 'Friday, November 20, 2026' });
  expect(late.textContent).toMatch(/2026Removed: −3 miles.*entered on Nov 21, 12:30.AM.*−3\.00 mi.*= 6\.50/);
  const day = screen.getByRole('region', { name: 'Wednesday, November 18, 2026' });
  expect(day.textContent).toMatch(/^Wednesday, November 18, 2026\+5\.00 mi/);
  const rows = within(day).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Weekly challenge: Walk 5 miles.*\+2\.00 mi.*= 9\.50/),
    expect.stringMatching(/30 minutes of Walking: 30 ÷ 10 = 3 miles10:00.AM\+3\.00 mi.*= 7\.50/),
  ]);
  expect(screen.getByText('6.50', { selector: 'b' })).toBeDefined();
});

test('[D9] earlier entries come page by page', async () => {
  const pages = [
    {
      // The page ends within a day, and knows all of that day.
      body: { ...whole, entries: entries.slice(0, 2) },
      headers: { link: '</api/miles?cursor=c2>; rel="next"' },
    },
    { body: { ...whole, entries: entries.slice(2), days: days.slice(1) } },
  ];
  const { calls } = open({ 'GET /api/miles': () => pages.shift() ?? { status: 500 } });
  const cut = await screen.findByRole('region', { name: 'Wednesday, November 18, 2026' });
  expect(cut.textContent).toMatch(/^Wednesday, November 18, 2026\+5\.00 mi/);
  await userEvent.click(await screen.findByRole('button', { name: 'Show earlier miles' }));
  expect(await screen.findByText('30 minutes of Walking: 30 ÷ 10 = 3 miles')).toBeDefined();
  expect(within(cut).getAllByRole('listitem')).toHaveLength(2);
  expect(pathsOf(calls).at(-1)).toBe('GET /api/miles?limit=25&cursor=c2');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show earlier miles' })).toBeNull());
});

test('[D9] without miles it shows the first step', async () => {
  open({ 'GET /api/miles': { body: { entries: [], days: [], totalMiles: 0 } } });
  expect(await screen.findByText('No miles yet')).toBeDefined();
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Start the timer' }).getAttribute('href')).toBe(
    '/timer',
  );
});

test('[8.1] a ledger that cannot be loaded says so and can be asked again', async () => {
  const answers = [{ status: 503 }, { body: whole }];
  open({ 'GET /api/miles': () => answers.shift() ?? { status: 503 } });
  expect(await screen.findByText('Your miles could not be loaded')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Removed: −3 miles')).toBeDefined();
});

test('[D9] the total on the dashboard and the profile lead to it', async () => {
  signedInAs();
  serveApi({ 'GET /api/logs': { body: [] } });
  const { router } = openApp('/dashboard');
  await userEvent.click(await screen.findByRole('link', { name: 'Why this total?' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/miles'));
  await router.navigate({ to: '/profile' });
  expect((await screen.findByRole('link', { name: 'Why this total?' })).getAttribute('href')).toBe('/miles');
});
