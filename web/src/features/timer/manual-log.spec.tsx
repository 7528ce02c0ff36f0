import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { momentOf, noticeOf, openApp, sentTo, serveApi, signedInAs } from '../../testing/app.tsx';
import { keyedServer } from '../../testing/keyed-server.ts';
import { toast } from '../../ui/toast-state.ts';

const logging = 'POST /api/log';

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const write = (text: string) =>
  fireEvent.change(screen.getByLabelText('Describe your workout'), { target: { value: text } });

async function open(answer: object = {}) {
  signedInAs();
  const body = { id: 'l1', milesEarned: 4.5, bonusApplied: false, ...answer };
  const calls = serveApi({ [logging]: { status: 201, body } });
  openApp('/timer');
  await press('Log manually');
  return { calls };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T09:00:00.000Z') });
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});
afterEach(() => void vi.useRealTimers());

test.each([
  ['9', 'Duration must be at least 10 minutes'],
  ['1441', 'Duration must be at most 1440 minutes'],
  ['10.5', 'Duration must be a whole number of minutes'],
  ['', 'Duration must be a whole number of minutes'],
])('[5.7 9.3 D7] %s minutes cannot be logged by hand', async (minutes, words) => {
  await open();
  write('Raked leaves');
  const field = screen.getByRole('spinbutton', { name: 'Minutes' });
  fireEvent.change(field, { target: { value: minutes } });
  expect(screen.getByRole('spinbutton', { name: 'Minutes', description: words })).toBe(field);
  expect(button('Log Activity').disabled).toBe(true);
});

test('[D7] a log by hand sends minutes, description and the time it began', async () => {
  const { calls } = await open();
  expect(button('Log Activity').disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Minutes'), { target: { value: '45' } });
  fireEvent.change(screen.getByLabelText('Started'), { target: { value: '2026-11-20T08:30' } });
  write('Raked leaves');
  await press('Log Activity');
  expect(await momentOf('Activity Logged!')).toBe('Great job! You earned 4.5 miles for your team');
  expect(await sentTo(calls, logging)).toEqual({
    activityType: 'Walking',
    durationMinutes: 45,
    source: 'manual',
    // The member is in Berlin.
    startedAt: '2026-11-20T07:30:00.000Z',
    photoPrompt: 'Raked leaves',
  });
  expect(calls.find(({ method }) => method === 'POST')?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
});

test('[5.7 D7] ten minutes can be logged by hand, nine cannot', async () => {
  await open();
  write('Raked leaves');
  const canLog = (minutes: string) => {
    fireEvent.change(screen.getByRole('spinbutton', { name: 'Minutes' }), { target: { value: minutes } });
    return !button('Log Activity').disabled;
  };
  expect(['9', '10'].map(canLog)).toEqual([false, true]);
});

test('[D7 D38] a log by hand whose answer was lost and that was changed since is said to be saved, or logged beside it', async () => {
  signedInAs();
  const server = keyedServer(1, () => ({ status: 201, body: { id: 'l1', milesEarned: 3, bonusApplied: false } }));
  serveApi({ [logging]: server.answerTo });
  openApp('/timer');
  await press('Log manually');
  write('Raked leaves');
  await press('Log Activity');
  await noticeOf('Error');
  write('Swept the yard');
  await press('Log Activity');
  expect(await screen.findByText(/^Your first try was saved: Walking, 30 min/)).toBeDefined();
  await press('Log this as another one');
  await momentOf('Activity Logged!');
  expect(server.served).toMatchObject([{ photoPrompt: 'Raked leaves' }, { photoPrompt: 'Swept the yard' }]);
});

test('[D7] a form that stays open for hours takes what has just begun', async () => {
  const { calls } = await open();
  write('Raked leaves');
  vi.setSystemTime(Date.now() + 5 * 3_600_000);
  fireEvent(document, new Event('visibilitychange'));
  fireEvent.change(screen.getByLabelText('Started'), { target: { value: '2026-11-21T14:55' } });
  expect(screen.getByLabelText<HTMLInputElement>('Started').validity.valid).toBe(true);
  await press('Log Activity');
  await momentOf('Activity Logged!');
  expect(await sentTo(calls, logging)).toMatchObject({ startedAt: '2026-11-21T13:55:00.000Z' });
});

test('[D7 5.7] a log by hand is not sent while its date does not exist', async () => {
  const { calls } = await open();
  write('Raked leaves');
  fireEvent.change(screen.getByLabelText('Started'), { target: { value: '20226-11-20T08:30' } });
  await screen.findByText('Enter a date that exists, from 1900 to 2199.');
  await press('Log Activity');
  expect(calls.some(({ url, method }) => method === 'POST' && url.endsWith('/api/log'))).toBe(false);
});

test('[D25] a log of the same workout says that it earns nothing, and names the log that counts', async () => {
  const sameAs = { id: 'l9', source: 'strava', activityType: 'Morning walk', startedAt: '2026-11-21T08:30:00.000Z' };
  await open({ milesEarned: 0, sameAs });
  write('Round the lake');
  fireEvent.change(screen.getByRole('spinbutton', { name: 'Minutes' }), { target: { value: '30' } });
  await press('Log Activity');
  const notice = await screen.findByText(/^It earns no miles, because the same workout already counts/);
  expect(notice.textContent).toMatch(/Morning walk from Strava/);
});
