import type { WeeklyChallenge } from '@caravan/contracts/http/challenges';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

function open(api: Api = {}) {
  signedInAs();
  serveApi(api);
  return openApp('/explore');
}

const rowsOf = async (name: string) =>
  within(await screen.findByRole('region', { name }))
    .findAllByRole('listitem')
    .then((rows) => rows.map(({ textContent }) => textContent));

test('[2.105 3.50 9.23] four quick workouts with minutes, miles and difficulty, and tips', async () => {
  open();
  expect(await rowsOf('Quick workouts')).toEqual([
    expect.stringMatching(/10-min walk.*10 min.*1 mile.*Easy/),
    expect.stringMatching(/15-min run.*15 min.*1\.5 miles.*Medium/),
    expect.stringMatching(/20-min power walk.*20 min.*2 miles.*Easy/),
    expect.stringMatching(/30-min bike ride.*30 min.*3 miles.*Medium/),
  ]);
  expect((await rowsOf('Tips')).length).toBeGreaterThan(0);
});

test('[2.106 2.66] a workout starts its timer at once', async () => {
  const { router } = open();
  await userEvent.click(await screen.findByRole('link', { name: 'Start 15-min run' }));
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ preset: 'true', duration: '15', activity: 'Running' }),
  );
  expect(await screen.findByRole('button', { name: 'Pause' })).toBeDefined();
  expect(screen.getByRole('button', { name: /Running/, pressed: true })).toBeDefined();
  expect(screen.getByText('Goal: 15 min')).toBeDefined();
});

test('[2.105 D26] the week’s real challenges stand there with their progress', async () => {
  const challenge: WeeklyChallenge = {
    id: 'w1',
    name: 'Walk 5 miles',
    description: 'Any walk counts.',
    targetValue: 5,
    targetUnit: 'miles',
    bonusMiles: 1,
    challengeType: 'individual',
    weekStart: '2026-11-16',
    weekEnd: '2026-11-22',
  };
  open({
    'GET /api/weekly-challenges': { body: [challenge] },
    'GET /api/weekly-challenges/w1/progress': { body: { currentProgress: 3.2, targetValue: 5, bonusAwarded: false } },
  });
  expect((await screen.findByRole('progressbar', { name: 'Walk 5 miles' })).getAttribute('aria-valuenow')).toBe('64');
  expect(screen.queryByText('Example')).toBeNull();
});

test('[3.51 8.9 9.24 D26 D44] when they cannot be loaded there are examples, marked as such', async () => {
  open({ 'GET /api/weekly-challenges': { status: 503 } });
  expect(await screen.findByText(/No weekly challenges available/)).toBeDefined();
  expect(await rowsOf('Weekly Challenges')).toEqual([
    expect.stringMatching(/Walk 5 miles.*Example.*60% of 5 miles/),
    expect.stringMatching(/Log 5 days.*Example.*40% of 5 days/),
    expect.stringMatching(/Team reaches 50 miles.*Example.*75% of 50 miles/),
  ]);
});
