import type { FeedPost } from '@caravan/contracts/http/feed';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, pathsOf, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const post = (more: Partial<FeedPost> = {}): FeedPost => ({
  id: 'p1',
  user: { name: 'Lena Brandt', avatar: null, profileId: 'l1' },
  createdAt: new Date(Date.now() - 3_700_000).toISOString(),
  source: 'timer',
  activityType: 'Walking',
  distanceMiles: '3.00',
  durationMinutes: 30,
  caption: null,
  photoUrl: null,
  photo: null,
  reactions: {},
  comments: 0,
  ...more,
});

function open(api: Api = {}, tab?: string) {
  signedInAs();
  if (tab) localStorage.setItem('feedTab', tab);
  const calls = serveApi(api);
  openApp('/feed');
  return () => pathsOf(calls).filter((path) => path.includes('/api/feed/'));
}

test('[2.86 9.21] three tabs, All Activity first', async () => {
  open();
  const tabs = await screen.findAllByRole('tab');
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['All Activity', 'My Activity', 'Team Feed']);
  expect(tabs.map((tab) => tab.getAttribute('aria-selected'))).toEqual(['true', 'false', 'false']);
});

test('[2.88 9.18] only the chosen tab asks, ten posts at a time', async () => {
  const asked = open();
  await screen.findByText("Your team hasn't posted yet");
  expect(asked()).toEqual(['GET /api/feed/all?limit=10']);
  await userEvent.click(screen.getByRole('tab', { name: 'Team Feed' }));
  await waitFor(() => expect(asked()).toEqual(['GET /api/feed/all?limit=10', 'GET /api/feed/team?limit=10']));
});

test('[2.87 4.39 9.33] the chosen tab is remembered', async () => {
  open();
  await userEvent.click(await screen.findByRole('tab', { name: 'My Activity' }));
  expect(localStorage.getItem('feedTab')).toBe('mine');
});

for (const [stored, name, expected] of [
  ['mine', 'My Activity', ['GET /api/feed/mine?limit=10']],
  ['nonsense', 'All Activity', ['GET /api/feed/all?limit=10']],
] as const)
  test(`[2.87 4.39] the remembered tab ${stored} opens ${name}`, async () => {
    const asked = open({}, stored);
    expect((await screen.findByRole('tab', { name })).getAttribute('aria-selected')).toBe('true');
    await waitFor(() => expect(asked()).toEqual(expected));
  });

test('[2.89] a post tells who, when, from where, what, how far and how long', async () => {
  open({ 'GET /api/feed/all': { body: [post({ caption: 'Round the harbour' })] } });
  const article = await screen.findByRole('article');
  expect(article.textContent).toBe('LBLena Brandt1 hour agoTimer+3.0 miWalking 30 minRound the harbour 💪❤️🙌0');
});

test('[D18] the name leads to the profile, but for whom the answer gives none', async () => {
  const hidden = post({ id: 'p2', user: { name: 'Private Pat', avatar: null, profileId: null } });
  open({ 'GET /api/feed/all': { body: [post(), hidden] } });
  const [shown, other] = await screen.findAllByRole('article');
  const linkIn = (article: HTMLElement | undefined) =>
    article && within(article).queryByRole('link')?.getAttribute('href');
  expect([linkIn(shown), linkIn(other)]).toEqual(['/user/l1', undefined]);
});

for (const [source, label] of [
  ['apple-watch', 'Apple Watch'],
  ['google-fit', 'Google Fit'],
  ['strava', 'Strava'],
  ['fitbit', 'Fitbit'],
  ['manual', 'Manual'],
  ['carrier-pigeon', 'Manual'],
] as const)
  test(`[2.89 3.39] the source ${source} is shown as ${label}`, async () => {
    open({ 'GET /api/feed/all': { body: [{ ...post(), source }] } });
    expect((await screen.findByRole('article')).textContent).toContain(label);
  });

test('[D21 2.89] a movement that is not scored says so instead of miles', async () => {
  open({ 'GET /api/feed/all': { body: [post({ distanceMiles: '0.00', source: 'strava' })] } });
  expect((await screen.findByRole('article')).textContent).toMatch(/Not scored.*30 min/);
});

test('[2.89 9.18] a caption beyond 150 characters is cut; more shows it, less cuts it again', async () => {
  const caption = 'word '.repeat(40).trim();
  open({ 'GET /api/feed/all': { body: [post({ caption })] } });
  const more = await screen.findByRole('button', { name: 'more' });
  expect(screen.queryByText(caption, { exact: false })).toBeNull();
  await userEvent.click(more);
  expect(screen.getByText(caption, { exact: false })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'less' }));
  expect(screen.queryByText(caption, { exact: false })).toBeNull();
});

for (const [tab, texts] of [
  ['all', ["Your team hasn't posted yet"]],
  ['team', ["Your team hasn't posted yet"]],
  ['mine', ["You haven't logged any movement yet", 'Try the timer to get started!']],
] as const)
  test(`[2.91] the tab ${tab} says that it is empty`, async () => {
    open({}, tab);
    for (const text of texts) expect(await screen.findByText(text)).toBeDefined();
  });

test('[2.92 8.13] a feed that cannot be loaded', async () => {
  open({ 'GET /api/feed/all': { status: 500, body: 'Boom' } });
  expect(await screen.findByText('Unable to load team feed')).toBeDefined();
  expect(screen.getByText('Please try again later.')).toBeDefined();
});

test('[D17] a feed whose next page is gone is read again from its first page', async () => {
  const gone = { status: 422, code: 'page/bad-cursor', message: 'This page no longer exists' };
  let firstPages = 0;
  const asked = open({
    'GET /api/feed/all': ({ url }) => {
      if (url.includes('cursor=old')) return { status: 422, body: gone };
      if (url.includes('cursor')) return { body: [post({ id: 'p2', activityType: 'Running' })] };
      firstPages += 1;
      const cursor = firstPages === 1 ? 'old' : 'new';
      return { body: [post()], headers: { link: `</api/feed/all?limit=10&cursor=${cursor}>; rel="next"` } };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Load more posts' }));
  await waitFor(() => expect(asked().slice(-2)).toEqual([expect.stringContaining('cursor=old'), asked()[0]]));
  await userEvent.click(await screen.findByRole('button', { name: 'Load more posts' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  expect(asked().at(-1)).toBe('GET /api/feed/all?limit=10&cursor=new');
});

test('[2.93 D17] more posts are loaded from where the Link header points', async () => {
  const link = '</api/feed/all?limit=10&cursor=abc>; rel="next"';
  const asked = open({
    'GET /api/feed/all': ({ url }) =>
      url.includes('cursor')
        ? { body: [post({ id: 'p2', activityType: 'Running' })] }
        : { body: [post()], headers: { link } },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Load more posts' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  expect(asked().at(-1)).toBe('GET /api/feed/all?limit=10&cursor=abc');
  expect(screen.queryByRole('button', { name: 'Load more posts' })).toBeNull();
});
