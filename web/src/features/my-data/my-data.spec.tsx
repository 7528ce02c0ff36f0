import type { ExportState } from '@caravan/contracts/http/people';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';

const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
const none: ExportState = { state: 'none', requestedAt: null, expiresAt: null, sizeBytes: null };
const building: ExportState = { ...none, state: 'building', requestedAt: anHourAgo };
const ready: ExportState = { ...building, state: 'ready', expiresAt: inAnHour, sizeBytes: 1536 };
const erasing = 'DELETE /api/me';

function open(api: Api = {}) {
  signedInAs();
  const calls = serveApi({ 'GET /api/me/export': { body: none }, 'GET /api/me/sessions': { body: [] }, ...api });
  return { calls, ...openApp('/settings') };
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

async function eraseWith(password: string, api: Api) {
  const opened = open(api);
  await press('Erase account');
  const dialog = await screen.findByRole('dialog', { name: 'Erase your account?' });
  fireEvent.change(within(dialog).getByLabelText('Your password'), { target: { value: password } });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Erase for good' }));
  return { ...opened, dialog };
}

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[D32] an export is asked for, waited for, and then downloaded with the token', async () => {
  let state = building;
  const { calls } = open({
    'POST /api/me/export': { status: 202, body: building },
    'GET /api/me/export': () => ({ body: pathsOf(calls).includes('POST /api/me/export') ? state : none }),
    'GET /api/me/export/file': { body: 'zip', headers: { 'content-type': 'application/zip' } },
  });
  const createObjectURL = vi.fn<(file: Blob) => string>(() => 'blob:export');
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: () => undefined }));
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await press('Request export');
  expect(await screen.findByText(/We are collecting your data/)).toBeDefined();
  state = ready;
  await press('Download (1.5 kB)');
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(await createObjectURL.mock.calls[0]?.[0].text()).toBe('zip');
  const download = calls.find(({ url }) => url.endsWith('/api/me/export/file'));
  expect(download?.headers.get('authorization')).toBe('Bearer token-1');
  saved.mockRestore();
});

test('[D32 D38] an export whose answer was lost is shown as being collected, and not asked for again', async () => {
  let state = none;
  const { calls } = open({
    'POST /api/me/export': () => {
      state = building;
      throw new TypeError('Failed to fetch');
    },
    'GET /api/me/export': () => ({ body: state }),
  });
  await press('Request export');
  expect(await screen.findByText(/We are collecting your data/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Request export' })).toBeNull();
  expect(screen.queryByText(/could not be started/)).toBeNull();
  expect(pathsOf(calls).filter((path) => path === 'POST /api/me/export')).toHaveLength(1);
});

test.each([
  ['has expired', { ...ready, expiresAt: anHourAgo }],
  ['has failed', { ...building, state: 'failed' }],
])('[D32] an export that %s can be asked for again', async (_case, state) => {
  open({ 'GET /api/me/export': { body: state } });
  expect(await screen.findByRole('button', { name: 'Request export' })).toBeDefined();
  expect(screen.queryByRole('button', { name: /Download/ })).toBeNull();
});

test('an export that cannot be started says so in the server’s words', async () => {
  open({ 'POST /api/me/export': { status: 429, body: { message: 'One export an hour.' } } });
  await press('Request export');
  expect(await noticeOf('Error')).toBe('One export an hour.');
});

test('[D43] before erasing it says exactly what goes and what stays, and needs the password', async () => {
  open();
  await press('Erase account');
  const dialog = await screen.findByRole('dialog', { name: 'Erase your account?' });
  const lists = within(dialog).getAllByRole('list');
  expect(lists[0]?.textContent).toContain('your name, e-mail, phone, bio and photos');
  expect(lists[1]?.textContent).toContain('earned by ‘A former member’');
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Erase for good' }).disabled).toBe(true);
});

test('[D43] a wrong password is told at the field, and nothing is erased here', async () => {
  const { dialog } = await eraseWith('Wrong-1!', { [erasing]: { status: 422, body: { message: 'Wrong password' } } });
  expect(await within(dialog).findByText('Wrong password')).toBeDefined();
  expect(within(dialog).getByLabelText('Your password').getAttribute('aria-invalid')).toBe('true');
  expect(localStorage.getItem('token')).toBe('token-1');
});

test('[D43] erased: the session is gone, and a farewell stands on the login screen', async () => {
  const { calls, router } = await eraseWith('Walk4ever!', { [erasing]: { body: { erased: true } } });
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(await noticeOf('Farewell')).toBe('Your account is erased. Thank you for every mile.');
  expect(await sentTo(calls, erasing)).toEqual({ password: 'Walk4ever!' });
  expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null]);
});
