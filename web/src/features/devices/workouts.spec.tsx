import type { ImportedWorkout, SyncRun } from '@caravan/contracts/http/fitness';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { noticeOf, pathsOf, sentTo, type Api } from '../../testing/app.tsx';
import { open, press } from './testing/open-devices.tsx';

const path = '/settings/workouts';

const usual: ImportedWorkout = {
  id: 'w1',
  provider: 'strava',
  activityType: 'Running',
  startedAt: '2025-11-20T08:30:00.000Z',
  durationMinutes: 42,
  state: 'counted',
  why: null,
  logId: 'l1',
  sameAs: null,
};
const sameAs = { provider: 'fitbit', activityType: 'Walking', startedAt: '2025-11-20T08:31:00.000Z' };
const workout = (change: Partial<ImportedWorkout>): ImportedWorkout => ({ ...usual, ...change });

const run = (change: Partial<SyncRun>): SyncRun => ({
  id: 'r1',
  provider: 'strava',
  cause: 'nightly',
  state: 'done',
  startedAt: new Date().toISOString(),
  endedAt: null,
  imported: 0,
  updated: 0,
  removed: 0,
  skipped: [],
  failure: null,
  ...change,
});

const openWorkouts = (workouts: readonly ImportedWorkout[], runs: readonly SyncRun[] = [], api: Api = {}) =>
  open(path, {
    'GET /api/fitness/workouts': { body: workouts },
    'GET /api/fitness/history': { body: runs },
    ...api,
  });

const itemOf = async (text: string | RegExp) => {
  const item = (await screen.findByText(text)).closest('li');
  if (!item) throw new Error(`${String(text)} stands in no list.`);
  return within(item);
};

test('[D25] what came says what it counts as, and why where that is not plain', async () => {
  openWorkouts([
    workout({ id: 'a', activityType: 'Running' }),
    workout({ id: 'b', activityType: 'Yoga', state: 'unscored' }),
    workout({ id: 'c', activityType: 'Hiking', state: 'duplicate', sameAs }),
    workout({ id: 'd', activityType: 'Rowing', state: 'skipped', why: 'too-short', durationMinutes: 0 }),
    workout({ id: 'e', activityType: 'Golf', state: 'duplicate', provider: 'fitbit' }),
  ]);
  const running = await itemOf('Running');
  expect(running.getByText('Counts')).toBeDefined();
  expect(running.getByText(/^Nov 20, 2025/).parentElement?.textContent).toMatch(/\u00a0· 42 min\u00a0· Strava$/);
  expect((await itemOf('Yoga')).getByText(/You have not let it earn miles/)).toBeDefined();
  expect(
    (await itemOf('Hiking')).getByText(/^The same as Walking from Fitbit, Nov 20, 2025.*which counts\.$/),
  ).toBeDefined();
  const rowing = await itemOf('Rowing');
  expect(rowing.getByText('It counts for nothing: shorter than a minute.')).toBeDefined();
  expect(rowing.queryByRole('button')).toBeNull();
  expect((await itemOf('Golf')).getByText('It does not count, because you said so.')).toBeDefined();
});

test.each([
  [workout({ state: 'duplicate', sameAs }), /^Count it too: Running/, true, 'It counts now'],
  [workout({ state: 'duplicate' }), /^Count it: Running/, true, 'It counts now'],
  [workout({}), /^Do not count it: Running/, false, 'It does not count any more'],
])(
  '[D25] the member’s word goes above the rule, at once, and can be taken back',
  async (before, button, counts, said) => {
    let shown = before;
    const { calls } = openWorkouts([], [], {
      'GET /api/fitness/workouts': () => ({ body: [shown] }),
      'PATCH /api/fitness/workouts/w1': async (request) => {
        const word = ((await request.clone().json()) as { counts: boolean }).counts;
        shown = word === counts ? workout({ state: counts ? 'counted' : 'duplicate' }) : before;
        return { body: shown };
      },
    });
    await press(button);
    await screen.findByText(said, { selector: 'li *' });
    expect(await sentTo(calls, 'PATCH /api/fitness/workouts/w1')).toEqual({ counts });
    await waitFor(() => expect(screen.queryByRole('button', { name: button })).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: button })).toBeDefined();
    expect(await sentTo(calls, 'PATCH /api/fitness/workouts/w1')).toEqual({ counts: !counts });
  },
);

