import type { OwnLog } from '@caravan/contracts/http/movement';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { keyedServer } from '../../testing/keyed-server.ts';
import { toast } from '../../ui/toast-state.ts';

const justNow = new Date(Date.now() - 3_600_000).toISOString();
const log = (id: string, more: Partial<OwnLog> = {}): OwnLog => ({
  id,
  activityType: 'Walking',
  durationMinutes: 30,
  distanceMiles: 3,
  multiplier: 1,
  source: 'timer',
  isImported: false,
  importSource: null,
  audience: 'organisation',
  heartRate: null,
  calories: null,
  perceivedEffort: null,
  isCounted: true,
  countsByWord: null,
  sameAs: null,
  caption: 'Round the lake',
  location: null,
  photoPath: null,
  photoUrl: null,
  photo: null,
  startedAt: justNow,
  loggedOn: justNow.slice(0, 10),
  createdAt: justNow,
  ...more,
});

async function open(api: Api = {}) {
  signedInAs();
  const calls = serveApi({ 'GET /api/logs': { body: [log('l1')] }, ...api });
  const app = openApp('/profile');
  const card = within(await screen.findByRole('region', { name: 'Your movements' }));
  await card.findAllByRole('listitem');
  return { calls, card, ...app };
}

const press = async (name: RegExp | string) => userEvent.click(await screen.findByRole('button', { name }));
const set = (label: string, value: string) =>
  fireEvent.change(within(screen.getByRole('dialog')).getByLabelText(label), { target: { value } });
const logCalls = (calls: Request[]) => pathsOf(calls).filter((path) => path.includes('limit=5'));

beforeEach(() => toast({ title: 'Nothing yet' }));

test('[D8 D32] the profile lists what one did, how long, when and what it earned', async () => {
  const { card } = await open({
    'GET /api/logs': { body: [log('l1'), log('l2', { activityType: 'Judo', multiplier: 2, distanceMiles: 6 })] },
  });
  const texts = card.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(texts[0]).toMatch(/Walking.+30 min.*Round the lake.*3\.0 mi/);
  expect(texts[1]).toMatch(/Judo.*x2.*6\.0 mi/);
});

test('[ADR-0104] one’s own log says how hard it was, and a correction can say so later', async () => {
  const { calls } = await open({
    'GET /api/logs': { body: [log('l1', { perceivedEffort: 3 })] },
    'PATCH /api/logs/l1': { body: log('l1', { perceivedEffort: 5 }) },
  });
  await screen.findByText('Effort: Moderate');
  await press(/^Correct Walking/);
  fireEvent.click(screen.getByRole('radio', { name: 'All out' }));
  await press('Save');
  expect(await sentTo(calls, 'PATCH /api/logs/l1')).toEqual({ perceivedEffort: 5 });
});

test('[D32] it can be narrowed to an activity and to dates', async () => {
  const { calls, card } = await open();
  await userEvent.selectOptions(card.getByLabelText('Activity'), 'Walking');
  fireEvent.change(card.getByLabelText('From'), { target: { value: '2026-11-01' } });
  fireEvent.change(card.getByLabelText('To'), { target: { value: '2026-11-20' } });
  await waitFor(() => expect(logCalls(calls).at(-1)).toContain('activityType=Walking&from=2026-11-01&to=2026-11-20'));
  await userEvent.selectOptions(card.getByLabelText('Activity'), 'All activities');
  await waitFor(() => expect(logCalls(calls).at(-1)).not.toContain('activityType'));
});

test('[3.10 D8 D21] an imported one names its platform, is corrected there and can be deleted here', async () => {
  const imported = { source: 'strava', isImported: true, importSource: 'strava', audience: 'owner' } as const;
  const { card } = await open({
    'GET /api/logs': {
      body: [
        log('l1', { ...imported, distanceMiles: 0 }),
        log('l2', { ...imported, source: 'fitbit', audience: 'organisation' }),
      ],
    },
  });
  const [unscored, shared] = card.getAllByRole('listitem');
  expect(unscored?.textContent).toMatch(/Strava.*Only you see this.*Not scored/);
  expect(shared?.textContent).toMatch(/Fitbit.*3\.0 mi/);
  expect(shared?.textContent).not.toContain('Only you');
  const names = card.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? '');
  expect(names.filter((name) => name.startsWith('Correct'))).toEqual([]);
  expect(names.filter((name) => name.startsWith('Delete'))).toHaveLength(2);
});

test('[D8] after 7 days a log stands as it is', async () => {
  const createdAt = new Date(Date.now() - 7 * 86_400_000 - 60_000).toISOString();
  const { card } = await open({ 'GET /api/logs': { body: [log('l1', { createdAt })] } });
  expect(card.queryAllByRole('button')).toEqual([]);
});

