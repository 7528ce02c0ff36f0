import type { Recap, RecapSummary } from '@caravan/contracts/http/recaps';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { me, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const summary: RecapSummary = {
  id: 'r1',
  weekStartDate: '2026-11-09',
  weekEndDate: '2026-11-15',
  totalMiles: 80.5,
  memberCount: 12,
  topTeam: { teamId: 't1', name: 'Thunder', emoji: '⚡', miles: 42 },
  isViewed: false,
  createdAt: new Date().toISOString(),
};
const { topTeam: _first, isViewed: _viewed, ...week } = summary;
const omar = { name: 'Omar Haddad', avatar: null, profileId: 'u2' };
const recap: Recap = {
  ...week,
  previousMiles: 70,
  topTeams: [
    { teamId: 't1', name: 'Thunder', emoji: '⚡', miles: 42, previousMiles: 40 },
    { teamId: 't2', name: 'Blazers', emoji: '🔥', miles: 38.5, previousMiles: 30 },
  ],
  mostImproved: [{ user: omar, miles: 9, previousMiles: 4 }],
  streaks: { kept: 3, longestDays: 21 },
  checkpoints: [
    {
      teamName: 'Thunder',
      teamEmoji: '⚡',
      name: 'Burgos',
      routeName: 'Camino Francés',
      mileMark: 180,
      isLast: false,
    },
  ],
  challenges: { weekly: [{ name: 'Walk 5 miles', completions: 4 }], bonusCompletions: 2 },
  badgesEarned: 0,
  featuredQuote: { text: 'Rain all the way, worth it', logId: 'l1', user: omar },
  featuredPhotoUrl: null,
  featuredPhoto: null,
  own: { miles: 15, previousMiles: 0 },
  viewCount: 1,
  reactionCount: 1,
  commentCount: 0,
  reactions: { '🙌': 1 },
  vibes: {},
  engagement: { viewedAt: null, reactionEmoji: null, vibeEmoji: null, feedbackText: null },
  previousWeek: '2026-11-02',
  nextWeek: null,
};
const engaged = { viewedAt: '2026-11-16T08:00:00.000Z', reactionEmoji: null, vibeEmoji: null, feedbackText: null };
const say = 'POST /api/recaps/r1/engagement';

function open(at: string, api: Api = {}, person: object = {}) {
  signedInAs(person);
  const calls = serveApi({
    'GET /api/recaps': { body: [summary] },
    'GET /api/recaps/2026-11-09': { body: recap },
    [say]: { body: engaged },
    ...api,
  });
  return { calls, ...openApp(at) };
}

test('[D28] the list leads from week to week’s story', async () => {
  const { router } = open('/recaps');
  const link = await screen.findByRole('link', { name: /November 9 – 15/ });
  expect(link.textContent).toMatch(/80\.5 miles\u00a0· 12 people\u00a0· ⚡ ThunderNew/);
  await userEvent.click(link);
  await waitFor(() => expect(router.state.location.pathname).toBe('/recaps/2026-11-09'));
});

test('[D28] before the first Monday the list says when there will be one', async () => {
  open('/recaps', { 'GET /api/recaps': { body: [] } });
  expect(await screen.findByText('No recap yet')).toBeDefined();
});

test('[1.12 3.16 D28] the story says what happened in sentences, and that one has seen it', async () => {
  const { calls } = open('/recaps/2026-11-09');
  expect(await screen.findByText(/12 people moved/)).toBeDefined();
  expect(screen.getByText(/10\.5 miles more than the week before/)).toBeDefined();
  expect(screen.getByText(/15\.0 miles of them are yours/)).toBeDefined();
  expect(screen.getByText('Rain all the way, worth it').tagName).toBe('BLOCKQUOTE');
  const happened = screen.getByRole('region', { name: 'On the way' });
  for (const words of [
    '3 streaks kept all week',
    '⚡ Thunder reached Burgos',
    'completed 4 times',
    '2 bonus challenges won',
  ])
    expect(happened.textContent).toContain(words);
  expect(happened.textContent).not.toContain('badge');
  expect(within(screen.getByRole('region', { name: 'Most improved' })).getByText(/\+5\.0/)).toBeDefined();
  await waitFor(() => expect(pathsOf(calls).filter((path) => path === say)).toHaveLength(1));
  expect(await sentTo(calls, say)).toEqual({});
});

test('[3.17 8.12] a reaction shows at once, is taken back by another press, and undone where it is refused', async () => {
  let status = 200;
  const { calls } = open('/recaps/2026-11-09', {
    [say]: () => ({ status, body: status === 200 ? { ...engaged, reactionEmoji: '💪' } : {} }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Strong' }));
  expect(await screen.findByRole('button', { name: 'Strong, 1', pressed: true })).toBeDefined();
  expect(await sentTo(calls, say)).toEqual({ reactionEmoji: '💪' });
  status = 500;
  await userEvent.click(screen.getByRole('button', { name: 'Celebrate, 1' }));
  expect(await noticeOf('Error')).toBe('Failed to react to post. Please try again.');
  expect(await screen.findByRole('button', { name: 'Strong, 1', pressed: true })).toBeDefined();
});

test('[3.17] feedback is sent once it says something, and says what became of it', async () => {
  const { calls } = open('/recaps/2026-11-09', {
    [say]: async (request) => ({ body: { ...engaged, ...((await request.clone().json()) as object) } }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Send feedback' }));
  expect(await screen.findByText('Write your feedback first')).toBeDefined();
  await userEvent.type(screen.getByRole('textbox', { name: /Feedback/ }), 'More walks');
  await userEvent.click(screen.getByRole('button', { name: 'Send feedback' }));
  const change = await screen.findByRole('button', { name: 'Change feedback' });
  expect(await sentTo(calls, say)).toEqual({ feedbackText: 'More walks' });
  // Whoever uses the keyboard stays where they are, and is led on where the button goes.
  expect(document.activeElement).toBe(change);
  await userEvent.click(screen.getByRole('button', { name: 'Take back' }));
  expect(await screen.findByRole('button', { name: 'Send feedback' })).toBeDefined();
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Feedback/ });
  expect([field.value, document.activeElement]).toEqual(['', field]);
});

test('[3.18] admins see what a recap did; others are not asked for it', async () => {
  const effect = {
    weeklyLoginsBefore: 20,
    weeklyLoginsAfter: 25,
    newActivitiesBefore: 40,
    newActivitiesAfter: 50,
    participationChange: 4.2,
    feedback: ['More walks', 'More walks'],
  };
  const api = { 'GET /api/me': { body: { ...me, role: 'admin' } }, 'GET /api/recaps/r1/analytics': { body: effect } };
  open('/recaps/2026-11-09', api);
  const did = await screen.findByRole('region', { name: 'What this recap did' });
  expect(did.textContent).toMatch(/Sign-ins2025Logs4050Participation: \+4\.2 percentage pointsMore walksMore walks$/);
  cleanup();
  const { calls } = open('/recaps/2026-11-09');
  await screen.findByText(/12 people moved/);
  expect(pathsOf(calls).some((path) => path.includes('analytics'))).toBe(false);
});

test('[D28] a week without a recap says so', async () => {
  open('/recaps/2026-01-05', { 'GET /api/recaps/2026-01-05': { status: 404, body: {} } });
  expect(await screen.findByText('No recap of that week')).toBeDefined();
});

test('[D28] the dashboard has a card with the latest story until it is put away', async () => {
  open('/dashboard');
  expect(await screen.findByRole('heading', { name: 'Last week’s story' })).toBeDefined();
  expect(screen.getByText(/⚡ Thunder went furthest/)).toBeDefined();
  await userEvent.click(
    within(screen.getByRole('region', { name: 'Last week’s story' })).getByRole('button', { name: 'Not now' }),
  );
  expect(screen.queryByRole('heading', { name: 'Last week’s story' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Weekly recaps' }).getAttribute('href')).toBe('/recaps');
});

test('[3.16 D28] the photo of the week hangs in its story, with whose it is', async () => {
  const alt = 'Two bicycles at a canal';
  const photo = { alt, width: 1280, height: 960, thumbHash: '', srcSet: '/objects/photos/p1/280.webp?t=1 280w' };
  const featured = {
    featuredPhotoUrl: '/objects/photos/p1/640.webp?t=1',
    featuredPhoto: { photo, logId: 'l1', user: omar },
  };
  open('/recaps/2026-11-09', { 'GET /api/recaps/2026-11-09': { body: { ...recap, ...featured } } });
  const image = await screen.findByRole<HTMLImageElement>('img', { name: alt });
  expect([image.srcset, image.getAttribute('loading')]).toEqual([photo.srcSet, 'lazy']);
  const figure = image.closest('figure');
  expect(figure && within(figure).getByRole('link', { name: 'Omar Haddad' }).getAttribute('href')).toBe('/user/u2');
});

test('[3.16] a photo of which nothing but the address is told is shown all the same', async () => {
  const { featuredPhoto: _, ...bare } = recap;
  open('/recaps/2026-11-09', { 'GET /api/recaps/2026-11-09': { body: { ...bare, featuredPhotoUrl: '/photo.jpg' } } });
  const image = await screen.findByRole('img', { name: 'Photo of the week' });
  expect(image.getAttribute('src')).toBe('/photo.jpg');
});
