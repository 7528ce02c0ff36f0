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

test('[2.75 D12] three who are level stand on steps of one height, and the card says that first place is shared', async () => {
  const level = [user('a', 1, 'Ada', 30), user('u1', 1, 'Maya', 30), user('y', 1, 'Yuki', 30)];
  open({ users: level, teams, around: level, userPosition: 1, teamPosition: 1 });
  const podium = await screen.findByRole('region', { name: 'Top performers' });
  const steps = within(podium).getAllByRole('listitem');
  expect(steps.map(({ dataset }) => dataset['rank'])).toEqual(['1', '1', '1']);
  for (const step of steps) expect(step.textContent).toMatch(/Rank 1.*level/);
  const card = screen.getByRole('region', { name: 'Keep going' });
  expect(card.textContent).toContain('You share first place with 2 others.');
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
  expect(card.textContent).toMatch(/#41.*0\.5 mi behind Xaver.*0\.5 mi ahead of Zoe/);
});

/** Lena and Omar have walked this week, Ada and the others have not. */
const walked = [
  { ...user('l', 1, 'Lena', 127.6), weeklyMiles: 9 },
  { ...user('u1', 2, 'Maya', 198.1), weeklyMiles: 8.2 },
  { ...user('o', 3, 'Omar', 96), weeklyMiles: 5 },
];
const ofWeek: Leaderboard = {
  users: walked,
  around: walked,
  userPosition: 2,
  teamPosition: 2,
  teams: [
    { ...(teams[1] as Leaderboard['teams'][number]), rank: 1, weeklyMiles: 12, averageMiles: 12 },
    { ...(teams[0] as Leaderboard['teams'][number]), rank: 2, weeklyMiles: 10, averageMiles: 2.5 },
  ],
};

function openBoth(path = '/leaderboard', week: Partial<Leaderboard> = ofWeek) {
  signedInAs();
  const all = { users, teams, around: users, userPosition: 2, teamPosition: 1 };
  const calls = serveApi({
    'GET /api/leaderboard': ({ url }) => ({
      body: { ...board, ...(new URL(url).searchParams.get('period') === 'week' ? week : all) },
    }),
  });
  return { ...openApp(path), calls };
}
const position = () => screen.getByRole('region', { name: /^Your position/ }).textContent;

test('[2.75 D12] this week everybody is ranked by this week’s miles, and every card speaks of them', async () => {
  openBoth();
  await screen.findByRole('region', { name: 'Everyone else' });
  await userEvent.click(screen.getByRole('radio', { name: 'This week' }));
  const podium = await screen.findByRole('region', { name: 'Top performers' });
  await waitFor(() =>
    expect(textsOf(podium)).toEqual([
      expect.stringMatching(/Rank 1Lena⚡ Thunder9\.0 mi127\.6 in all/),
      expect.stringMatching(/Rank 2Maya.*8\.2 mi198\.1 in all/),
      expect.stringMatching(/Rank 3Omar/),
    ]),
  );
  expect(position()).toMatch(
    /#2.*198\.1 miles in all.*0\.8 miles behind Lena.*0\.8 mi behind Lena.*3\.2 mi ahead of Omar/,
  );
  expect(screen.getByRole('region', { name: 'Keep going' }).textContent).toContain(
    'You are 0.8 miles behind this week’s first place.',
  );
  await userEvent.click(screen.getByRole('tab', { name: 'Teams' }));
  const list = screen.getByRole('region', { name: 'Teams' });
  expect(textsOf(list)).toEqual([
    expect.stringMatching(/Rank 1.*New.*12\.0 miles each.*12\.0 mi0\.0 in all/),
    expect.stringMatching(/Rank 2.*Thunder.*2\.5 miles each.*10\.0 mi420\.0 in all/),
  ]);
  expect(position()).toMatch(/#2.*Thunder.*420\.0 miles in all.*2\.0 mi behind New/);
});

test('[2.7 7.20] the choice stands in the address: links lead to it, and back leads back', async () => {
  const { router, calls } = openBoth('/leaderboard?period=week');
  await waitFor(() => expect(position()).toMatch(/#2.*198\.1 miles in all/));
  expect(screen.getByRole('radio', { name: 'This week' }).getAttribute('aria-checked')).toBe('true');
  await userEvent.click(screen.getByRole('radio', { name: 'All time' }));
  await waitFor(() => expect(position()).toMatch(/#2.*3\.3 miles this week/));
  expect(router.history.location.search).toBe('');
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'All time' }));
  router.history.back();
  await waitFor(() => expect(position()).toContain('in all'));
  expect(router.history.location.search).toBe('?period=week');
  expect(
    calls
      .filter(({ url }) => !url.includes('/api/events'))
      .map(({ url }) => new URL(url).search)
      .filter((search) => search !== ''),
  ).toEqual(['?period=week']);
});

test('an address with any other period shows all miles', async () => {
  openBoth('/leaderboard?period=decade');
  await waitFor(() => expect(position()).toContain('this week'));
  expect(screen.getByRole('radio', { name: 'All time' }).getAttribute('aria-checked')).toBe('true');
});

test('[D10 D12] a young week offers the lead, and says where one’s team stands', async () => {
  const rested = teams.map((team) => ({ ...team, rank: null, weeklyMiles: 0, averageMiles: 0 }));
  openBoth('/leaderboard?period=week', { teams: rested });
  expect(await screen.findByText('A new week: the first miles lead the board')).toBeDefined();
  await userEvent.click(screen.getByRole('tab', { name: 'Teams' }));
  expect(textsOf(screen.getByRole('region', { name: 'Teams' }))[0]).toMatch(/Rank --.*Thunder.*0\.0 mi420\.0 in all/);
});

test('[2.75] encouragement in a week: not yet on the board, leading, level', async () => {
  const renderWeek = async (week: Partial<Leaderboard>) => {
    cleanup();
    openBoth('/leaderboard?period=week', week);
    return (await screen.findByRole('region', { name: 'Keep going' })).textContent;
  };
  const [lena, maya] = walked as [Row, Row];
  const notYet = await renderWeek({ users: [lena] });
  expect(notYet).toContain('Ten minutes of anything put you on this week’s board.Everybody started at zero on Monday.');
  expect(position()).toMatch(/^Your position this week--.*no miles yet this week/);
  const leading = [{ ...maya, rank: 1, weeklyMiles: 9.5 }, lena];
  expect(await renderWeek({ users: leading, around: leading, userPosition: 1 })).toContain(
    'You lead the week by 0.5 miles.',
  );
  const level = [
    { ...lena, rank: 1 },
    { ...maya, rank: 1, weeklyMiles: 9 },
  ];
  expect(await renderWeek({ users: level, around: level, userPosition: 1 })).toContain(
    'You share this week’s first place with Lena.',
  );
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
