import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import type { FeedPost } from '@caravan/contracts/http/feed';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Answer, type Api } from '../../testing/app.tsx';
import { keyedServer } from '../../testing/keyed-server.ts';
import { toast } from '../../ui/toast-state.ts';
import { activityFeedQuery, entryQuery, feedQuery } from './api.ts';
import { withOwnReaction } from './own-reaction.ts';

const post = (more: Partial<FeedPost> = {}): FeedPost => ({
  id: 'p1',
  user: { name: 'Lena Brandt', avatar: null, profileId: 'l1' },
  source: 'timer',
  createdAt: '2026-11-20T08:00:00.000Z',
  activityType: 'Walking',
  distanceMiles: '3.00',
  durationMinutes: 30,
  caption: null,
  photoUrl: null,
  photo: null,
  reactions: { '💪': 4 },
  myReactions: [],
  comments: 0,
  ...more,
});
const activity: Partial<ActivityFeedItem> = { id: 'p1', userName: 'Lena', reactions: { likes: 4, comments: 0 } };

function open(react: Api[string], feed: FeedPost[] = [post()], api: Api = {}, tab = 'all') {
  signedInAs();
  localStorage.setItem('feedTab', tab);
  const calls = serveApi({ [`GET /api/feed/${tab}`]: { body: feed }, 'POST /api/feed/react': react, ...api });
  return { calls, ...openApp('/feed') };
}
const button = (name: string) => screen.findByRole('button', { name });

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[2.89 3.40 9.17] a post has three reaction buttons, which say their names, counts and whether one has pressed them', async () => {
  open({ body: { action: 'added' } }, [post({ myReactions: ['💪'] })]);
  const strong = await button('Strong, 4');
  expect(strong.textContent).toBe('💪4');
  const names = ['Strong, 4', 'Love', 'Celebrate'];
  expect(names.map((name) => screen.getByRole('button', { name }).getAttribute('aria-pressed'))).toEqual([
    'true',
    'false',
    'false',
  ]);
});

test('[4.36 7.26 D19] a reaction shows at once in all pages of all feeds, before the server answers', async () => {
  const { calls, queryClient } = open(() => new Promise(() => undefined));
  const team = feedQuery('team');
  const activities = activityFeedQuery('all');
  const page = (...rows: FeedPost[]) => ({ rows, next: null });
  queryClient.setQueryData(team.queryKey, { pages: [page(post({ id: 'p2' })), page(post())], pageParams: [null, 'c'] });
  queryClient.setQueryData(activities.queryKey, {
    pages: [{ activities: [activity as ActivityFeedItem], hasMore: false, next: null }],
    pageParams: [null],
  });
  await userEvent.click(await button('Strong, 4'));
  expect((await button('Strong, 5')).getAttribute('aria-pressed')).toBe('true');
  expect(queryClient.getQueryData(team.queryKey)?.pages[1]?.rows[0]?.reactions).toEqual({ '💪': 5 });
  expect(queryClient.getQueryData(team.queryKey)?.pages[0]?.rows[0]?.reactions).toEqual({ '💪': 4 });
  expect(queryClient.getQueryData(activities.queryKey)?.pages[0]?.activities[0]).toMatchObject({
    reactions: { likes: 5 },
    myReactions: ['💪'],
  });
  expect(await sentTo(calls, 'POST /api/feed/react')).toEqual({ movementLogId: 'p1', emoji: '💪' });
});

test('[4.36 8.12] a reaction that is refused is undone, and says so', async () => {
  open({ status: 500, body: 'Boom' });
  await userEvent.click(await button('Love'));
  expect(await noticeOf('Error')).toBe('Failed to react to post. Please try again.');
  expect((await button('Love')).getAttribute('aria-pressed')).toBe('false');
});

test('[4.36] what one takes back counts one less; at none the count is gone', async () => {
  open({ body: { action: 'removed' } }, [post({ reactions: { '❤️': 1 }, myReactions: ['❤️'] })]);
  await userEvent.click(await button('Love, 1'));
  expect((await button('Love')).textContent).toBe('❤️');
});

test('[4.36] no count ever falls below zero', () => {
  const odd = post({ reactions: {}, myReactions: ['🙌'] });
  expect(withOwnReaction(odd, { emoji: '🙌', isAdded: false })).toEqual({ ...odd, myReactions: [] });
});

test('[D19] who had reacted on another device sees the server’s counts', async () => {
  let reactions: FeedPost['reactions'] = { '💪': 4 };
  const { calls } = open({ body: { action: 'removed' } }, [], {
    'GET /api/feed/all': () => ({ body: [post({ reactions })] }),
  });
  await button('Strong, 4');
  reactions = { '💪': 3 };
  await userEvent.click(await button('Strong, 4'));
  expect((await button('Strong, 3')).getAttribute('aria-pressed')).toBe('false');
  expect(pathsOf(calls).filter((path) => path.startsWith('GET /api/feed/all'))).toHaveLength(2);
});

