import type { MilesEntry } from '@caravan/contracts/http/scores';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, pathsOf, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const entries: MilesEntry[] = [
  { at: '2026-11-20T23:30:00.000Z', kind: 'removal', miles: -3, logId: 'l1', explanation: 'Removed: −3 miles' },
  { at: '2026-11-20T10:00:00.000Z', kind: 'weekly-bonus', miles: 2, explanation: 'Weekly challenge: Walk 5 miles' },
  {
    ...{ at: '2026-11-20T09:00:00.000Z', kind: 'log', miles: 3, logId: 'l1' },
    explanation: '30 minutes of Walking: 30 ÷ 10 = 3 miles',
  },
];

function open(api: Api = {}) {
  signedInAs();
  const calls = serveApi({ 'GET /api/miles': { body: { entries, totalMiles: 6.5 } }, ...api });
  return { calls, ...openApp('/miles') };
}

test('[D9] every entry by its local day, with its sentence, what it gave or took and the total after it', async () => {
  open();
  // 23:30 UTC is the next day in Berlin.
  const late = await screen.findByRole('region', { name: 'Saturday, November 21, 2026' });
  expect(late.textContent).toMatch(/−3\.00 mi.*Removed: −3 miles.*= 6\.50/);
  const day = screen.getByRole('region', { name: 'Friday, November 20, 2026' });
  const rows = within(day).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Weekly challenge: Walk 5 miles.*\+2\.00 mi.*= 9\.50/),
    expect.stringMatching(/30 minutes of Walking: 30 ÷ 10 = 3 miles.*\+3\.00 mi.*= 7\.50/),
  ]);
  expect(screen.getByText('6.50', { selector: 'b' })).toBeDefined();
});

test('[D9] earlier entries come page by page', async () => {
  const pages = [
    {
      body: { entries: entries.slice(0, 1), totalMiles: 6.5 },
      headers: { link: '</api/miles?cursor=c2>; rel="next"' },
    },
    { body: { entries: entries.slice(1), totalMiles: 6.5 } },
  ];
  const { calls } = open({ 'GET /api/miles': () => pages.shift() ?? { status: 500 } });
  await userEvent.click(await screen.findByRole('button', { name: 'Show earlier miles' }));
  expect(await screen.findByText('Weekly challenge: Walk 5 miles')).toBeDefined();
  expect(pathsOf(calls).at(-1)).toBe('GET /api/miles?limit=25&cursor=c2');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show earlier miles' })).toBeNull());
});

test('[D9] without miles it shows the first step', async () => {
  open({ 'GET /api/miles': { body: { entries: [], totalMiles: 0 } } });
  expect(await screen.findByText('No miles yet')).toBeDefined();
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Start the timer' }).getAttribute('href')).toBe(
    '/timer',
  );
});

test('[8.1] a ledger that cannot be loaded says so and can be asked again', async () => {
  const answers = [{ status: 503 }, { body: { entries, totalMiles: 6.5 } }];
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
