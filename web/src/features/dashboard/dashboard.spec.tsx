import type { Me } from '@caravan/contracts/http/accounts';
import type { DashboardStats } from '@caravan/contracts/http/scores';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { preloadedPaths } from '../../lib/preloaded-answers.ts';
import { me, openApp, pathsOf, serveApi, signedInAs, stats, type Api } from '../../testing/app.tsx';

function open({ person, figures }: { person?: Partial<Me>; figures?: Partial<DashboardStats> } = {}) {
  signedInAs();
  const calls = serveApi({
    'GET /api/me': { body: { ...me, ...person } },
    'GET /api/dashboard/stats': { body: { ...stats, ...figures } },
  });
  return { calls, ...openApp('/dashboard') };
}

const figureOf = async (name: string) => (await screen.findByText(name)).nextElementSibling?.textContent;

const activity = (id: string, createdAt: string) => ({
  id,
  teamEmoji: '⚡',
  userName: `Walker ${id}`,
  profileId: id === '2' ? null : id,
  activityType: 'Walking',
  miles: 1.5,
  timeAgo: '',
  createdAt,
});

test('[2.55 D44] greeting, what the team does, and the organisation’s welcome', async () => {
  open();
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe("Let's go, Maya Okafor");
  expect(screen.getByText(/Your team is counting on you/)).toBeDefined();
  expect(await screen.findByText('Welcome to your team wellness platform!')).toBeDefined();
});

test('what the page asks for before its scripts are here is what the dashboard asks for', async () => {
  const { calls } = open();
  const early = (preloadedPaths['/dashboard'] ?? []).map((path) => `GET ${path}`);
  expect(early).not.toEqual([]);
  await expect.poll(() => pathsOf(calls)).toEqual(expect.arrayContaining(early));
});

test('[2.56 9.8] total miles with one decimal, the rank, the streak', async () => {
  open({ person: { totalMiles: 128.44 } });
  expect(await figureOf('Total miles')).toBe('128.4');
  expect(await figureOf('Rank')).toBe('#3');
  expect(await figureOf('Streak')).toBe('12');
});

test('[2.56] without miles the rank is --', async () => {
  open({ figures: { userRank: null } });
  expect(await figureOf('Rank')).toBe('--');
});

test.each(['lit', 'at-risk', 'frozen', 'out'] as const)(
  '[D11] a streak that is %s says so in words',
  async (streakState) => {
    open({ person: { streakState } });
    const words = { lit: /lit today/, 'at-risk': /move today/, frozen: /held by a freeze/, out: /a log lights it/ };
    expect(await screen.findByText(words[streakState])).toBeDefined();
  },
);

test('[D11] one day is a day', async () => {
  open({ person: { streakCount: 1, streakState: 'at-risk' } });
  expect(await screen.findByText('day, move today')).toBeDefined();
});

test('[2.63 4.23] who has not voted yet is asked to, who has is not', async () => {
  open({ person: { hasVotedThisChallenge: false } });
  const prompt = await screen.findByRole('region', { name: 'Your team is choosing its name' });
  expect(within(prompt).getByRole('link', { name: 'Vote now' }).getAttribute('href')).toBe('/team-voting');
  cleanup();
  open({ person: { hasVotedThisChallenge: true } });
  await screen.findByRole('region', { name: "This Week's Progress" });
  expect(screen.queryByRole('link', { name: 'Vote now' })).toBeNull();
});

test.each([
  [0, '5.0 miles to go this week'],
  [3.2, '1.8 miles to go this week'],
  [4.96, '0.1 miles to go this week'],
  [5, 'Congratulations! You reached your weekly goal.'],
  [7.5, 'Congratulations! You reached your weekly goal.'],
])("[2.57 2.58] This Week's Progress at %d miles", async (weeklyMiles, text) => {
  open({ figures: { weeklyMiles } });
  const card = await screen.findByRole('region', { name: "This Week's Progress" });
  expect(card.textContent).toContain(text);
  const bar = within(card).getByRole('progressbar', { name: 'Weekly goal' });
  expect(bar.getAttribute('aria-valuenow')).toBe(String(Math.min(100, Math.round(weeklyMiles * 20))));
  expect(bar.getAttribute('aria-valuetext')).toBe(`${weeklyMiles.toFixed(1)} of 5.0 miles`);
});

test('[9.22] the dashboard speaks kilometers to whom prefers them', async () => {
  localStorage.setItem('units', 'metric');
  open();
  expect(await figureOf('Total km')).toBe('206.6');
  const week = screen.getByRole('region', { name: "This Week's Progress" });
  expect(week.textContent).toMatch(/5\.1 of 8\.0 km.*2\.9 km to go this week/);
  expect(screen.getByRole('region', { name: 'Team Progress' }).textContent).toContain('84% of the 80.5 km goal');
});

