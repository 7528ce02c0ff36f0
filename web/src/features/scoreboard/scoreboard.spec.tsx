import type { Leaderboard } from '@caravan/contracts/http/scores';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { board, openApp, serveApi, signedInAs } from '../../testing/app.tsx';

const user = (id: string, rank: number, name: string, totalMiles: number) => ({
  id,
  rank,
  name,
  teamName: 'Thunder',
  teamEmoji: '⚡',
  photoUrl: null,
  totalMiles,
  weeklyMiles: 3.25,
});

const users = [
  user('a', 1, 'Ada', 1212.64),
  user('y', 2, 'Yuki', 198.1),
  user('u1', 2, 'Maya', 198.1),
  user('l', 4, 'Lena', 127.6),
  user('o', 5, 'Omar', 96),
];

const teams: Leaderboard['teams'] = [
  {
    id: 't1',
    rank: 1,
    name: 'Thunder',
    emoji: '⚡',
    memberCount: 4,
    totalMiles: 420,
    weeklyMiles: 42,
    averageMiles: 105,
  },
  { id: 't2', rank: null, name: 'New', emoji: '🌱', memberCount: 1, totalMiles: 0, weeklyMiles: 0, averageMiles: 0 },
];

function open(answer: Partial<Leaderboard> = { users, teams, around: users, userPosition: 2, teamPosition: 1 }) {
  signedInAs();
  serveApi({ 'GET /api/leaderboard': { body: { ...board, ...answer } } });
  return openApp('/leaderboard');
}

const textsOf = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map((row) => row.textContent);

test('[2.75 D26] top performers are the first three of the board, ties share their badge', async () => {
  open();
  const podium = await screen.findByRole('region', { name: 'Top performers' });
  expect(textsOf(podium)).toEqual([
    expect.stringMatching(/Rank 1Ada⚡ Thunder1,212\.6 mi3\.3 this week/),
    expect.stringMatching(/Rank 2Yuki/),
    expect.stringMatching(/Rank 2Maya.*you/),
  ]);
});

test('[2.75 9.8 D45] the others follow with rank, team, total and week', async () => {
  open();
  const rows = await screen.findByRole('region', { name: 'Everyone else' });
  expect(textsOf(rows)).toEqual([
    expect.stringMatching(/Rank 4.*Lena.*⚡ Thunder127\.6 mi3\.3 this week/),
    expect.stringMatching(/Rank 5.*Omar/),
  ]);
});

test('[D18] names lead to their profiles; who hides, and who has left, is nobody’s link', async () => {
  const hidden = [user('h', 6, 'A teammate', 80), user('f', 7, 'A former member', 70)];
  open({ users: [...users, ...hidden], teams, around: users, userPosition: 2, teamPosition: 1 });
  const links = within(await screen.findByRole('tabpanel')).getAllByRole('link');
  const profiles = links.map((link) => link.getAttribute('href')).filter((path) => path?.startsWith('/user/'));
  expect(profiles).toEqual(users.map(({ id }) => `/user/${id}`));
  expect(screen.getByText('A teammate').closest('a')).toBeNull();
});

test('[9.22] who prefers kilometers reads the board in kilometers', async () => {
  localStorage.setItem('units', 'metric');
  open();
  const rows = await screen.findByRole('region', { name: 'Everyone else' });
  expect(textsOf(rows)[0]).toMatch(/Lena.*205\.4 km5\.2 this week/);
  expect(screen.getByRole('region', { name: 'Keep going' }).textContent).toContain(
    'You are 1,632.7 km behind first place.',
  );
});

test('[2.75] one’s own position stands in its card', async () => {
  open();
  const card = await screen.findByRole('region', { name: 'Your position' });
  expect(card.textContent).toMatch(/#2.*198\.1 miles/);
});

test('[2.75] the encouragement says how far first place is', async () => {
  open();
  const card = await screen.findByRole('region', { name: 'Keep going' });
  expect(card.textContent).toContain('You are 1,014.5 miles behind first place.');
  expect(card.textContent).toContain('Level with Yuki');
  expect(card.textContent).toContain('70.5 miles ahead of Lena');
});

test('[D12] without miles the position is --', async () => {
  open({ users, teams });
  const card = await screen.findByRole('region', { name: 'Your position' });
  expect(card.textContent).toMatch(/--.*no miles yet/);
});

test('[2.75] the Teams tab shows teams with members, totals and week; arrow keys lead there', async () => {
  open();
  const first = await screen.findByRole('tab', { name: 'Individual' });
  expect(first.getAttribute('aria-selected')).toBe('true');
  first.focus();
  await userEvent.keyboard('{ArrowRight}');
  const list = await screen.findByRole('region', { name: 'Teams' });
  expect(textsOf(list)).toEqual([
    expect.stringMatching(/Rank 1.*Thunder.*your team.*4 members.*105\.0 miles each.*420\.0.*42\.0 this week/),
    expect.stringMatching(/Rank --.*New.*1 member/),
  ]);
  expect(screen.getByRole('region', { name: 'Your position' }).textContent).toMatch(/#1.*Thunder.*420\.0/);
});

test('an empty board offers the first step', async () => {
  open({ teams });
  expect(await screen.findByText('Nobody is on the board yet')).toBeDefined();
});

test('a board that cannot be loaded says so', async () => {
  signedInAs();
  serveApi({ 'GET /api/leaderboard': { status: 500, body: 'Boom' } });
  openApp('/leaderboard');
  expect(await screen.findByText('The scoreboard could not be loaded')).toBeDefined();
});

test('[D35] a rank that changes shows without a reload', async () => {
  const { queryClient } = open();
  await screen.findByRole('region', { name: 'Everyone else' });
  serveApi({ 'GET /api/leaderboard': { body: { ...board, users: users.toReversed(), around: [], userPosition: 9 } } });
  await queryClient.invalidateQueries({ queryKey: ['/api/leaderboard'] });
  await waitFor(() => expect(screen.getByRole('region', { name: 'Your position' }).textContent).toContain('#9'));
});
