import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { activityFeedQuery } from './api.ts';

const activity = (more: Partial<ActivityFeedItem> = {}): ActivityFeedItem => ({
  id: 'a1',
  kind: 'movement',
  userName: 'Lena Brandt',
  userPhotoUrl: null,
  profileId: 'l1',
  timeAgo: '',
  teamName: 'Thunder',
  teamEmoji: '⚡',
  activityType: 'Walking',
  durationMinutes: 90,
  distanceMiles: '9.00',
  photoPrompt: null,
  photoUrl: null,
  photo: null,
  location: null,
  createdAt: new Date(Date.now() - 3_700_000).toISOString(),
  reactions: { likes: 1, comments: 2 },
  heartRate: null,
  calories: null,
  checkpoint: null,
  bonusChallengeId: null,
  isBonusChallenge: false,
  ...more,
});
const page = (activities: unknown[], hasMore = false) => ({ activities, hasMore });

function open(answer: Api[string] = { body: page([activity()]) }, api: Api = {}) {
  signedInAs();
  const calls = serveApi({ 'GET /api/activity-feed/all': answer, ...api });
  openApp('/activity-feed');
  return () => pathsOf(calls).filter((path) => path.includes('/api/activity-feed'));
}

test('[2.12 2.98 7.29] All Activity, My Team and My Activity ask for all, team and following, each when it is chosen', async () => {
  const nothing = { body: page([]) };
  const asked = open(nothing, { 'GET /api/activity-feed/team': nothing, 'GET /api/activity-feed/following': nothing });
  const tabs = await screen.findAllByRole('tab');
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['All Activity', 'My Team', 'My Activity']);
  await waitFor(() => expect(asked()).toEqual(['GET /api/activity-feed/all']));
  await userEvent.click(screen.getByRole('tab', { name: 'My Team' }));
  await waitFor(() => expect(asked().at(-1)).toBe('GET /api/activity-feed/team'));
  await userEvent.click(screen.getByRole('tab', { name: 'My Activity' }));
  await waitFor(() => expect(asked().at(-1)).toBe('GET /api/activity-feed/following'));
});

test('[2.98 3.43] a card tells who of which team, what, where, how far, how long and how it was received', async () => {
  open({ body: page([activity({ location: 'Old harbour', photoPrompt: 'Sun', heartRate: 120, calories: 1300 })]) });
  const card = await screen.findByRole('article');
  expect(card.textContent).toBe(
    'LBLena Brandt⚡ Thunder1 hour ago+9.0 miWalking1 hr 30 minOld harbour120 bpm1,300 kcalSun 1💪❤️🙌2',
  );
  expect(within(card).getByRole('img', { name: '1 like' })).toBeDefined();
  expect(within(card).getByRole('button', { name: '2 comments' })).toBeDefined();
  expect(within(card).getByRole('link', { name: 'Lena Brandt' }).getAttribute('href')).toBe('/user/l1');
});

test('[2.98 4.36 D19] a movement is cheered where it stands, at once and in every list; a checkpoint and one’s own are not', async () => {
  const reached = { name: 'Roncesvalles', routeName: 'Camino Francés', mileMark: 15.5, isLast: false };
  const all = page([activity({ myReactions: ['💪'] }), { ...activity({ id: 'c1', checkpoint: reached }) }]);
  signedInAs();
  const calls = serveApi({
    'GET /api/activity-feed/all': { body: all },
    'GET /api/activity-feed/following': { body: page([activity()]) },
    'POST /api/feed/react': ({ url }) => ({ status: url ? 500 : 200, body: 'Boom' }),
  });
  const { queryClient } = openApp('/activity-feed');
  const [card, stop] = (await screen.findAllByRole('article')) as [HTMLElement, HTMLElement];
  const pressedState = (name: string) => within(card).getByRole('button', { name }).getAttribute('aria-pressed');
  expect(['Strong', 'Love', 'Celebrate'].map(pressedState)).toEqual(['true', 'false', 'false']);
  expect(within(stop).queryByRole('button', { name: 'Strong' })).toBeNull();
  const firstActivity = () => queryClient.getQueryData(activityFeedQuery('all').queryKey)?.pages[0]?.activities[0];
  const seen = new Set<unknown>();
  queryClient.getQueryCache().subscribe(() => seen.add(firstActivity()?.reactions.likes));
  await userEvent.click(within(card).getByRole('button', { name: 'Love' }));
  expect(await noticeOf('Error')).toBe('Failed to react to post. Please try again.');
  expect([...seen]).toEqual(expect.arrayContaining([2, 1]));
  expect([pressedState('Love'), firstActivity()?.reactions.likes]).toEqual(['false', 1]);
  expect(await sentTo(calls, 'POST /api/feed/react')).toEqual({ movementLogId: 'a1', emoji: '❤️' });
  await userEvent.click(screen.getByRole('tab', { name: 'My Activity' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'Strong' })).toBeNull();
});