test('[2.60 D45] team progress is the week’s miles of each team against its goal', async () => {
  const blazers = { id: 't2', name: 'Blazers', emoji: '🔥', miles: 38.5, goalMiles: 50 };
  open({ figures: { teamProgress: [...stats.teamProgress, blazers] } });
  const rows = within(await screen.findByRole('region', { name: 'Team Progress' })).getAllByRole('listitem');
  expect(rows[0]?.textContent).toMatch(/Thunder.*your team.*42\.0 miles.*84% of a 50-mile goal/);
  expect(rows[1]?.textContent).toMatch(/Blazers.*38\.5 miles.*77% of a 50-mile goal/);
});

test('[2.62 9.6] the last three activities, with team, name, activity, miles and time', async () => {
  const anHourAgo = new Date(Date.now() - 3_700_000).toISOString();
  open({ figures: { recentActivities: ['1', '2', '3', '4'].map((id) => activity(id, anHourAgo)) } });
  const card = await screen.findByRole('region', { name: 'Recent Team Activity' });
  const rows = within(card).getAllByRole('listitem');
  expect(rows).toHaveLength(3);
  expect(rows[0]?.textContent).toBe('W1⚡Walker 1Walking\u00a0· 1 hour ago+1.5 mi');
  expect(within(card).getByRole('link', { name: 'View All' }).getAttribute('href')).toBe('/activity-feed');
});

test('[D18] names in the recent activity lead to profiles, but for whom the answer gives none', async () => {
  const now = new Date().toISOString();
  open({ figures: { recentActivities: ['1', '2', '3'].map((id) => activity(id, now)) } });
  const rows = within(await screen.findByRole('region', { name: 'Recent Team Activity' })).getAllByRole('listitem');
  expect(rows.map((row) => within(row).queryByRole('link')?.getAttribute('href'))).toEqual([
    '/user/1',
    undefined,
    '/user/3',
  ]);
});

test('where nobody has moved, the first step is offered', async () => {
  open({ figures: { recentActivities: [] } });
  const card = await screen.findByRole('region', { name: 'Recent Team Activity' });
  expect(within(card).getByRole('link', { name: 'Start the timer' }).getAttribute('href')).toBe('/timer');
});

