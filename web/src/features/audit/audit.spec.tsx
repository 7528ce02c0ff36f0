import { auditActs } from '@caravan/contracts/domain/audit';
import type { AuditEntry } from '@caravan/contracts/http/audit';
import { screen, within, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { noticeOf, openApp, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';

const entry = (act: AuditEntry['act'], changes: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `${act} ${String(changes.at)}`,
  at: '2026-11-21T14:05:00.000Z',
  kind: act.split('.')[0] as AuditEntry['kind'],
  act,
  actor: { name: 'Zoë Admin', profileId: 'u1' },
  device: 'Firefox on Linux',
  subject: null,
  from: null,
  to: null,
  count: null,
  ...changes,
});
const moved = entry('member.moved', { subject: 'Maya', from: 'Thunder', to: 'Blazers' });
const refused = entry('access.refused', {
  subject: 'GET /api/members',
  actor: { name: 'A former member', profileId: null },
  at: '2026-11-20T09:00:00.000Z',
});
const appointed = entry('operator.admin-appointed', { subject: 'Omar', actor: null, device: null });

const rows = () =>
  within(screen.getByRole('main'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

function open(api: Api = {}) {
  signedInAs({ role: 'admin' });
  const calls = serveApi({ 'GET /api/audit': { body: [moved, appointed, refused] }, ...api });
  return { calls, ...openApp('/admin/audit') };
}

// Takes the place of what the test before had said.
beforeEach(() => toast({ title: 'Nothing yet' }));

test('[S38] the log says who did what, when and from where, day by day; names lead to profiles where there is one', async () => {
  open();
  await screen.findByRole('heading', { name: 'Audit log' });
  const days = await screen.findAllByRole('region', { name: /2026/ });
  expect(days.map((day) => within(day).getAllByRole('listitem').length)).toEqual([2, 1]);
  expect(rows()).toEqual([
    expect.stringMatching(/Zoë Admin moved Maya from Thunder to BlazersFirefox on Linux$/),
    expect.stringMatching(/The operator made Omar an admin$/),
    expect.stringMatching(/A former member was refused GET \/api\/membersFirefox on Linux$/),
  ]);
  const links = within(screen.getByRole('main')).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href')).filter((path) => path !== '/notifications')).toEqual([
    '/admin',
    '/user/u1',
  ]);
});

test('[S38] every act has words of its own', async () => {
  open({ 'GET /api/audit': { body: auditActs.map((act) => entry(act, { subject: 'Owls', count: 2 })) } });
  await screen.findByText(/signed in/);
  expect(rows()).toHaveLength(auditActs.length);
  for (const text of rows()) expect(text).not.toMatch(/\w\.\w|undefined|null/);
});

test('[D53] kind and dates are asked of the server, and what is not there can be left again', async () => {
  const { calls } = open({
    'GET /api/audit': ({ url }) => ({ body: new URL(url).searchParams.has('kind') ? [] : [moved] }),
  });
  await screen.findByText(/moved Maya/);
  await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Journey');
  expect(await screen.findByText('Nothing like that was done')).toBeDefined();
  expect(calls.at(-1)?.url).toContain('kind=journey');
  await press('Show all');
  expect(await screen.findByText(/moved Maya/)).toBeDefined();
  await userEvent.type(screen.getByLabelText('From'), '2026-11-20');
  await waitFor(() => expect(calls.at(-1)?.url).toContain('from=2026-11-20'));
});

test('[D17] older entries come with Load more, under the days that are there', async () => {
  const older = entry('team.formed', { subject: 'Owls', at: '2026-11-21T08:00:00.000Z' });
  open({
    'GET /api/audit': ({ url }) =>
      new URL(url).searchParams.has('cursor')
        ? { body: [older] }
        : { body: [moved], headers: { link: '</api/audit?limit=25&cursor=next>; rel="next"' } },
  });
  await press('Load more');
  expect(await screen.findByText(/formed the team Owls/)).toBeDefined();
  expect(screen.getAllByRole('region', { name: /2026/ })).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
});

test('[S35] the file is asked for with the same filters; when that fails it is said', async () => {
  const { calls } = open({ 'GET /api/audit/file': { status: 500, body: 'Boom' } });
  await userEvent.selectOptions(await screen.findByLabelText('Kind'), 'Members');
  await press('Export as CSV');
  expect(await noticeOf('The log was not exported')).toBe('Please try again later.');
  expect(calls.find(({ url }) => url.includes('/api/audit/file'))?.url).toMatch(/\?kind=member$/);
});

test('an empty log says so, and one that cannot be loaded can be tried again', async () => {
  let isBroken = true;
  open({ 'GET /api/audit': () => (isBroken ? { status: 500, body: 'Boom' } : { body: [] }) });
  const again = await screen.findByRole('button', { name: 'Try again' });
  isBroken = false;
  await userEvent.click(again);
  expect(await screen.findByText('Nothing was done yet')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Export as CSV' })).toBeNull();
});
