import type { Leaderboard } from '@caravan/contracts/http/scores';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { board, openApp, serveApi, signedInAs } from '../../testing/app.tsx';

const user = (id: string, rank: number, name: string, totalMiles: number) => ({
  id,
  profileId: id as string | null,
  rank,
  name,
  teamName: 'Thunder',
  teamEmoji: '⚡',
  photoUrl: null,
  totalMiles,
  weeklyMiles: 3.25,
});

type Row = Leaderboard['users'][number];

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

test('[D18] names lead to their profiles; whom the answer gives no profile is nobody’s link, whatever the name', async () => {
  const hidden = [user('h', 6, 'A teammate', 80), user('p', 7, 'Private Pat', 70)].map((each) => ({
    ...each,
    profileId: null,
  }));
  open({ users: [...users, ...hidden], teams, around: users, userPosition: 2, teamPosition: 1 });
  const links = within(await screen.findByRole('tabpanel')).getAllByRole('link');
  const profiles = links.map((link) => link.getAttribute('href')).filter((path) => path?.startsWith('/user/'));
  expect(profiles).toEqual(users.map(({ id }) => `/user/${id}`));
  for (const { name } of hidden) expect(screen.getByText(name).closest('a')).toBeNull();
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

test('[2.75 D12] the position card names two on each side and what lies between, in the reader’s units', async () => {
  open();
  const card = await screen.findByRole('region', { name: 'Your position' });
  expect(textsOf(card)).toEqual([
    'Rank 11,014.5 mi behind Ada',
    'Rank 2Level with Yuki',
    'Rank 470.5 mi ahead of Lena',
    'Rank 5102.1 mi ahead of Omar',
  ]);
  cleanup();
  localStorage.setItem('units', 'metric');
  open();
  const metric = await screen.findByRole('region', { name: 'Your position' });
  expect(textsOf(metric)[2]).toBe('Rank 4113.5 km ahead of Lena');
});

test('[D12] a hundredth of a mile is a difference, not a tie', async () => {
  const close = [user('y', 1, 'Yuki', 5.02), user('u1', 2, 'Maya', 5)];
  open({ users: close, around: close, userPosition: 2 });
  const card = await screen.findByRole('region', { name: 'Your position' });
  expect(card.textContent).toContain('0.02 mi behind Yuki');
});

test('[9.10] beyond the first 20 the card still shows who is around', async () => {
  const far = [user('x', 40, 'Xaver', 9), user('u1', 41, 'Maya', 8.5), user('z', 42, 'Zoe', 8)];
  open({ users, around: far, userPosition: 41 });
  const card = await screen.findByRole('region', { name: 'Your position' });
  expect(card.textContent).toMatch(/0\.5 mi behind Xaver#41.*0\.5 mi ahead of Zoe/);
});

test('[D45] all miles and those of the week change places; the order stays the server’s', async () => {
  const walked = users.map((each, index) => ({ ...each, weeklyMiles: index }));
  open({ users: walked, around: walked, userPosition: 2 });
  const before = textsOf(await screen.findByRole('region', { name: 'Everyone else' }));
  expect(before[0]).toMatch(/Lena.*127\.6 mi3\.0 this week/);
  await userEvent.click(screen.getByRole('radio', { name: 'This week' }));
  const after = textsOf(screen.getByRole('region', { name: 'Everyone else' }));
  expect(after).toEqual([expect.stringMatching(/Rank 4.*Lena.*3\.0 mi127\.6 in all/), expect.stringMatching(/Omar/)]);
  expect(screen.getByText('Ranked by all miles')).toBeDefined();
});

test('[D35 D37] who glides up to the podium keeps the keyboard’s focus', async () => {
  const { queryClient } = open();
  const rows = await screen.findByRole('region', { name: 'Everyone else' });
  within(rows).getByRole('link', { name: 'Lena' }).focus();
  const [ada, yuki, maya, lena, omar] = users as [Row, Row, Row, Row, Row];
  const changed = [ada, { ...lena, rank: 2, totalMiles: 300 }, { ...yuki, rank: 3 }, { ...maya, rank: 3 }, omar];
  serveApi({ 'GET /api/leaderboard': { body: { ...board, users: changed, around: changed, userPosition: 3 } } });
  await queryClient.invalidateQueries({ queryKey: ['/api/leaderboard'] });
  const podium = screen.getByRole('region', { name: 'Top performers' });
  const link = await within(podium).findByRole('link', { name: 'Lena' });
  expect(document.activeElement).toBe(link);
});

test('[2.75] the encouragement says how far first place is', async () => {
  open();
  const card = await screen.findByRole('region', { name: 'Keep going' });
  expect(card.textContent).toContain('You are 1,014.5 miles behind first place.');
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
