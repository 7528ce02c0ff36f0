import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp, pathsOf, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const post = {
  id: 'p1',
  user: { name: 'Lena Brandt', avatar: null, profileId: 'l1' },
  source: 'timer',
  createdAt: '2026-11-20T08:00:00.000Z',
  activityType: 'Walking',
  distanceMiles: '3.00',
  durationMinutes: 30,
  caption: 'Round the harbour',
  photoUrl: null,
  reactions: {},
  myReactions: [],
  comments: 2,
};
const comment = (id: string, text: string) => ({
  id,
  user: { name: 'Omar Haddad', avatar: null, profileId: 'o1' },
  text,
  mentions: [],
  createdAt: '2026-11-20T09:00:00.000Z',
  editedAt: null,
  isMine: false,
  hidden: null,
});

function open(path: string, api: Api) {
  signedInAs();
  const calls = serveApi(api);
  openApp(path);
  return calls;
}

test('[D34] a notice leads to one entry with its thread open, and to the very comment, which takes the focus', async () => {
  const calls = open('/feed/p1#c2', {
    'GET /api/feed/entries/p1': { body: { kind: 'movement', post } },
    'GET /api/feed/p1/comments': { body: [comment('c1', 'That light!'), comment('c2', 'Indeed')] },
  });
  await screen.findByText('Round the harbour');
  const meant = (await screen.findByText('Indeed')).closest('li');
  await waitFor(() => expect(document.activeElement).toBe(meant));
  expect(meant?.id).toBe('c2');
  expect(screen.getByText('That light!').closest('li')?.hasAttribute('tabindex')).toBe(false);
  expect(pathsOf(calls).filter((path) => path.includes('/comments'))).toHaveLength(1);
});

test('[D34] of an entry that is deleted or hidden since, the page says so and leads to the feed', async () => {
  open('/feed/p1', { 'GET /api/feed/entries/p1': { status: 404, body: { status: 404, message: 'Not found' } } });
  expect(await screen.findByText('This post is gone')).toBeDefined();
  expect(screen.getByRole('link', { name: 'To the feed' }).getAttribute('href')).toBe('/feed');
  expect(screen.queryByText('This post could not be loaded')).toBeNull();
});

test('[D34] an entry that could not be loaded offers to try again', async () => {
  open('/feed/p1', { 'GET /api/feed/entries/p1': { status: 422, body: { status: 422, message: 'No' } } });
  expect(await screen.findByText('This post could not be loaded')).toBeDefined();
  expect(screen.getByRole('button', { name: /again/i })).toBeDefined();
});
