import type { BonusChallenge, ChallengeProgress, WeeklyChallenge } from '@caravan/contracts/http/challenges';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { noticeOf, openApp, pathsOf, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000 + 5000).toISOString();

const bonusNow = (): BonusChallenge => ({
  id: 'b 1',
  title: 'A 20-minute walk',
  description: 'Nobody has walked since Thursday.',
  activityType: 'Walking',
  targetDurationMinutes: 20,
  targetDistanceMiles: null,
  multiplier: 2,
  expiresAt: inMinutes(192),
  isActive: true,
  isCompleted: false,
});

const weekly = (change: Partial<WeeklyChallenge> = {}): WeeklyChallenge => ({
  id: 'w1',
  name: 'Move on 4 days',
  description: 'A little every other day.',
  targetValue: 4,
  targetUnit: 'days',
  bonusMiles: 2,
  challengeType: 'individual',
  weekStart: '2026-11-16',
  weekEnd: '2026-11-22',
  ...change,
});

const progressOf = (currentProgress: number, bonusAwarded = false): ChallengeProgress => ({
  currentProgress,
  targetValue: 4,
  bonusAwarded,
});

function open(api: Api) {
  signedInAs();
  const calls = serveApi(api);
  return { calls, ...openApp('/dashboard') };
}

const openBonus = (change: Partial<BonusChallenge> = {}) =>
  open({ 'GET /api/bonus-challenge': { body: { ...bonusNow(), ...change } } });

const openWeekly = (change: Partial<WeeklyChallenge>, progress: ChallengeProgress, api: Api = {}) =>
  open({
    'GET /api/weekly-challenges': { body: [weekly(change)] },
    'GET /api/weekly-challenges/w1/progress': { body: progress },
    ...api,
  });

const bonusCard = () => screen.findByRole('region', { name: /^Bonus challenge/ });
const weeklyCard = () => screen.findByRole('region', { name: 'Weekly Challenges' });

test('[2.59 4.17 9.4] the bonus card says what to do, how much it counts and how long it is open', async () => {
  openBonus();
  const card = await bonusCard();
  expect(card.textContent).toMatch(/A 20-minute walk.*Miles count 2 times.*Nobody has walked.*Walking20 min/);
  expect(card.textContent).toContain('Ends in 3h 12m');
});

test('[4.19 2.64] its button starts the timer with the activity, the duration and the challenge', async () => {
  openBonus();
  const link = within(await bonusCard()).getByRole('link', { name: 'Start Walking' });
  const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', location.origin);
  expect(pathname).toBe('/timer');
  expect(Object.fromEntries(searchParams)).toEqual({
    preset: 'true',
    duration: '20',
    activity: 'Walking',
    bonusChallenge: 'b 1',
  });
});

test('[2.67] what the challenge leaves open falls back to 30 minutes of walking', async () => {
  openBonus({ activityType: '', targetDurationMinutes: 0 });
  const link = within(await bonusCard()).getByRole('link', { name: 'Start Walking' });
  expect(link.getAttribute('href')).toContain('duration=30&activity=Walking');
});

test('[4.17] once past, the card says Expired and starts nothing', async () => {
  openBonus({ expiresAt: inMinutes(-10) });
  const card = await bonusCard();
  expect(card.textContent).toContain('Expired');
  expect(within(card).queryByRole('link')).toBeNull();
});

test('[4.16 D15] who has completed it sees that, and no button', async () => {
  openBonus({ isCompleted: true });
  const card = await bonusCard();
  expect(card.textContent).toContain('Completed! Your miles counted 2 times.');
  expect(within(card).queryByRole('link')).toBeNull();
});

test.each([['null', null] as const, ['not active', { ...bonusNow(), isActive: false }] as const])(
  '[4.18] a challenge that is %s shows no card',
  async (_, body) => {
    open({ 'GET /api/bonus-challenge': { body } });
    await weeklyCard();
    expect(screen.queryByText('Bonus challenge')).toBeNull();
  },
);

