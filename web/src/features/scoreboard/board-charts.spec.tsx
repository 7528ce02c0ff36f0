import type { BoardWeeks, Leaderboard } from '@caravan/contracts/http/scores';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { board, openApp, serveApi, signedInAs, stats, type Api } from '../../testing/app.tsx';

const user = (id: string, rank: number, name: string, totalMiles: number): Leaderboard['users'][number] => ({
  id,
  profileId: id,
  rank,
  name,
  teamName: 'Thunder',
  teamEmoji: '⚡',
  photoUrl: null,
  totalMiles,
  weeklyMiles: 3,
});
const team = (id: string, rank: number, name: string, weeklyMiles: number): Leaderboard['teams'][number] => ({
  id,
  rank,
  name,
  emoji: '⚡',
  memberCount: 2,
  totalMiles: 100 - rank,
  weeklyMiles,
  averageMiles: 50 / rank,
});

const users = [
  user('a', 1, 'Ada', 100),
  user('y', 2, 'Yuki', 40),
  user('u1', 3, 'Maya', 37.5),
  user('o', 4, 'Omar', 30),
];
const teams = [team('t1', 1, 'Thunder', 42), team('t2', 2, 'Blazers', 38)];
const answer = { ...board, users, teams, around: users, userPosition: 3, teamPosition: 1 };
const weeks: BoardWeeks = {
  weeks: ['2026-11-09', '2026-11-16', '2026-11-23'],
  ranks: [
    { weekStartsOn: '2026-11-09', rank: 6, miles: 20 },
    { weekStartsOn: '2026-11-16', rank: 5, miles: 30 },
  ],
  teams: [
    { id: 't2', name: 'Blazers', emoji: '🔥', miles: [30, 41, 38] },
    { id: 't1', name: 'Thunder', emoji: '⚡', miles: [20, 71, 42] },
  ],
};

function open(api: Api = {}) {
  signedInAs();
  serveApi({
    'GET /api/leaderboard': { body: answer },
    'GET /api/leaderboard/weeks': { body: weeks },
    ...api,
  });
  return openApp('/leaderboard');
}
const regionOf = (name: string) => screen.findByRole('region', { name });
const tableOf = (region: HTMLElement) =>
  within(region)
    .getAllByRole('row', { hidden: true })
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test('[2.75] the position card leads with whom one can reach, and how, above how far first place is', async () => {
  open();
  const card = await regionOf('Your position');
  expect(card.textContent).toMatch(
    /2\.5 miles behind Yuki\. A 25-minute walk catches up\..*You are 62\.5 miles behind first place\./,
  );
});

test('[2.75] a leader reads the lead, and nobody is sent on a walk of many hours', async () => {
  open({
    'GET /api/leaderboard': {
      body: { ...answer, users: [users[2], users[3]], around: users.slice(2), userPosition: 1 },
    },
  });
  expect((await regionOf('Your position')).textContent).toContain('7.5 miles ahead of Omar.');
  cleanup();
  const far = [user('a', 1, 'Ada', 100), user('u1', 2, 'Maya', 37.5)];
  open({ 'GET /api/leaderboard': { body: { ...answer, users: far, around: far, userPosition: 2 } } });
  const text = (await regionOf('Your position')).textContent;
  expect(text).toContain('62.5 miles behind Ada.');
  expect(text).not.toContain('walk');
});

test('[D12] the position card shows places won this week and no lost ones', async () => {
  open();
  expect(await screen.findByText('2 this week')).toBeDefined();
  cleanup();
  open({ 'GET /api/leaderboard': { body: { ...answer, userPosition: 7 } } });
  await regionOf('Your rank, 3 weeks');
  expect(within(await regionOf('Your position')).queryByText(/^\d this week$/)).toBeNull();
});

test('[D12 D44] own ranks by week are a chart with a sentence and a table, up to now', async () => {
  open();
  const card = await regionOf('Your rank, 3 weeks');
  expect(card.textContent).toContain('Your best place of these weeks is #3.');
  expect(tableOf(card)).toEqual([
    ['Week', 'Your rank'],
    ['Nov 9', '#6'],
    ['Nov 16', '#5'],
    ['now', '#3'],
  ]);
});

test('[D44] when the weeks cannot be read only their charts are missing', async () => {
  open({ 'GET /api/leaderboard/weeks': { status: 500, body: 'Boom' } });
  expect(await regionOf('This week’s miles')).toBeDefined();
  expect(screen.getByText('Everyone else')).toBeDefined();
  expect(screen.queryByRole('region', { name: /^Your rank/ })).toBeNull();
  await userEvent.click(screen.getByRole('tab', { name: 'Teams' }));
  expect(await regionOf('Teams')).toBeDefined();
  expect(screen.queryByRole('region', { name: 'Week by week' })).toBeNull();
});

test('[D45] the miles of this week are shared out in words, one’s own team first', async () => {
  open();
  const card = await regionOf('This week’s miles');
  expect(card.textContent).toContain('80.0 together');
  const parts = within(card).getAllByRole('listitem');
  expect(parts.map(({ textContent }) => textContent)).toEqual(['⚡ Thunder 53%', '⚡ Blazers 48%']);
});

test('[2.75 D45] teams have a podium, the race to the week’s goal, their weeks and an average per member', async () => {
  const progress = teams.map(({ id, name, emoji, weeklyMiles }) => ({
    id,
    name,
    emoji,
    miles: weeklyMiles,
    goalMiles: 50,
  }));
  open({ 'GET /api/dashboard/stats': { body: { ...stats, teamProgress: progress } } });
  await regionOf('Your position');
  await userEvent.click(screen.getByRole('tab', { name: 'Teams' }));
  const podium = await regionOf('In the lead');
  expect(within(podium).getAllByRole('listitem')[0]?.textContent).toMatch(
    /Rank 1Thunder2 members99\.0 mi42\.0 this weekyour team/,
  );
  const race = await screen.findByRole('progressbar', { name: 'Thunder' });
  expect(race.getAttribute('aria-valuetext')).toBe('42.0 of 50 miles');
  const byWeek = await regionOf('Week by week');
  expect(byWeek.textContent).toContain('The best of these weeks brought Thunder 71.0 miles.');
  expect(tableOf(byWeek)[2]).toEqual(['Nov 16', '71.0', '41.0']);
  expect((await regionOf('Per member')).textContent).toContain('⚡ Thunder50.0');
});

test('[D18] whoever shows no numbers is a teammate behind a shield, and marked as private', async () => {
  const hidden = { ...user('hidden-5', 5, 'A teammate', 20), profileId: null };
  open({ 'GET /api/leaderboard': { body: { ...answer, users: [...users, hidden] } } });
  const rows = await regionOf('Everyone else');
  expect(rows.textContent).toMatch(/A teammate⚡ Thunder\s· private/);
  expect(screen.queryByText('AT')).toBeNull();
});
