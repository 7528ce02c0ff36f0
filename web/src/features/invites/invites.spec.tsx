import type { Invite, ManagedTeam } from '@caravan/contracts/http/organisations';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';

const createdAt = '2026-11-20T08:00:00.000Z';
const blazers: ManagedTeam = {
  id: 't2',
  name: 'Blazers',
  emoji: '🔥',
  memberCount: 2,
  retired: false,
  formedAt: createdAt,
};
const open7: Invite = {
  id: 'i1',
  code: 'WALK2026',
  url: 'https://caravan.example/signup?invite=WALK2026',
  createdAt,
  expiresAt: '2026-12-05T10:00:00.000Z',
  maxUses: 20,
  uses: 7,
  domains: ['example.org'],
  teamId: 't2',
  state: 'open',
};
const others: Invite[] = (['expired', 'used-up', 'revoked'] as const).map((state) => ({
  ...open7,
  id: state,
  code: state.toUpperCase(),
  maxUses: null,
  domains: [],
  teamId: null,
  state,
}));

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

async function open(api: Api = {}) {
  signedInAs({ role: 'admin' });
  const calls = serveApi({
    'GET /api/invites': { body: [open7, ...others] },
    'GET /api/teams': { body: [blazers, { ...blazers, id: 't3', name: 'Owls', retired: true }] },
    ...api,
  });
  const app = openApp('/admin/invites');
  await screen.findByRole('button', { name: 'New invite' });
  return { calls, ...app };
}

const rows = () => within(screen.getByRole('main')).getAllByRole('listitem');

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
  vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00.000Z'), toFake: ['Date'] });
});
afterEach(() => void vi.useRealTimers());

test('[D1 D43] invites show their state and their terms; only open ones can be shared or revoked', async () => {
  await open();
  await screen.findByText(/into 🔥 Blazers/);
  const [first, ...closed] = rows();
  expect(first?.textContent).toMatch(
    /WALK2026 Open7 joined \/ 20\u00a0· until Dec 5, 2026.*into 🔥 Blazers\u00a0· only example\.org/,
  );
  expect(closed.map((row) => row.querySelector('p')?.textContent)).toEqual([
    'EXPIRED Expired',
    'USED-UP Used up',
    'REVOKED Revoked',
  ]);
  expect(closed[0]?.textContent).toMatch(/7 joined \/ any number\u00a0· expired Dec 5, 2026/);
  expect(closed.flatMap((row) => within(row).queryAllByRole('button'))).toEqual([]);
});

test('[D1 D43] an invite is made with its terms, and at once there to share', async () => {
  const { calls } = await open({ 'POST /api/invites': { status: 201, body: open7 } });
  await press('New invite');
  await userEvent.selectOptions(await screen.findByLabelText('Open for'), '30');
  await userEvent.type(screen.getByLabelText('How many may join'), '20');
  await userEvent.type(screen.getByLabelText('E-mail domains'), '@Example.org, example.com');
  await userEvent.selectOptions(screen.getByLabelText('Team'), 't2');
  expect(within(screen.getByLabelText('Team')).queryByText(/Owls/)).toBeNull();
  await press('Create invite');
  expect(await screen.findByRole('dialog', { name: 'Share the invite' })).toBeDefined();
  expect(await sentTo(calls, 'POST /api/invites')).toEqual({
    expiresAt: '2026-12-21T12:00:00.000Z',
    maxUses: 20,
    domains: ['example.org', 'example.com'],
    teamId: 't2',
  });
});

test('[D43] without terms an invite is for anybody, for fourteen days', async () => {
  const { calls } = await open({ 'POST /api/invites': { status: 201, body: open7 } });
  await press('New invite');
  await press('Create invite');
  await screen.findByRole('dialog', { name: 'Share the invite' });
  const terms = { expiresAt: '2026-12-05T12:00:00.000Z', maxUses: null, domains: [], teamId: null };
  expect(await sentTo(calls, 'POST /api/invites')).toEqual(terms);
});

