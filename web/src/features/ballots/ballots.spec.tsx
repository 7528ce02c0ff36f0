import type { Ballot } from '@caravan/contracts/http/ballots';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type Api, noticeOf, openApp, sentTo, serveApi, signedInAs } from '../../testing/app.tsx';
import { keyedServer } from '../../testing/keyed-server.ts';
import { toast } from '../../ui/toast-state.ts';
import { endAfter, nameFields, namesIn } from './ballot-form.ts';

const thunder = { id: 't1', name: 'Thunder', emoji: '⚡' };
const names = ['Storm', 'Trailblazers', 'Night Owls'];
const ballot = (more: Partial<Ballot> = {}): Ballot => ({
  id: 'b1',
  team: thunder,
  state: 'open',
  names: names.map((name) => ({ name, votes: null })),
  openedAt: '2026-11-20T08:00:00.000Z',
  endsAt: new Date(Date.now() + 3_600_000).toISOString(),
  turnout: { voted: 0, members: 12 },
  result: null,
  ...more,
});
const voted = ballot({ id: 'b2', team: { id: 't2', name: 'Blazers', emoji: '🔥' }, turnout: { voted: 5, members: 9 } });
const decided = ballot({
  id: 'b3',
  team: { id: 't3', name: 'Owls', emoji: '🦉' },
  state: 'decided',
  turnout: { voted: 3, members: 4 },
  names: names.map((name, at) => ({ name, votes: at })),
  result: { name: 'Trailblazers', passedOver: ['Night Owls'] },
});

async function open(rows: Ballot[] = [ballot(), voted, decided], api: Api = {}) {
  signedInAs({ role: 'admin' });
  const teams = [thunder, voted.team, decided.team].map((team) => ({
    ...team,
    memberCount: 4,
    retired: false,
    formedAt: '',
  }));
  const calls = serveApi({ 'GET /api/ballots': { body: rows }, 'GET /api/teams': { body: teams }, ...api });
  const app = openApp('/admin/ballots');
  await screen.findByRole('button', { name: 'Open a ballot' });
  return { calls, ...app };
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const pressIn = async (name: string) =>
  userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[D20] turnout stands with every ballot, who won and with how many votes with a decided one', async () => {
  await open();
  const turnouts = screen.getAllByRole('progressbar', { name: 'Turnout' });
  expect(turnouts.map((meter) => meter.getAttribute('aria-valuetext'))).toEqual([
    '0 of 12 have voted',
    '5 of 9 have voted',
    '3 of 4 have voted',
  ]);
  expect(screen.getByText('The team is now called Trailblazers.', { exact: false }).textContent).toContain(
    'Night Owls had more votes, but another team took the name meanwhile.',
  );
  expect(screen.getByText('Night Owls · 2 votes')).toBeDefined();
  expect(screen.getAllByText('Storm')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Close the ballot of Owls' })).toBeNull();
});

test('[D20 D53] a ballot is opened for all teams, for seven days if not said otherwise', async () => {
  const { calls } = await open([], { 'POST /api/ballots': { status: 201, body: [ballot(), voted] } });
  await press('Open a ballot');
  await pressIn('Open');
  expect(await noticeOf('2 ballots are open')).toBe('The members are asked on their dashboards.');
  const { endsAt } = (await sentTo(calls, 'POST /api/ballots')) as { endsAt: string };
  expect((Date.parse(endsAt) - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
});

test('[D20 D38] a ballot whose answer was lost is said to be open, whatever was changed since', async () => {
  const server = keyedServer(1, () => ({ status: 201, body: [ballot()] }));
  await open([], { 'POST /api/ballots': server.answerTo });
  await press('Open a ballot');
  await pressIn('Open');
  await screen.findByText('That did not work. Please try again later.');
  await userEvent.selectOptions(screen.getByLabelText('Open for'), '14');
  await pressIn('Open');
  expect(await noticeOf('1 ballot is open')).toContain('Your first try had opened it');
  expect(server.served).toHaveLength(1);
});

test('[D20 D53] a ballot for one team may have names of one’s own; a refusal is said in the server’s words', async () => {
  const message = 'A ballot offers 3 to 5 names';
  const { calls } = await open([ballot()], {
    'POST /api/teams/t3/ballots': { status: 422, body: { status: 422, message } },
  });
  await press('Open a ballot');
  const team = screen.getByLabelText('For');
  expect(within(team).getByRole<HTMLOptionElement>('option', { name: '⚡ Thunder' }).disabled).toBe(true);
  await userEvent.selectOptions(team, 't3');
  await userEvent.type(screen.getByLabelText('Name 2'), ' Otters ');
  await pressIn('Open');
  expect((await screen.findByText(message)).getAttribute('role')).toBe('alert');
  expect(await sentTo(calls, 'POST /api/teams/t3/ballots')).toMatchObject({ names: ['Otters'] });
});

test('[D20] names can be edited until the first vote, the end as long as it is open', async () => {
  const { calls } = await open([ballot(), voted], {
    'PATCH /api/ballots/b1': { body: ballot({ names: [{ name: 'Otters', votes: null }] }) },
  });
  await press('Edit the ballot of Blazers');
  expect(await screen.findByText('Somebody has voted: the names stay as they are.')).toBeDefined();
  await press('Close');
  await press('Edit the ballot of Thunder');
  const first = screen.getByLabelText('Name 1');
  await userEvent.clear(first);
  await userEvent.type(first, 'Otters');
  await pressIn('Save');
  expect(await screen.findByText('Otters')).toBeDefined();
  expect(await sentTo(calls, 'PATCH /api/ballots/b1')).toEqual({ names: ['Otters', ...names.slice(1)] });
});

test('[D20] a ballot is closed early, after a question', async () => {
  await open([ballot()], { 'POST /api/ballots/b1/close': { body: ballot({ state: 'closed' }) } });
  await press('Close the ballot of Thunder');
  await pressIn('Close now');
  expect(await noticeOf('The ballot is closed')).toBe('The votes are being counted.');
  const row = (await screen.findByText('Voting closed')).closest('li');
  // The button is gone, the place is not lost.
  await waitFor(() => expect(document.activeElement).toBe(row));
});

test('what cannot be loaded says so', async () => {
  signedInAs({ role: 'admin' });
  serveApi({ 'GET /api/ballots': { status: 500, body: 'Boom' } });
  openApp('/admin/ballots');
  expect(await screen.findByText('The ballots could not be loaded')).toBeDefined();
});

test('a form holds five names and an end to the minute', () => {
  expect(nameFields(['a'])).toEqual(['a', '', '', '', '']);
  expect(namesIn([' a ', '', ' '])).toEqual(['a']);
  const end = endAfter(3, Date.parse('2026-11-20T08:00:00.000Z'));
  expect(end).toBe('2026-11-23T08:00:00.000Z');
});