test('[2.98] the miles of a bonus challenge are shown as doubled', async () => {
  open({ body: page([activity({ isBonusChallenge: true, bonusChallengeId: 'b1' }), activity({ id: 'a2' })]) });
  const [bonus, plain] = await screen.findAllByRole('article');
  expect(bonus?.textContent).toContain('Bonus challenge: double miles');
  expect(plain?.textContent).not.toContain('double');
});

test('[D33] a team that has reached a checkpoint stands among the activities', async () => {
  const checkpoint = { name: 'Roncesvalles', routeName: 'Camino Francés', mileMark: 15.5, isLast: false };
  const reached = { ...activity(), kind: 'checkpoint', userName: 'Thunder', profileId: null, checkpoint };
  open({ body: page([reached, { ...reached, id: 'a2', checkpoint: { ...checkpoint, isLast: true } }]) });
  const [first, last] = await screen.findAllByRole('article');
  expect(first?.textContent).toContain('⚡ Thunder reached Roncesvalles');
  expect(first?.textContent).toContain('15.5 miles along Camino Francés');
  expect(last?.textContent).toContain('⚡ Thunder completed the whole way');
});

test('[2.99 3.44 D17] Load More Activities shows while there are more, and loads from where the Link header points', async () => {
  const link = '</api/activity-feed/all?cursor=abc>; rel="next"';
  const asked = open(({ url }) =>
    url.includes('cursor')
      ? { body: page([activity(), activity({ id: 'a2', activityType: 'Running' })]) }
      : { body: page([activity()], true), headers: { link } },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Load More Activities' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  expect(asked().at(-1)).toBe('GET /api/activity-feed/all?cursor=abc');
  expect(screen.queryByRole('button', { name: 'Load More Activities' })).toBeNull();
  // Who came by keyboard goes on with what came.
  expect(document.activeElement).toBe(screen.getAllByRole('article')[1]);
});

test('[D21 D44] what its owner has not let earn miles says so instead of a nought', async () => {
  open({ body: page([activity({ distanceMiles: '0.0' })]) });
  const card = await screen.findByRole('article');
  expect([card.textContent.includes('Not scored'), card.textContent.includes('+0')]).toEqual([true, false]);
});

test('[2.100 D44] where nothing is, one is led to the timer, without examples', async () => {
  open({ body: page([]) });
  expect(await screen.findByText('No activities yet')).toBeDefined();
  const panel = screen.getByRole('tabpanel');
  expect(within(panel).getByRole('link', { name: 'Start the timer' }).getAttribute('href')).toBe('/timer');
  expect(screen.queryByRole('article')).toBeNull();
});

test('[2.101 D26 D44] a call that fails shows examples, each marked as one, until trying again works', async () => {
  let isBroken = true;
  open(() => (isBroken ? { status: 500, body: 'Boom' } : { body: page([activity()]) }));
  const examples = await screen.findAllByRole('article');
  expect(examples.map((card) => within(card).queryByText('Example') !== null)).toEqual([true, true, true]);
  expect(screen.getByRole('alert').textContent).toContain('could not be loaded');
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  expect(screen.queryByText('Example')).toBeNull();
});

test('[D44] a card is drawn from the fields of the specification alone, and from a few of them', async () => {
  open({ body: page([{ id: 'a1', userName: 'Omar', activityType: 'Walking', timeAgo: '2 hours ago' }]) });
  expect((await screen.findByRole('article')).textContent).toContain('2 hours ago');
});