test('[7.10 9.7 9.30] the bonus challenge is asked for again every 60 seconds, the weekly ones are not', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { calls } = openBonus();
  await bonusCard();
  const countRequests = (path: string) => pathsOf(calls).filter((call) => call === `GET ${path}`).length;
  expect(countRequests('/api/bonus-challenge')).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(countRequests('/api/bonus-challenge')).toBe(2);
  expect(countRequests('/api/weekly-challenges')).toBe(1);
  vi.useRealTimers();
});

test('[4.17] the countdown moves with the clock', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  openBonus();
  expect((await bonusCard()).textContent).toContain('Ends in 3h 12m');
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await bonusCard()).textContent).toContain('Ends in 3h 11m');
  vi.useRealTimers();
});

test('[2.61 4.20 3.28 3.29] a weekly challenge shows how far one is', async () => {
  openWeekly({}, progressOf(3));
  const bar = await within(await weeklyCard()).findByRole('progressbar', { name: 'Move on 4 days' });
  expect(bar.getAttribute('aria-valuenow')).toBe('75');
  expect(bar.getAttribute('aria-valuetext')).toBe('3 of 4 days');
  expect((await weeklyCard()).textContent).toMatch(/Move on 4 days\+2 mi/);
  expect(screen.queryByRole('button', { name: 'Claim Bonus Miles!' })).toBeNull();
});

test.each([
  [weekly({ targetUnit: 'miles', targetValue: 5 }), 3.24, '3.2 of 5 miles'],
  [weekly({ targetUnit: 'activities', targetValue: 1 }), 0, '0 of 1 activity'],
  [weekly({ targetUnit: 'minutes', targetValue: 1200 }), 1130, '1,130 of 1,200 minutes'],
])('[D14] each unit is counted in its own words: %#', async (challenge, done, words) => {
  openWeekly(challenge, progressOf(done));
  expect(await screen.findByText(words)).toBeDefined();
});

test('[9.22] distances are told in kilometers to whom prefers them', async () => {
  localStorage.setItem('units', 'metric');
  openWeekly({ targetUnit: 'miles', targetValue: 5 }, progressOf(2.5));
  expect(await screen.findByText('4.0 of 8 km')).toBeDefined();
});

test('[4.20 4.21 D14] beyond the target the bar stays full, and the bonus miles of the team wait', async () => {
  openWeekly({ targetUnit: 'miles', targetValue: 50, challengeType: 'team' }, progressOf(50.4));
  const card = await weeklyCard();
  expect((await within(card).findByRole('progressbar')).getAttribute('aria-valuenow')).toBe('100');
  expect(card.textContent).toContain('Team challenge');
  expect(within(card).getByRole('button', { name: 'Claim Bonus Miles!' })).toBeDefined();
});