test('terms that make no sense are refused at their field, here or by the server', async () => {
  const errors = [{ path: 'domains.0', message: 'Not an e-mail domain' }];
  const { calls } = await open({
    'POST /api/invites': { status: 422, body: { status: 422, message: 'Not an e-mail domain', errors } },
  });
  await press('New invite');
  await userEvent.type(await screen.findByLabelText('How many may join'), '0');
  await press('Create invite');
  expect(await screen.findByText('A whole number of 1 or more, or nothing')).toBeDefined();
  expect(pathsOf(calls)).not.toContain('POST /api/invites');
  await userEvent.clear(screen.getByLabelText('How many may join'));
  await userEvent.type(screen.getByLabelText('E-mail domains'), 'nonsense');
  await press('Create invite');
  expect(await noticeOf('The invite was not made')).toBe('Not an e-mail domain');
  expect(screen.getByRole('textbox', { name: 'E-mail domains', description: /Not an e-mail domain/ })).toBeDefined();
});

test('[D1] an open invite is shared by link, code and QR code', async () => {
  await open();
  await press('Share WALK2026');
  expect(await screen.findByRole('img', { name: 'QR code of the link' })).toBeDefined();
  const user = userEvent.setup({ writeToClipboard: true });
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText('Link copied')).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe(open7.url);
  await user.click(screen.getByRole('button', { name: 'Copy code' }));
  expect(await navigator.clipboard.readText()).toBe('WALK2026');
});

test('[8.20] what cannot be copied is shown, to be copied by hand', async () => {
  await open();
  await press('Share WALK2026');
  const user = userEvent.setup({ writeToClipboard: true });
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('Denied', 'NotAllowedError'));
  const shown: unknown[] = [];
  vi.stubGlobal('prompt', (...said: unknown[]) => void shown.push(said));
  await user.click(await screen.findByRole('button', { name: 'Copy link' }));
  await waitFor(() => expect(shown).toEqual([['Copy this:', open7.url]]));
  expect(screen.queryByText('Link copied')).toBeNull();
});

test('[9.27] that a link was copied is told for 3000 ms', async () => {
  await open();
  await press('Share WALK2026');
  const copy = await screen.findByRole('button', { name: 'Copy link' });
  userEvent.setup({ writeToClipboard: true });
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  vi.useFakeTimers();
  const isTold = () => screen.queryAllByText('Link copied', { selector: 'li *' }).length > 0;
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  fireEvent.click(copy);
  await pass(0);
  await pass(2999);
  expect(isTold()).toBe(true);
  await pass(2);
  expect(isTold()).toBe(false);
  vi.useRealTimers();
});

test('[D1] revoking is asked about, and then holds', async () => {
  const { calls } = await open({ 'DELETE /api/invites/i1': { body: { ...open7, state: 'revoked' } } });
  await press('Revoke WALK2026');
  await press('Cancel');
  expect(pathsOf(calls)).not.toContain('DELETE /api/invites/i1');
  await press('Revoke WALK2026');
  await press('Revoke');
  expect(await screen.findByText('WALK2026 is revoked')).toBeDefined();
  expect(rows()[0]?.textContent).toContain('Revoked');
});

test('the first invite is one press away', async () => {
  signedInAs({ role: 'admin' });
  serveApi({ 'GET /api/invites': { body: [] }, 'GET /api/teams': { body: [] } });
  openApp('/admin/invites');
  expect(await screen.findByText('No invites yet')).toBeDefined();
  await press('New invite');
  expect(await screen.findByRole('dialog', { name: 'New invite' })).toBeDefined();
});

test('what cannot be loaded says so and can be tried again', async () => {
  signedInAs({ role: 'admin' });
  let isBroken = true;
  serveApi({ 'GET /api/invites': () => (isBroken ? { status: 500, body: 'Boom' } : { body: [open7] }) });
  openApp('/admin/invites');
  const again = await screen.findByRole('button', { name: 'Try again' });
  isBroken = false;
  await userEvent.click(again);
  expect(await screen.findByText('WALK2026')).toBeDefined();
});