test('[7.14] what cannot be loaded says so and can be tried again', async () => {
  signedInAs();
  let isBroken = true;
  serveApi({ 'GET /api/dashboard/stats': () => (isBroken ? { status: 500, body: 'Boom' } : { body: stats }) });
  openApp('/dashboard');
  const card = await screen.findByRole('region', { name: "This Week's Progress" });
  const again = await within(card).findByRole('button', { name: 'Try again' });
  isBroken = false;
  await userEvent.click(again);
  expect(await screen.findByText(/1\.8 miles/)).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('[S42] of a service that does not answer its cards say so, and the page stands', async () => {
  signedInAs();
  const message = 'This part of Caravan does not answer right now. Please try again in a few seconds.';
  const problem = { title: 'Unavailable', status: 503, code: 'service/unanswered', message, detail: message };
  serveApi({ 'GET /api/dashboard/stats': { status: 503, body: problem, headers: { 'retry-after': '2' } } });
  openApp('/dashboard');
  for (const name of ["This Week's Progress", 'Team Progress', 'Recent Team Activity']) {
    const card = await screen.findByRole('region', { name });
    expect(await within(card).findByRole('button', { name: 'Try again' })).toBeDefined();
  }
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Maya');
  expect(await figureOf('Total miles')).toBe('128.4');
  expect(await figureOf('Rank')).toBe('--');
});

const bonus = {
  id: 'b',
  title: 'Lunch walk',
  description: '',
  activityType: 'Walking',
  targetDurationMinutes: 30,
  targetDistanceMiles: null,
  multiplier: 2,
  expiresAt: '2100-01-01T00:00:00Z',
  isActive: true,
  isCompleted: false,
};
const weekly = {
  id: 'w',
  name: 'Five miles',
  description: '',
  targetValue: 5,
  targetUnit: 'miles',
  bonusMiles: 2,
  challengeType: 'individual',
};
const travelling = {
  id: 't1',
  name: 'Thunder',
  emoji: '⚡',
  miles: 12,
  lastCheckpoint: null,
  nextCheckpoint: 'Roncesvalles',
  milesToNext: 4,
};
const others: Api = {
  'GET /api/bonus-challenge': { body: bonus },
  'GET /api/weekly-challenges': { body: [weekly] },
  'GET /api/journey': {
    body: {
      route: { id: 'camino', name: 'Camino', totalMiles: 484, checkpoints: [] },
      startedAt: '2026-11-01T00:00:00Z',
      teams: [travelling],
      reached: [],
    },
  },
};

async function expectOthers(): Promise<void> {
  expect(await screen.findByRole('region', { name: /Lunch walk/ })).toBeDefined();
  expect(await screen.findByText('Five miles')).toBeDefined();
  expect(await screen.findByText(/Next stop: Roncesvalles/)).toBeDefined();
}

test.each<[string, Api[string]]>([
  ['fails', { status: 503, body: {} }],
  ['is never answered', () => new Promise(() => undefined)],
])('[7.14 8.1] when the call for the figures %s, challenges, bonus and journey stay', async (_what, answer) => {
  signedInAs();
  serveApi({ ...others, 'GET /api/dashboard/stats': answer });
  openApp('/dashboard');
  await expectOthers();
  expect(await figureOf('Total miles')).toBe('128.4');
  expect(await figureOf('Rank')).toBe('--');
});

test.each(['GET /api/recaps', 'GET /api/bonus-challenge', 'GET /api/weekly-challenges', 'GET /api/journey'])(
  '[8.1] when %s is never answered, the other cards show without it',
  async (call) => {
    signedInAs();
    serveApi({ ...others, [call]: () => new Promise(() => undefined) });
    openApp('/dashboard');
    if (call !== 'GET /api/bonus-challenge')
      expect(await screen.findByRole('region', { name: /Lunch walk/ })).toBeDefined();
    if (call !== 'GET /api/weekly-challenges') expect(await screen.findByText('Five miles')).toBeDefined();
    expect(await screen.findByRole('region', { name: 'Recent Team Activity' })).toBeDefined();
  },
);

test('[7.1 8.1] when the member cannot be loaded, every other card stays', async () => {
  signedInAs();
  let isAnswered = false;
  const onceThenNot: Api[string] = () => {
    if (isAnswered) return { status: 503, body: {} };
    isAnswered = true;
    return { body: me };
  };
  serveApi({ ...others, 'GET /api/me': onceThenNot });
  const { queryClient } = openApp('/dashboard');
  await expectOthers();
  await queryClient.resetQueries({ queryKey: ['/api/me'] });
  expect(await screen.findByText('Your miles could not be loaded')).toBeDefined();
  expect(screen.getByRole('region', { name: "This Week's Progress" }).textContent).toContain('1.8 miles');
  expect(screen.getByRole('region', { name: 'Team Progress' }).textContent).toContain('42.0 miles');
});

test('[8.1] a card that breaks says so itself, and every other card stays', async () => {
  signedInAs();
  serveApi({ ...others, 'GET /api/dashboard/stats': { body: { ...stats, teamProgress: [null] } } });
  openApp('/dashboard');
  await expectOthers();
  expect(await screen.findByText('This card stumbled.')).toBeDefined();
  expect(screen.getByRole('region', { name: "This Week's Progress" }).textContent).toContain('1.8 miles');
  expect(screen.getByRole('region', { name: 'Recent Team Activity' })).toBeDefined();
});

test('[D35] a change that is heard of shows without a reload', async () => {
  const { queryClient } = open();
  expect(await screen.findByText(/1\.8 miles/)).toBeDefined();
  serveApi({ 'GET /api/dashboard/stats': { body: { ...stats, weeklyMiles: 4.2, userRank: 2 } } });
  await queryClient.invalidateQueries({ queryKey: ['/api/dashboard/stats'] });
  expect(await screen.findByText('#2')).toBeDefined();
  expect(screen.getByRole('region', { name: "This Week's Progress" }).textContent).toContain('0.8 miles to go');
});

const ownDays = {
  from: '2026-09-07',
  to: '2026-11-19',
  today: '2026-11-19',
  days: [
    { on: '2026-11-16', miles: 2, movements: 1 },
    { on: '2026-11-18', miles: 1.2, movements: 2 },
  ],
  restDays: ['2026-11-17'],
};

test('[D10 D11] the week stands day by day: miles, a rest day, today that leads to the timer, days to come', async () => {
  signedInAs();
  serveApi({ 'GET /api/miles/days': { body: ownDays } });
  openApp('/dashboard');
  const days = within(await screen.findByRole('list', { name: 'Your week, day by day' })).getAllByRole('listitem');
  expect(days.map((day) => day.textContent)).toEqual([
    '2.0MonMonday: 2.0 miles',
    'TueTuesday: rest day, streak kept',
    '1.2WedWednesday: 1.2 miles',
    'TodayThursday: nothing yet',
    'FriFriday: to come',
    'SatSaturday: to come',
    'SunSunday: to come',
  ]);
  const today = screen.getByRole('link', { name: 'Move today: start the timer' });
  expect(today.getAttribute('href')).toBe('/timer');
  expect(screen.getByRole('img', { name: 'You moved on 2 of the last 14 days' })).toBeDefined();
});

test('[D44] without an answer about days only the milestones are missing', async () => {
  signedInAs();
  serveApi({ 'GET /api/miles/days': { status: 500, body: {} } });
  openApp('/dashboard');
  expect((await screen.findByRole('region', { name: "This Week's Progress" })).textContent).toContain('of 5.0 miles');
  expect(await figureOf('Total miles')).toBeDefined();
  expect(screen.queryByRole('list', { name: 'Your week, day by day' })).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a member without miles reads how milestones come to stand there', async () => {
  signedInAs();
  serveApi({
    'GET /api/me': { body: { ...me, totalMiles: 0 } },
    'GET /api/miles/days': { body: { ...ownDays, days: [] } },
  });
  openApp('/dashboard');
  expect(await screen.findByText('Each day you move, a milestone stands here.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Take the first ten minutes' }).getAttribute('href')).toBe('/timer');
});
