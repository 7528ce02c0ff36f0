import type { ManagedMember, ManagedTeam } from '@caravan/contracts/http/organisations';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import {
  me,
  noticeOf,
  onScreen,
  openApp,
  pathsOf,
  sentTo,
  serveApi,
  signedInAs,
  type Api,
} from '../../testing/app.tsx';
import { LivePage } from '../../lib/live-page.ts';
import { toast } from '../../ui/toast-state.ts';

const formedAt = '2026-11-01T08:00:00.000Z';
const team = (id: string, name: string, emoji: string, retired = false): ManagedTeam => {
  return { id, name, emoji, memberCount: 2, retired, formedAt };
};
const teams = [team('t1', 'Thunder', '⚡'), team('t2', 'Blazers', '🔥'), team('t3', 'Owls', '🦉', true)];
const member = (id: string, name: string, part: Partial<ManagedMember> = {}): ManagedMember => ({
  id,
  name,
  email: `${id}@example.org`,
  role: 'member',
  team: { id: 't1', name: 'Thunder', emoji: '⚡' },
  isActive: true,
  isEmailConfirmed: true,
  totalMiles: 12.34,
  lastActivityDate: '2026-11-20',
  joinedAt: formedAt,
  ...part,
});
const ada = member('m1', 'Ada Lovelace');
const ben = member('m2', 'Ben Ali', { role: 'admin', lastActivityDate: null });
const cleo = member('m3', 'Cleo Nile', { isActive: false });
const problem = (message: string) => ({ status: 422, body: { title: 'Refused', status: 422, message } });

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const askedFor = (calls: readonly Request[]) => pathsOf(calls).filter((path) => path.startsWith('GET /api/members'));

async function open(api: Api = {}, path = '/admin/members') {
  signedInAs({ role: 'admin' });
  const calls = serveApi({
    'GET /api/members': { body: [ada, ben, cleo] },
    'GET /api/teams': { body: teams },
    ...api,
  });
  const app = openApp(path);
  await screen.findByText('Ada Lovelace');
  return { calls, ...app };
}

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[D3 D35 D43] the open list shows who has joined, and what others changed, once the stream tells of it', async () => {
  let rows = [ada, ben];
  const { queryClient, calls } = await open({ 'GET /api/members': () => ({ body: rows }) });
  const stream = new LivePage({
    queryClient,
    isLookedAt: () => true,
    sinceFirstAsked: () => 0,
    ownTeamId: () => undefined,
  });
  expect([askedFor(calls).length, screen.queryByText('Cleo Nile')]).toEqual([1, null]);
  rows = [member('m1', 'Ada King', { team: { id: 't2', name: 'Blazers', emoji: '🔥' } }), ben, cleo];
  stream.hear({ kinds: ['members'] });
  expect(await screen.findByText('Cleo Nile')).toBeDefined();
  expect([screen.queryByText('Ada Lovelace'), screen.getByText('Ada King').textContent]).toEqual([null, 'Ada King']);
  stream.close();
});

test('[D32 D43] phones show members as cards with team and miles', async () => {
  await open();
  const cards = within(screen.getByRole('main')).getAllByRole('listitem');
  expect(cards.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Ada Lovelace.*⚡ Thunder · 12\.3 mi$/),
    expect.stringMatching(/^Ben Ali.*Admin/),
    expect.stringMatching(/^Cleo Nile.*Deactivated/),
  ]);
});

test('[D32 D43] desks show a table with the last movement and the day of joining', async () => {
  onScreen('wide');
  await open();
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows).toHaveLength(4);
  expect(rows[1]).toMatch(/Ada Lovelace.*m1@example\.org.*Thunder.*12\.3.*Nov 20, 2026.*Nov 1, 2026/);
  expect(rows[2]).toMatch(/–/);
});

test('the server searches when one pauses, and the address remembers it', async () => {
  const { calls, router } = await open();
  await userEvent.type(screen.getByRole('searchbox'), 'ada');
  await waitFor(() => expect(askedFor(calls)).toHaveLength(2));
  expect(askedFor(calls)[1]).toBe('GET /api/members?q=ada&limit=50');
  expect(router.state.location.search).toEqual({ q: 'ada' });
});

