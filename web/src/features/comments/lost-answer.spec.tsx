import type { Comment } from '@caravan/contracts/http/comments';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { noticeOf, openApp, pathsOf, serveApi, signedInAs } from '../../testing/app.tsx';
import { keyedServer } from '../../testing/keyed-server.ts';

const post = {
  id: 'p1',
  user: { name: 'Lena Brandt', avatar: null, profileId: 'l1' },
  source: 'timer',
  createdAt: '2026-11-20T08:00:00.000Z',
  activityType: 'Walking',
  distanceMiles: '3.00',
  durationMinutes: 30,
  caption: null,
  photoUrl: null,
  reactions: {},
  myReactions: [],
  comments: 0,
};
const mine = (text: string): Partial<Comment> => ({
  id: 'c9',
  text,
  isMine: true,
  createdAt: new Date().toISOString(),
});
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const lastText = () =>
  within(screen.getByRole('region', { name: 'Comments' }))
    .getAllByRole('listitem')
    .at(-1)?.textContent;

test('[D50 D38] a comment whose answer was lost and whose text was changed is said to be posted, and takes the text', async () => {
  const server = keyedServer(1, (body) => ({ status: 201, body: mine((body as Comment).text) }));
  signedInAs();
  const calls = serveApi({
    'GET /api/feed/all': { body: [post] },
    'GET /api/feed/p1/comments': { body: [] },
    'POST /api/feed/p1/comments': server.answerTo,
    'PATCH /api/feed/comments/c9': { body: mine('Up the hill and down') },
  });
  openApp('/feed');
  await userEvent.click(await screen.findByRole('button', { name: /omment/ }));
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Write a comment');
  await userEvent.type(field, 'Up the hill');
  await press('Comment');
  await screen.findByText('The comment was not sent. Please try again.');
  await userEvent.type(field, ' and down');
  await press('Comment');
  const words = 'Your first try was posted and stands above. Your changes since then are not in it yet.';
  expect(await screen.findByText(words)).toBeDefined();
  expect(lastText()).toContain('Up the hill');
  await press('Change my comment');
  await waitFor(() => expect(lastText()).toContain('Up the hill and down'));
  expect(pathsOf(calls)).toContain('PATCH /api/feed/comments/c9');
  expect(server.served).toHaveLength(1);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Write a comment').value).toBe('');
});

test('[D50 D38] a comment that was hidden by a lost try is said to be hidden with the reason of that try', async () => {
  const server = keyedServer(1, () => ({ body: { hidden: true } }));
  signedInAs({ role: 'admin' });
  serveApi({
    'GET /api/feed/all': { body: [post] },
    'GET /api/feed/p1/comments': { body: [{ ...mine('Up the hill'), isMine: false }] },
    'POST /api/feed/comments/c9/hide': server.answerTo,
  });
  openApp('/feed');
  await userEvent.click(await screen.findByRole('button', { name: /omment/ }));
  await userEvent.click(await screen.findByRole('button', { name: /^Hide / }));
  const reason = await screen.findByLabelText('Reason');
  await userEvent.type(reason, 'Unkind');
  await press('Hide');
  expect(await noticeOf('The comment was not hidden')).toBe('Please try again later.');
  await userEvent.type(reason, ' words');
  await press('Hide');
  expect(await noticeOf('Comment hidden')).toBe('Your first try was saved, with the reason that you gave then.');
  expect(server.served).toEqual([{ reason: 'Unkind' }]);
});