test('[4.22 7.13 8.14] a claim is told once, marks the challenge and refreshes what it changes', async () => {
  let isClaimed = false;
  const { calls } = openWeekly({}, progressOf(4), {
    'GET /api/weekly-challenges/w1/progress': () => ({ body: progressOf(4, isClaimed) }),
    'POST /api/weekly-challenges/w1/complete': () => {
      isClaimed = true;
      return { body: { completed: true } };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Claim Bonus Miles!' }));
  expect(await noticeOf('Challenge Completed! 🎉')).toBe('You earned +2 bonus miles!');
  const done = await screen.findByText('Challenge completed! Bonus miles awarded.');
  expect(done).toBe(document.activeElement);
  expect(screen.getByText('Completed')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Claim Bonus Miles!' })).toBeNull();
  const countRequests = (path: string) => pathsOf(calls).filter((call) => call === `GET ${path}`).length;
  await waitFor(() => expect(countRequests('/api/weekly-challenges/w1/progress')).toBe(2));
  expect([
    countRequests('/api/weekly-challenges'),
    countRequests('/api/me'),
    countRequests('/api/dashboard/stats'),
  ]).toEqual([2, 2, 2]);
});

test('[4.22 D37] the focus follows the button that goes, also where the stream tells before the answer', async () => {
  const { promise, resolve } = Promise.withResolvers<{ body: object }>();
  const { queryClient } = openWeekly({}, progressOf(4), { 'POST /api/weekly-challenges/w1/complete': () => promise });
  await userEvent.click(await screen.findByRole('button', { name: 'Claim Bonus Miles!' }));
  act(() => void queryClient.setQueryData(['/api/weekly-challenges', 'w1', 'progress'], progressOf(4, true)));
  const done = await screen.findByText('Challenge completed! Bonus miles awarded.');
  expect(document.activeElement).toBe(document.body);
  resolve({ body: { completed: true } });
  await waitFor(() => expect(document.activeElement).toBe(done));
});

test('[9.20] the notice of a claim shows for 5 seconds', async () => {
  openWeekly({}, progressOf(4), { 'POST /api/weekly-challenges/w1/complete': { body: { completed: true } } });
  const claim = await screen.findByRole('button', { name: 'Claim Bonus Miles!' });
  const notice = () => screen.queryByText('Challenge Completed! 🎉', { selector: 'li *' });
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    fireEvent.click(claim);
    // Time passes by single milliseconds until the notice is there; its clock starts then.
    await vi.waitFor(() => expect(notice()).not.toBeNull(), { interval: 1, timeout: 30_000 });
    await pass(4980);
    expect(notice()).not.toBeNull();
    await pass(40);
    expect(notice()).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('[4.22] the notice waits for nothing that is loaded again after a claim', async () => {
  let isClaimed = false;
  const never = new Promise<never>(() => undefined);
  openWeekly({}, progressOf(4), {
    'GET /api/weekly-challenges/w1/progress': () => (isClaimed ? never : { body: progressOf(4) }),
    'POST /api/weekly-challenges/w1/complete': () => {
      isClaimed = true;
      return { body: { completed: true } };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Claim Bonus Miles!' }));
  expect(await noticeOf('Challenge Completed! 🎉')).toBe('You earned +2 bonus miles!');
  expect(screen.getByText('Challenge completed! Bonus miles awarded.')).toBeDefined();
});

test('[4.22] who comes back later finds it completed, without ado', async () => {
  openWeekly({}, progressOf(4, true));
  const done = await screen.findByText('Challenge completed! Bonus miles awarded.');
  expect(done).not.toBe(document.activeElement);
  expect(done.querySelector('i')).toBeNull();
});

test('[8.8] a claim that fails says so and can be tried again', async () => {
  openWeekly({}, progressOf(4), { 'POST /api/weekly-challenges/w1/complete': { status: 500, body: 'Boom' } });
  await userEvent.click(await screen.findByRole('button', { name: 'Claim Bonus Miles!' }));
  expect(await noticeOf('Error')).toBe('Failed to complete challenge');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Claim Bonus Miles!' }).disabled).toBe(false);
});

test('[D14] a claim of what is no longer reached gives nothing and shows where one stands', async () => {
  let current = 4;
  openWeekly({}, progressOf(4), {
    'GET /api/weekly-challenges/w1/progress': () => ({ body: progressOf(current) }),
    'POST /api/weekly-challenges/w1/complete': () => {
      current = 3;
      return { body: { completed: false } };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Claim Bonus Miles!' }));
  expect(await noticeOf('Not there yet')).toBeDefined();
  expect(await screen.findByText('3 of 4 days')).toBeDefined();
});

test('[8.9] no challenges, or none that can be loaded, each have their words', async () => {
  open({});
  const none = 'No active challenges this week. Check back soon for new challenges!';
  expect(await screen.findByText(none)).toBeDefined();
});

test('[8.9] challenges that cannot be loaded say so and can be tried again', async () => {
  let isBroken = true;
  open({
    'GET /api/weekly-challenges': () => (isBroken ? { status: 500, body: 'Boom' } : { body: [weekly()] }),
    'GET /api/weekly-challenges/w1/progress': { body: progressOf(1) },
  });
  const card = await weeklyCard();
  expect(await within(card).findByText('No weekly challenges available')).toBeDefined();
  isBroken = false;
  await userEvent.click(within(card).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1 of 4 days')).toBeDefined();
});

test('progress that cannot be loaded leaves the challenge readable', async () => {
  openWeekly({}, progressOf(1), { 'GET /api/weekly-challenges/w1/progress': { status: 500, body: 'Boom' } });
  const card = await weeklyCard();
  expect(await within(card).findByText('Your progress could not be loaded.')).toBeDefined();
  expect(within(card).getByText('Move on 4 days')).toBeDefined();
});