test('[D8] a correction sends what differs and refreshes what follows from it', async () => {
  const correcting = 'PATCH /api/logs/l1';
  const { calls, queryClient } = await open({ [correcting]: { body: log('l1', { durationMinutes: 20 }) } });
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
  await press(/^Correct Walking/);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  set('Minutes', '20');
  set('Description', '');
  await press('Save');
  expect(await noticeOf('Log corrected')).toBe('Your miles follow.');
  expect(await sentTo(calls, correcting)).toEqual({ durationMinutes: 20, photoPrompt: null });
  const asked = invalidate.mock.calls.map(([filter]) => filter?.queryKey?.[0]);
  expect(asked).toEqual(
    expect.arrayContaining([
      '/api/me',
      '/api/dashboard/stats',
      '/api/leaderboard',
      '/api/feed',
      '/api/logs',
      '/api/miles',
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('[D8 D38] a correction whose answer was lost is said to be saved, and what was changed since is added to it', async () => {
  const server = keyedServer(1, (body) => ({ body: log('l1', body as Partial<OwnLog>) }));
  await open({ 'PATCH /api/logs/l1': server.answerTo });
  await press(/^Correct Walking/);
  set('Minutes', '20');
  await press('Save');
  await screen.findByText('The log could not be corrected. Please try again.');
  set('Minutes', '30');
  set('Activity', 'Hiking');
  await press('Save');
  await screen.findByText('Your first correction was saved. Save again to add what you changed since then.');
  await press('Save');
  await noticeOf('Log corrected');
  expect(server.served).toEqual([{ durationMinutes: 20 }, { durationMinutes: 30, activityType: 'Hiking' }]);
});

test('[D8 3.32] a correction takes the photo of a log away', async () => {
  const correcting = 'PATCH /api/logs/l1';
  const shown = { width: 1280, height: 960, thumbHash: 'AAAA', alt: 'The lake', srcSet: '' };
  const photographed = log('l1', { photoPath: '/objects/photos/p1', photoUrl: '/p1.webp', photo: shown });
  const { calls } = await open({ 'GET /api/logs': { body: [photographed] }, [correcting]: { body: log('l1') } });
  await press(/^Correct Walking/);
  expect(screen.getByRole('img', { name: 'The lake' }).getAttribute('src')).toBe('/p1.webp');
  await press('Remove photo');
  await press('Save');
  await noticeOf('Log corrected');
  expect(await sentTo(calls, correcting)).toEqual({ photoPath: null });
});

test('[D8 D38] what the server refuses stands at its field, or above the buttons', async () => {
  const refusals = [
    { message: 'M', errors: [{ path: 'durationMinutes', message: 'Duration must be at most 1440 minutes' }] },
    { message: 'A log can be changed for 7 days.' },
  ];
  await open({ 'PATCH /api/logs/l1': () => ({ status: 422, body: refusals.shift() }) });
  await press(/^Correct Walking/);
  set('Minutes', '2000');
  await press('Save');
  const words = 'Duration must be at most 1440 minutes';
  expect(await screen.findByRole('spinbutton', { name: 'Minutes', description: words })).toBeDefined();
  await press('Save');
  expect((await screen.findByText('A log can be changed for 7 days.')).getAttribute('role')).toBe('alert');
});

test('[D8] deleting asks first, then takes the log with all it earned', async () => {
  const removing = 'DELETE /api/logs/l1';
  const { calls, queryClient } = await open({ [removing]: { body: { removed: true } } });
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
  await press(/^Delete Walking/);
  expect((await screen.findByRole('dialog')).textContent).toMatch(/3\.0 miles it earned go.+cannot be undone/);
  await press('Cancel');
  expect(pathsOf(calls)).not.toContain(removing);
  await press(/^Delete Walking/);
  await press('Delete');
  expect(await noticeOf('Log deleted')).toBe('Your miles follow.');
  expect(pathsOf(calls)).toContain(removing);
  expect(invalidate.mock.calls.map(([filter]) => filter?.queryKey?.[0])).toContain('/api/leaderboard');
});

test('[D8] a log that cannot be deleted any more says why', async () => {
  await open({ 'DELETE /api/logs/l1': { status: 422, body: { message: 'A log can be changed for 7 days.' } } });
  await press(/^Delete Walking/);
  await press('Delete');
  expect(await noticeOf('Error')).toBe('A log can be changed for 7 days.');
});

test.each(['20226-11-20T08:30', '275760-09-13T00:00'])(
  '[D8 5.7] a start of %s is refused at its field, and the other changes stay',
  async (value) => {
    await open();
    await press(/^Correct Walking/);
    set('Minutes', '20');
    set('Started', value);
    const words = 'Enter a date that exists, from 1900 to 2199.';
    expect((await screen.findByLabelText('Started')).getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText(words)).toBeDefined();
    expect(within(screen.getByRole('dialog')).getByLabelText<HTMLInputElement>('Minutes').value).toBe('20');
  },
);

const sameAs = { id: 'l9', source: 'strava', activityType: 'Morning walk', startedAt: justNow } as const;

test('[D25] a log that does not count names the log that counts, and its owner can count it too', async () => {
  const uncounted = log('l1', { isCounted: false, distanceMiles: 0, sameAs });
  const { calls, card } = await open({
    'GET /api/logs': { body: [uncounted] },
    'PATCH /api/logs/l1': { body: log('l1', { countsByWord: true }) },
  });
  const [row] = card.getAllByRole('listitem');
  expect(row?.textContent).toMatch(/The same workout already counts: Morning walk from Strava, .*Not counted/);
  await press(/^Count it too: Walking/);
  await noticeOf('It counts now');
  expect(await sentTo(calls, 'PATCH /api/logs/l1')).toEqual({ counts: true });
});

test('[D25] a log that counts by its owner’s word can be taken out again', async () => {
  const { calls } = await open({
    'GET /api/logs': { body: [log('l1', { countsByWord: true })] },
    'PATCH /api/logs/l1': { body: log('l1', { isCounted: false, sameAs }) },
  });
  await press(/^Do not count it: Walking/);
  await noticeOf('It does not count any more');
  expect(await sentTo(calls, 'PATCH /api/logs/l1')).toEqual({ counts: false });
});
