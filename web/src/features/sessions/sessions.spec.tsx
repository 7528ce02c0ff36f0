import type { OwnSession } from '@caravan/contracts/http/people';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { noticeOf, openApp, pathsOf, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';

const anHourAgo = new Date(Date.now() - 3_700_000).toISOString();
const session = (id: string, device: string, isCurrent = false): OwnSession => ({
  id,
  device,
  createdAt: anHourAgo,
  lastSeenAt: anHourAgo,
  isCurrent,
});
const all = [
  session('s1', 'Firefox on Linux', true),
  session('s2', 'Safari on iPhone'),
  session('s3', 'Chrome on Windows'),
];

async function open(api: Api = {}) {
  signedInAs();
  let sessions = all;
  const end = (id: string) => () => {
    sessions = sessions.filter((each) => each.id !== id);
    return { body: { ended: true } };
  };
  const calls = serveApi({
    'GET /api/me/sessions': () => ({ body: sessions }),
    'DELETE /api/me/sessions/s2': end('s2'),
    'DELETE /api/me/sessions/s3': end('s3'),
    ...api,
  });
  openApp('/settings');
  const card = await screen.findByRole('region', { name: 'Where you are signed in' });
  return { calls, card };
}

const rowsOf = (card: HTMLElement) =>
  within(card)
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);
const endedSessions = (calls: readonly Request[]) => pathsOf(calls).filter((path) => path.startsWith('DELETE'));

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[D43] sessions stand with device and when they were last seen; this device is marked', async () => {
  const { card } = await open();
  await waitFor(() =>
    expect(rowsOf(card)).toEqual([
      'Firefox on LinuxThis device',
      'Safari on iPhoneLast seen 1 hour agoSign out: Safari on iPhone',
      'Chrome on WindowsLast seen 1 hour agoSign out: Chrome on Windows',
    ]),
  );
  expect(within(card).getByText('Signed in as maya@example.org')).toBeDefined();
});

test('[D43] one other session can be signed out', async () => {
  const { calls, card } = await open();
  await userEvent.click(await within(card).findByRole('button', { name: /^Sign out.*Safari on iPhone/ }));
  await screen.findByText('Signed out there', { selector: 'li *' });
  expect(endedSessions(calls)).toEqual(['DELETE /api/me/sessions/s2']);
  await waitFor(() => expect(rowsOf(card)).toHaveLength(2));
});

test('[D43] all others can be signed out at once, and this one stays', async () => {
  const { calls, card } = await open();
  await userEvent.click(await within(card).findByRole('button', { name: 'Sign out everywhere else' }));
  await screen.findByText('Signed out everywhere else', { selector: 'li *' });
  expect(endedSessions(calls)).toEqual(['DELETE /api/me/sessions/s2', 'DELETE /api/me/sessions/s3']);
  await waitFor(() => expect(rowsOf(card)).toEqual(['Firefox on LinuxThis device']));
  expect(localStorage.getItem('token')).toBe('token-1');
});

test('a session that cannot be signed out says so', async () => {
  const { card } = await open({ 'DELETE /api/me/sessions/s2': { status: 503, body: { message: 'Try later.' } } });
  await userEvent.click(await within(card).findByRole('button', { name: /^Sign out.*Safari on iPhone/ }));
  expect(await noticeOf('Error')).toBe('Try later.');
  expect(rowsOf(card)).toHaveLength(3);
});
