import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noticeOf, openApp, sentTo, serveApi, signedInAs } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';

const logging = 'POST /api/log';

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const write = (text: string) =>
  fireEvent.change(screen.getByLabelText('Describe your workout'), { target: { value: text } });

async function open() {
  signedInAs();
  const calls = serveApi({ [logging]: { status: 201, body: { id: 'l1', milesEarned: 4.5, bonusApplied: false } } });
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
  expect(await noticeOf('Activity Logged!')).toBe('Great job! You earned 4.5 miles for your team');
  expect(await sentTo(calls, logging)).toEqual({
    activityType: 'Walking',
    durationMinutes: 45,
    source: 'manual',
    startedAt: new Date('2026-11-20T08:30').toISOString(),
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