test('[D8 D25] what was deleted by hand says so in the list and in the history, and can be counted again', async () => {
  let shown = workout({ state: 'removed', why: 'removed', logId: null });
  const skipped = [{ why: 'removed' as const, count: 1 }];
  const { calls } = openWorkouts([], [], {
    'GET /api/fitness/workouts': () => ({ body: [shown] }),
    'GET /api/fitness/history': { body: [run({ skipped })] },
    'PATCH /api/fitness/workouts/w1': () => {
      shown = workout({});
      return { body: shown };
    },
  });
  const running = await itemOf('Running');
  expect(running.getByText('Deleted')).toBeDefined();
  expect(running.getByText(/^You deleted it from your log\. It does not come back by itself/)).toBeDefined();
  expect(await screen.findByText('1 skipped: you deleted it here')).toBeDefined();
  await press(/^Count it again: Running/);
  await screen.findByText('It counts now', { selector: 'li *' });
  expect(await sentTo(calls, 'PATCH /api/fitness/workouts/w1')).toEqual({ counts: true });
  expect(await screen.findByRole('button', { name: /^Do not count it: Running/ })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('[D25] what the server does not let count says why', async () => {
  openWorkouts([workout({ state: 'duplicate', sameAs })], [], {
    'PATCH /api/fitness/workouts/w1': { status: 409, body: { message: 'It cannot count: it is too short.' } },
  });
  await press(/^Count it too/);
  expect(await noticeOf('That could not be changed')).toBe('It cannot count: it is too short.');
});

test('[D36] nothing imported yet leads to where devices are connected', async () => {
  const { router } = openWorkouts([]);
  expect(await screen.findByText('No sync yet')).toBeDefined();
  await userEvent.click(await screen.findByRole('link', { name: 'Connect a device' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/account-settings'));
});

test('the next page is where the answer points', async () => {
  const { calls } = openWorkouts([], [], {
    'GET /api/fitness/workouts': (request) =>
      new URL(request.url).searchParams.get('cursor') === null
        ? { body: [workout({})], headers: { link: '</api/fitness/workouts?limit=20&cursor=c2>; rel="next"' } }
        : { body: [workout({ id: 'w2', activityType: 'Swimming' })] },
  });
  await screen.findByText('Running');
  await press('Next');
  await screen.findByText('Swimming');
  expect(pathsOf(calls)).toContain('GET /api/fitness/workouts?limit=20&cursor=c2');
});

test('each sync says in plain words what began it, what it brought, and what was skipped', async () => {
  openWorkouts(
    [],
    [
      run({ id: '1', cause: 'connect', imported: 12, updated: 1, removed: 2 }),
      run({
        id: '2',
        cause: 'notice',
        provider: 'fitbit',
        imported: 1,
        skipped: [
          { why: 'duplicate', count: 2 },
          { why: 'in-future', count: 1 },
        ],
      }),
      run({ id: '3', cause: 'asked' }),
    ],
  );
  expect(
    (await itemOf(/First fetch after connecting/)).getByText('12 new workouts · 1 changed · 2 removed'),
  ).toBeDefined();
  const told = await itemOf(/Fitbit told us of something new/);
  expect(told.getByText('1 new workout')).toBeDefined();
  expect(told.getByText('2 skipped: the same as another workout')).toBeDefined();
  expect(told.getByText('1 skipped: begins in the future: the device’s clock may be wrong')).toBeDefined();
  expect((await itemOf(/You asked for it/)).getByText('Nothing new')).toBeDefined();
});

test.each([
  ['unreachable', 'Strava did not answer. We try again by ourselves.'],
  ['busy', 'Strava takes no more questions for now. We go on as soon as it does.'],
  ['reconnect', 'Strava wants you to connect again. Nothing new comes in until then.'],
  ['unreadable', 'Strava sent what we could not read. We try again tonight.'],
] as const)('a sync that failed (%s) says what happens next', async (failure, words) => {
  openWorkouts([], [run({ state: 'failed', failure })]);
  const item = await itemOf(/Nightly check/);
  expect(item.getByText('Failed')).toBeDefined();
  expect(item.getByText(words)).toBeDefined();
  expect(item.queryByText('Nothing new')).toBeNull();
});

test('[D35] a sync under way is asked about until it has ended', async () => {
  let isRunning = true;
  openWorkouts([], [], {
    'GET /api/fitness/history': () => ({
      body: [run({ state: isRunning ? 'running' : 'done', imported: isRunning ? 0 : 4 })],
    }),
  });
  expect(await screen.findByText('Under way …')).toBeDefined();
  isRunning = false;
  expect(await screen.findByText('4 new workouts')).toBeDefined();
  expect(screen.queryByText('Under way …')).toBeNull();
});

test('lists that cannot be loaded can be tried again, each by itself', async () => {
  let isBroken = true;
  openWorkouts([], [run({})], {
    'GET /api/fitness/workouts': () => (isBroken ? { status: 500, body: 'Boom' } : { body: [workout({})] }),
  });
  const card = within(await screen.findByRole('region', { name: 'Workouts' }));
  const again = await card.findByRole('button', { name: 'Try again' });
  expect(await screen.findByText(/Nightly check/)).toBeDefined();
  isBroken = false;
  await userEvent.click(again);
  expect(await screen.findByText('Running')).toBeDefined();
});