test('team, role, status and order are filters of the server', async () => {
  const { calls } = await open();
  await userEvent.selectOptions(screen.getByLabelText('Team'), 't2');
  await userEvent.selectOptions(screen.getByLabelText('Role'), 'admin');
  await userEvent.selectOptions(screen.getByLabelText('Status'), 'inactive');
  await userEvent.selectOptions(screen.getByLabelText('Order'), '-miles');
  const last = 'GET /api/members?teamId=t2&role=admin&status=inactive&sort=-miles&limit=50';
  await waitFor(() => expect(askedFor(calls).at(-1)).toBe(last));
});

test('a column sorts, and a second press turns it round', async () => {
  onScreen('wide');
  const { calls } = await open();
  await press('Total mi');
  await waitFor(() => expect(askedFor(calls).at(-1)).toContain('sort=-miles'));
  expect(screen.getByRole('columnheader', { name: 'Total mi' }).getAttribute('aria-sort')).toBe('descending');
  await press('Total mi');
  await waitFor(() => expect(askedFor(calls).at(-1)).toContain('sort=miles'));
});

test('a link with filters opens the filtered list; what it does not know is left out', async () => {
  const { calls } = await open({}, '/admin/members?teamId=t1&role=owner&sort=shoe-size');
  expect(askedFor(calls)).toEqual(['GET /api/members?teamId=t1&limit=50']);
  expect(screen.getByLabelText<HTMLSelectElement>('Team').value).toBe('t1');
});

test('[D43] thousands of members come in pages, there and back, and another filter begins anew', async () => {
  const zoe = member('m9', 'Zoe Zhang');
  const { calls } = await open({
    'GET /api/members': (request) => {
      const isSecond = new URL(request.url).searchParams.get('cursor') === 'c2';
      const link = { link: '</api/members?limit=50&cursor=c2>; rel="next"' };
      return isSecond ? { body: [zoe] } : { body: [ada, ben], headers: link };
    },
  });
  await press('Next');
  expect(await screen.findByText('Zoe Zhang')).toBeDefined();
  expect(screen.getByText('51–51')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true);
  await press('Previous');
  expect(await screen.findByText('Ada Lovelace')).toBeDefined();
  await press('Next');
  await userEvent.selectOptions(screen.getByLabelText('Role'), 'member');
  await waitFor(() => expect(askedFor(calls).at(-1)).toBe('GET /api/members?role=member&limit=50'));
});

test('[D17] a page of members that is gone gives way to the first page', async () => {
  const { calls } = await open({
    'GET /api/members': (request) => {
      const isSecond = new URL(request.url).searchParams.get('cursor') === 'c2';
      const link = { link: '</api/members?limit=50&cursor=c2>; rel="next"' };
      const gone = { status: 422, code: 'page/bad-cursor', message: 'This page no longer exists' };
      return isSecond ? { status: 422, body: gone } : { body: [ada, ben], headers: link };
    },
  });
  await press('Next');
  await waitFor(() => expect(askedFor(calls)).toHaveLength(3));
  expect(await screen.findByText('Ada Lovelace')).toBeDefined();
  expect(screen.getByText('1–2')).toBeDefined();
  expect(askedFor(calls).at(-1)).toBe('GET /api/members?limit=50');
});