test('[D19] presses in quick succession are sent one after the other, each with a key of its own', async () => {
  const answers: (() => void)[] = [];
  const { calls } = open(() => new Promise((resolve) => answers.push(() => resolve({ body: { action: 'added' } }))));
  await userEvent.click(await button('Strong, 4'));
  await userEvent.click(await button('Love'));
  const sentReactions = () => calls.filter(({ method }) => method === 'POST');
  expect(sentReactions()).toHaveLength(1);
  answers[0]?.();
  await waitFor(() => expect(sentReactions()).toHaveLength(2));
  expect(new Set(sentReactions().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2);
});

test('[D19 D38] a reaction whose answer was lost is given once, and the next press does not take it back', async () => {
  const added = new Set<string>();
  const server = keyedServer(1, (body) => {
    const { emoji } = body as { emoji: string };
    if (added.delete(emoji)) return { body: { action: 'removed' } };
    added.add(emoji);
    return { body: { action: 'added' } };
  });
  open(server.answerTo);
  await userEvent.click(await button('Love'));
  await noticeOf('Error');
  await userEvent.click(await button('Love'));
  await waitFor(async () => expect((await button('Love, 1')).getAttribute('aria-pressed')).toBe('true'));
  await waitFor(() => expect(server.served).toHaveLength(1));
  expect([...added]).toEqual(['❤️']);
});

test('[2.90 D18] My Activity is read only: it shows the reactions, and on a press who they are from', async () => {
  const nobody = { name: 'A teammate', avatar: null, profileId: null };
  const given = [
    { emoji: '💪', user: { name: 'Omar Haddad', avatar: null, profileId: 'o1' } },
    { emoji: '🙌', user: nobody },
  ];
  const quiet = post({ id: 'p2', reactions: {} });
  open(
    {},
    [post({ reactions: { '💪': 1, '🙌': 1 } }), quiet],
    { 'GET /api/feed/p1/reactions': { body: given } },
    'mine',
  );
  const received = await screen.findByRole('button', { name: /^Strong 1\s*Celebrate 1$/ });
  expect(screen.queryByRole('button', { name: 'Love' })).toBeNull();
  expect(screen.getByText('No reactions yet')).toBeDefined();
  await userEvent.click(received);
  const dialog = await screen.findByRole('dialog', { name: 'Who reacted' });
  const rows = await within(dialog).findAllByRole('listitem');
  expect(rows.map((row) => within(row).queryByRole('link')?.textContent)).toEqual(['Omar Haddad', undefined]);
  expect(rows.map((row) => within(row).getByRole('img').getAttribute('aria-label'))).toEqual(['Strong', 'Celebrate']);
});

describe('an answer that was asked for before the server had one’s own reaction', () => {
  /** One post alone, read again whenever the test says so, and answered when it says so. */
  async function openEntry() {
    const reads: ((shown: Partial<FeedPost>) => void)[] = [];
    const presses: ((answer: Answer) => void)[] = [];
    signedInAs();
    serveApi({
      'GET /api/feed/entries/p1': () =>
        new Promise((resolve) => reads.push((shown) => resolve({ body: { kind: 'movement', post: post(shown) } }))),
      'POST /api/feed/react': () => new Promise((resolve) => presses.push(resolve)),
    });
    const { queryClient } = openApp('/feed/p1');
    await waitFor(() => expect(reads).toHaveLength(1));
    reads.shift()?.(before);
    await button('Strong, 4');
    const read = async () => {
      const answered = queryClient.refetchQueries({ queryKey: entryQuery('p1').queryKey });
      await waitFor(() => expect(reads).toHaveLength(1));
      return async (shown: Partial<FeedPost>) => {
        reads.shift()?.(shown);
        await answered;
      };
    };
    const answer = async (answer: Answer) => {
      presses.shift()?.(answer);
      await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    };
    return { read, answer };
  }
  const before: Partial<FeedPost> = { reactions: { '💪': 4 }, myReactions: [] };
  const after: Partial<FeedPost> = { reactions: { '💪': 5 }, myReactions: ['💪'] };
  const added = { body: { action: 'added' } };
  const shows = async (name: string, isPressed: boolean) =>
    expect((await button(name)).getAttribute('aria-pressed')).toBe(String(isPressed));

  test('[4.36 D19] does not undo it, whether it comes before or after the server’s yes', async () => {
    const { read, answer } = await openEntry();
    const readBefore = await read();
    await userEvent.click(await button('Strong, 4'));
    await readBefore(before);
    await shows('Strong, 5', true);
    const readMeanwhile = await read();
    await answer(added);
    await readMeanwhile(before);
    await shows('Strong, 5', true);
  });

  test('[4.36 D19] does not count it twice where it knows of it after all', async () => {
    const { read, answer } = await openEntry();
    await userEvent.click(await button('Strong, 4'));
    const readMeanwhile = await read();
    await readMeanwhile(after);
    await shows('Strong, 5', true);
    await answer(added);
    const readAfter = await read();
    await readAfter(after);
    await shows('Strong, 5', true);
  });

  test('[4.36 D19] says nothing against a refusal: what was shown is undone', async () => {
    const { read, answer } = await openEntry();
    const readBefore = await read();
    await userEvent.click(await button('Strong, 4'));
    await readBefore(before);
    const readMeanwhile = await read();
    await answer({ status: 500, body: 'Boom' });
    await shows('Strong, 4', false);
    await readMeanwhile(before);
    await shows('Strong, 4', false);
  });
});
