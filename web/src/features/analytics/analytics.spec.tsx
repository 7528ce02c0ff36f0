import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { beforeEach, expect, test, vi } from 'vitest';
import { endSession } from '../../lib/session-state.ts';
import { openApp, pathsOf, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { few, figures, recapsEffect } from './testing/figures.ts';

beforeEach(() => endSession());

function open(api: Api = {}) {
  signedInAs({ role: 'admin' });
  const calls = serveApi({
    'GET /api/analytics': { body: figures },
    'GET /api/analytics/recaps': { body: recapsEffect },
    ...api,
  });
  openApp('/admin/analytics');
  return calls;
}

const region = (name: string) => screen.findByRole('region', { name });
const textsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => row.textContent);

test('last week comes first, in a sentence, with the week before it', async () => {
  open();
  expect(await screen.findByText(/14 of 24 members moved in the week of Nov 16/)).toBeDefined();
  expect(screen.getByText('58%', { selector: 'b' })).toBeDefined();
  expect(screen.getByText('The week before it was 83% to 96%.')).toBeDefined();
});

test('each chart is walked through with the arrow keys and said in words', async () => {
  open();
  const chart = await screen.findByRole('slider', { name: 'Members who moved, by week' });
  expect(chart.getAttribute('aria-valuetext')).toBe('Week of Nov 16: 14 of 24 members moved, 58%');
  chart.focus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(chart.getAttribute('aria-valuetext')).toBe('Week of Nov 9: 20 to 23 of 24 members moved, 83% to 96%');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(chart.getAttribute('aria-valuenow')).toBe('1');
  const days = screen.getByRole('slider', { name: 'Logs by day' });
  days.focus();
  await userEvent.keyboard('{Home}');
  expect(days.getAttribute('aria-valuetext')).toBe('Monday, November 9: 10 logs');
  await userEvent.keyboard('{ArrowRight}{ArrowDown}{ArrowDown}');
  expect(days.getAttribute('aria-valuetext')).toBe('Wednesday, November 18: too few people');
});

test('each chart has its figures as a table', async () => {
  open();
  const moves = await region('Who moves');
  expect(textsOf(within(moves).getByRole('table', { hidden: true }))).toEqual([
    'Week ofMovedShare',
    'Nov 920 to 23 of 2483% to 96%',
    'Nov 1614 of 2458%',
  ]);
  expect(textsOf(within(await region('When logs are made')).getByRole('table', { hidden: true })).at(-1)).toBe(
    'Nov 16014––00023',
  );
  expect(textsOf(within(await region('What people do')).getByRole('table'))).toEqual([
    'ActivityLogs',
    'Walking38',
    'Others23',
  ]);
  expect(textsOf(within(await region('Who stays')).getByRole('table')).at(-1)).toBe(
    'Oct 26 to Nov 212 people50%8% to 33%',
  );
  expect(textsOf(within(await region('Team balance')).getByRole('table')).slice(1)).toEqual([
    '⚡ Thunder12 members60% to 85%4.3',
    '🔥 Blazers🦉 Owls12 memberstoo few peopletoo few people',
  ]);
});

test('challenges and recaps stand beside those who took no part', async () => {
  open();
  const [challenges, recaps] = within(await region('What keeps people moving')).getAllByRole('table');
  if (!challenges || !recaps) throw new Error('two tables');
  expect(textsOf(challenges).slice(1)).toEqual(['Completed oneabout 50 times85%', 'Completed nonetoo few people']);
  expect(textsOf(recaps).slice(1)).toEqual(['Read itabout 40 times80% to 100%', 'Did not read itabout 20 times55%']);
});

test('another period is asked of the server', async () => {
  const calls = open();
  await userEvent.click(await screen.findByRole('radio', { name: 'Half a year' }));
  await waitFor(() => expect(pathsOf(calls)).toContain('GET /api/analytics?weeks=26'));
});

test('the figures are saved as a file by whoever has them on the screen', async () => {
  const saved: Blob[] = [];
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (file: Blob) => (saved.push(file), 'blob:1') }));
  Object.assign(URL, { revokeObjectURL: () => undefined });
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Export as CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(await saved[0]?.text()).toContain('members who moved,2026-11-16,week,14,14,24');
});

test('fewer than five members are told why there is nothing, and a first week when there will be', async () => {
  open({ 'GET /api/analytics': { body: few } });
  expect(await screen.findByText('Not enough people yet')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Invite people' }).getAttribute('href')).toBe('/admin/invites');
  expect(screen.queryByRole('slider')).toBeNull();
});

test('the first week of an organization has its words', async () => {
  open({ 'GET /api/analytics': { body: { ...few, members: 12, weeks: 0 } } });
  expect(await screen.findByText('The first week is under way')).toBeDefined();
});

test('five to nine members are told what shows from ten on', async () => {
  const small = { ...figures, members: 8, participation: [], retention: [], teams: [] };
  open({ 'GET /api/analytics': { body: small } });
  expect(await screen.findByText(/From ten members on/)).toBeDefined();
  expect(screen.getByText(/once ten of them have begun/)).toBeDefined();
  expect(screen.getByText(/Teams are compared from ten members on/)).toBeDefined();
});

test('what cannot be loaded can be tried again', async () => {
  let isBroken = true;
  open({ 'GET /api/analytics': () => (isBroken ? { status: 500, body: 'Boom' } : { body: figures }) });
  const again = await screen.findByRole('button', { name: 'Try again' });
  isBroken = false;
  await userEvent.click(again);
  expect(await region('Who moves')).toBeDefined();
});

test('[D37] nobody is shut out, as far as axe knows without a layout', async () => {
  open();
  await region('Who moves');
  const { violations } = await axe.run(document.body, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag22aa', 'best-practice'],
    rules: { 'color-contrast': { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
});