test('[D3] role and team change at once, and the row shows it', async () => {
  const { calls } = await open({
    'PATCH /api/members/m1': async (request) => {
      const body = (await request.clone().json()) as { role?: 'admin'; teamId?: string };
      const moved = body.teamId ? { team: { id: 't2', name: 'Blazers', emoji: '🔥' } } : {};
      return { body: { ...ada, ...moved, role: body.role ?? 'member' } };
    },
  });
  await userEvent.click(screen.getByText('Ada Lovelace'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Ada Lovelace' }));
  await userEvent.selectOptions(dialog.getByLabelText('Team'), 't2');
  expect(await screen.findByText('Ada Lovelace is now in Blazers')).toBeDefined();
  expect(await sentTo(calls, 'PATCH /api/members/m1')).toEqual({ teamId: 't2' });
  await userEvent.click(dialog.getByRole('radio', { name: 'Admin' }));
  expect(await screen.findByText('Ada Lovelace is now an admin')).toBeDefined();
  expect(await sentTo(calls, 'PATCH /api/members/m1')).toEqual({ role: 'admin' });
});

test('[D2] a retired team takes nobody', async () => {
  await open();
  await userEvent.click(screen.getByText('Ada Lovelace'));
  const dialog = within(await screen.findByRole('dialog'));
  const choices = within(dialog.getByLabelText('Team')).getAllByRole('option');
  expect(choices.map(({ textContent }) => textContent)).toEqual(['⚡ Thunder', '🔥 Blazers']);
});

test('deactivating is asked about, reactivating is not', async () => {
  let isActive = true;
  const { calls } = await open({
    'PATCH /api/members/m1': () => ({ body: { ...ada, isActive: (isActive = !isActive) } }),
  });
  await userEvent.click(screen.getByText('Ada Lovelace'));
  await press('Deactivate…');
  await press('Cancel');
  expect(pathsOf(calls)).not.toContain('PATCH /api/members/m1');
  await press('Deactivate…');
  await press('Deactivate');
  expect(await screen.findByText('Ada Lovelace is deactivated')).toBeDefined();
  expect(await sentTo(calls, 'PATCH /api/members/m1')).toEqual({ isActive: false });
  await press('Reactivate');
  expect(await screen.findByText('Ada Lovelace is active again')).toBeDefined();
  expect(await sentTo(calls, 'PATCH /api/members/m1')).toEqual({ isActive: true });
});

test('[D4] what the server refuses, such as the last admin, it explains', async () => {
  await open({ 'PATCH /api/members/m2': problem('An organisation needs an admin') });
  await userEvent.click(screen.getByText('Ben Ali'));
  await userEvent.click(await screen.findByRole('radio', { name: 'Member' }));
  expect(await noticeOf('Ben Ali was not changed')).toBe('An organisation needs an admin');
  expect(screen.getByRole('radio', { name: 'Admin' }).getAttribute('aria-checked')).toBe('true');
});

test('many members move to a team together; who cannot is told', async () => {
  const moved = { team: { id: 't2', name: 'Blazers', emoji: '🔥' } };
  const { calls } = await open({
    'PATCH /api/members/m1': { body: { ...ada, ...moved } },
    'PATCH /api/members/m3': problem('This account is deactivated'),
  });
  await userEvent.click(screen.getByLabelText('Select Ada Lovelace'));
  await userEvent.click(screen.getByLabelText('Select Cleo Nile'));
  expect(screen.getByRole('region', { name: 'Selection' }).textContent).toContain('2 selected');
  await userEvent.selectOptions(screen.getByLabelText('Move to team'), 't2');
  await press('Move');
  expect(await noticeOf('1 member moved to Blazers')).toBe('1 could not be moved. This account is deactivated');
  expect(await sentTo(calls, 'PATCH /api/members/m1')).toEqual({ teamId: 't2' });
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
  expect(screen.getByText(/🔥 Blazers/, { selector: 'span' })).toBeDefined();
});

test('a whole page is selected and given up', async () => {
  onScreen('wide');
  await open();
  await userEvent.click(screen.getByLabelText('Select this page'));
  expect(screen.getByText('3 selected')).toBeDefined();
  await press('Clear the selection');
  expect(screen.queryByText('3 selected')).toBeNull();
});

test('one’s own row is marked', async () => {
  await open({ 'GET /api/members': { body: [ada, member(me.id, me.name, { role: 'admin' })] } });
  const own = (await screen.findByText(me.name)).closest('li');
  expect(own?.textContent).toContain('you');
});

test('nobody found, nothing loaded: each says so and offers the next step', async () => {
  let answer: { status?: number; body: unknown } = { status: 500, body: 'Boom' };
  signedInAs({ role: 'admin' });
  serveApi({ 'GET /api/members': () => answer, 'GET /api/teams': { body: teams } });
  openApp('/admin/members?q=nobody');
  const again = await screen.findByRole('button', { name: 'Try again' });
  answer = { body: [] };
  await userEvent.click(again);
  expect(await screen.findByText('Nobody fits')).toBeDefined();
  answer = { body: [ada] };
  await press('Show everybody');
  expect(await screen.findByText('Ada Lovelace')).toBeDefined();
});

test('[D1 D43] the list of members leads to the invites', async () => {
  await open();
  expect(screen.getByRole('link', { name: 'Invite people' }).getAttribute('href')).toBe('/admin/invites');
});
