import { cleanup, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Api, momentOf, noticeOf, pathsOf, sentTo } from '../../testing/app.tsx';
import {
  bonusLink,
  button,
  choosePhoto,
  logAnswer,
  logging,
  milesLine,
  moveFor,
  open,
  pass,
  press,
  shows,
  stopTheClock,
  time,
  write,
} from './testing/open-timer.tsx';

beforeEach(stopTheClock);
afterEach(() => void vi.useRealTimers());

test('[2.66 4.29 8.14 9.4] the link of a bonus challenge starts at once and doubles the miles', async () => {
  const { calls } = await open(bonusLink, logAnswer(2, true));
  expect(button('Pause')).toBeDefined();
  expect(choosePhoto()).toEqual([expect.stringContaining('Running')]);
  pass(600);
  await shows('10:00');
  expect(milesLine()).toBe('2.00 miles');
  await press('Stop');
  expect(screen.getByText('Miles earned').nextElementSibling?.textContent).toBe('2.0');
  write('Uphill');
  await press('Log Activity');
  expect(await momentOf('Bonus Challenge Complete!')).toBe(
    'Great job! You earned 2.0 miles for your team (x2 BONUS BOOST!)',
  );
  expect(await sentTo(calls, logging)).toMatchObject({ activityType: 'Running', bonusChallengeId: 'b1' });
});

test.each([
  ['bonus/closed', /had already ended/],
  ['bonus/other-activity', /another activity/],
  ['bonus/too-short', /too short/],
  ['bonus/already-completed', /completed the bonus challenge before/],
  ['bonus/unknown', /could not be found/],
])(
  '[8.14 D15 D40] a bonus that does not apply, %s, is plain success with the reason in words',
  async (reason, words) => {
    const answer = { id: 'l1', milesEarned: 1, bonusApplied: false, bonusReason: reason };
    await open(bonusLink, { [logging]: { body: answer } });
    pass(600);
    await shows('10:00');
    await press('Stop');
    write('Uphill');
    await press('Log Activity');
    const said = await momentOf('Activity Logged!');
    expect(said).toMatch(words);
    expect(said).toMatch(/^Great job! You earned 1.0 miles for your team\. .+ count once\.$/);
  },
);

test('[2.66 4.29] the bonus stays with the run on other screens and after a reload, and doubles its own activity only', async () => {
  const { calls, router } = await open(bonusLink, logAnswer(2, true));
  expect(screen.getByText('Bonus challenge: miles count double').textContent).toContain('x2');
  pass(600);
  await router.navigate({ to: '/explore' });
  await userEvent.click(await screen.findByRole('link', { name: /Back to the timer/ }));
  await shows('10:00');
  expect(router.state.location.href).toBe('/timer');
  cleanup();
  await open('/timer', logAnswer(2, true));
  expect([milesLine(), choosePhoto()[0]]).toEqual(['2.00 miles', expect.stringContaining('Running')]);
  await press('Biking');
  expect(milesLine()).toBe('1.00 miles');
  expect(screen.getByText('The bonus challenge counts for Running only')).toBeDefined();
  expect(pathsOf(calls)).not.toContain(logging);
});

test('[2.66] a link never throws away the run under way', async () => {
  await open();
  await press('Start');
  pass(300);
  await shows('5:00');
  cleanup();
  await open(bonusLink);
  expect(await noticeOf('Your timer is already running')).toBe('Stop and log it, then start the next one.');
  expect([time(), choosePhoto()[0]]).toEqual(['5:00', expect.stringContaining('Walking')]);
});

const walkingBoost: Api = {
  'GET /api/bonus-challenge': {
    body: {
      id: 'b2',
      title: 'Walking Boost',
      description: 'Log at least 20 minutes of Walking and earn double miles',
      activityType: 'Walking',
      targetDurationMinutes: 20,
      targetDistanceMiles: null,
      multiplier: 2,
      expiresAt: '2100-01-01T00:00:00Z',
      isActive: true,
      isCompleted: false,
    },
  },
};
const findOffer = () => screen.findByRole('switch', { name: 'Count it for the bonus challenge' });

test('[2.66 D15] a plain timer log that fits the open bonus challenge says so and counts for it when its member wants', async () => {
  const api: Api = { ...walkingBoost, ...logAnswer(4, true) };
  const { calls } = await moveFor(1200, '20:00', api);
  expect((await findOffer()).getAttribute('aria-checked')).toBe('false');
  expect(screen.getByText('This log fits “Walking Boost”: its miles count 2 times.')).toBeDefined();
  await userEvent.click(await findOffer());
  expect(screen.getByText('Miles earned').nextElementSibling?.textContent).toBe('4.0');
  write('Round the lake');
  await press('Log Activity');
  await momentOf('Bonus Challenge Complete!');
  expect(await sentTo(calls, logging)).toMatchObject({ activityType: 'Walking', bonusChallengeId: 'b2' });
});

test('[2.66 D7 D15] a log by hand says from how many minutes on it fits, and is counted once unless wanted', async () => {
  const { calls } = await open('/timer', { ...walkingBoost, ...logAnswer(3) });
  await press('Log manually');
  await findOffer();
  const minutes = screen.getByLabelText('Minutes');
  fireEvent.change(minutes, { target: { value: '15' } });
  expect(
    await screen.findByText(/^From 20 min on, this can count for the bonus challenge “Walking Boost”/),
  ).toBeDefined();
  expect(screen.queryByRole('switch')).toBeNull();
  fireEvent.change(minutes, { target: { value: '30' } });
  await findOffer();
  write('Round the lake');
  await press('Log Activity');
  await momentOf('Activity Logged!');
  expect(await sentTo(calls, logging)).not.toHaveProperty('bonusChallengeId');
});
