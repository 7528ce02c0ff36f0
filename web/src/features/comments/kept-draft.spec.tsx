import type { Comment, Mentionable } from '@caravan/contracts/http/comments';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { logOut } from '../../lib/session.ts';
import { endSession } from '../../lib/session-state.ts';
import { openApp, sentTo, serveApi, signedInAs, type Api, type Answer } from '../../testing/app.tsx';

const postOf = (id: string, name: string) => ({
  id,
  user: { name, avatar: null, profileId: id },
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
});
const omar: Mentionable[number] = { id: 'o1', name: 'Omar Haddad', avatar: null, teamName: 'Blazers' };
const written = { id: 'm1', text: 'Up the hill', isMine: true, createdAt: new Date().toISOString() };

/** Opens the page anew, as a later visit does, with the thread of one post. */
async function visit(postId: string, api: Api = {}, userId = 'u1') {
  cleanup();
  signedInAs({ id: userId });
  const calls = serveApi({
    [`GET /api/feed/entries/${postId}`]: { body: { kind: 'movement', post: postOf(postId, 'Lena Brandt') } },
    [`GET /api/feed/${postId}/comments`]: { body: [] },
    'GET /api/feed/mentionable': { body: [omar] },
    ...api,
  });
  openApp(`/feed/${postId}`);
  const toggle = await screen.findByRole('button', { name: '0 comments' });
  if (toggle.getAttribute('aria-expanded') === 'false') await userEvent.click(toggle);
  await screen.findByLabelText('Write a comment');
  return calls;
}
const field = () => screen.getByLabelText<HTMLTextAreaElement>('Write a comment');
const send = () => userEvent.click(screen.getByRole('button', { name: 'Comment' }));
const keptTexts = () => Object.keys(localStorage).filter((key) => key.includes('drafts'));

beforeEach(() => endSession());

test('[D50] a change of one’s own comment that was begun stands there again after leaving the page, until it is cancelled', async () => {
  const own: Comment = {
    ...written,
    user: { name: 'Maya', avatar: null, profileId: 'u1' },
    createdAt: new Date().toISOString(),
    editedAt: null,
    mentions: [],
    hidden: null,
  };
  const withOwn = { 'GET /api/feed/p1/comments': { body: [own] } };
  const editField = () => screen.findByLabelText<HTMLTextAreaElement>('Edit your comment');
  await visit('p1', withOwn);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit your comment' }));
  await userEvent.type(await editField(), ' and down');
  await visit('p1', withOwn);
  expect((await editField()).value).toBe('Up the hill and down');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await visit('p1', withOwn);
  await screen.findByRole('button', { name: 'Edit your comment' });
  expect(keptTexts()).toEqual([]);
});

describe('[D50] a half-written comment', () => {
  test('stands in its field again after leaving the page, below its own post and for its own member', async () => {
    await visit('p1');
    await userEvent.type(field(), 'Up the hi');
    await visit('p2');
    expect(field().value).toBe('');
    await visit('p1', {}, 'u2');
    expect(field().value).toBe('');
    await visit('p1');
    expect(field().value).toBe('Up the hi');
  });

  test('keeps whom it mentions', async () => {
    await visit('p1');
    await userEvent.type(field(), 'Go @Om');
    await userEvent.click(await screen.findByRole('option', { name: /Omar Haddad/ }));
    const calls = await visit('p1', { 'POST /api/feed/p1/comments': { status: 201, body: written } });
    expect(field().value).toBe('Go @Omar Haddad ');
    await send();
    await waitFor(() => expect(field().value).toBe(''));
    expect(await sentTo(calls, 'POST /api/feed/p1/comments')).toEqual({ text: 'Go @Omar Haddad', mentions: ['o1'] });
  });

  test('goes when it is emptied', async () => {
    await visit('p1');
    await userEvent.type(field(), 'Up');
    expect(keptTexts()).toHaveLength(1);
    await userEvent.clear(field());
    expect(keptTexts()).toEqual([]);
  });

  test('goes when it is sent, also where the page is left before the answer', async () => {
    let answer: (sent: Answer) => void = () => undefined;
    await visit('p1', { 'POST /api/feed/p1/comments': () => new Promise((resolve) => (answer = resolve)) });
    await userEvent.type(field(), 'Up the hill');
    await send();
    await visit('p2');
    answer({ status: 201, body: written });
    await waitFor(() => expect(keptTexts()).toEqual([]));
    await visit('p1');
    expect(field().value).toBe('');
  });

  test('stays when the server refuses it', async () => {
    const refused = { status: 422, body: { title: 'Refused', status: 422, message: 'Not today' } };
    await visit('p1', { 'POST /api/feed/p1/comments': refused });
    await userEvent.type(field(), 'Up the hill');
    await send();
    await screen.findByText('Not today');
    await visit('p1');
    expect(field().value).toBe('Up the hill');
  });

  test('goes when its member signs out, also where the server refuses that', async () => {
    await visit('p1', { 'POST /api/logout': { status: 401, body: {} } });
    await userEvent.type(field(), 'Up the hi');
    await logOut();
    expect(keptTexts()).toEqual([]);
    await visit('p1');
    expect(field().value).toBe('');
  });

  test('lasts as long as the page where the browser refuses to store', async () => {
    await visit('p1');
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await userEvent.type(field(), 'Up the hi');
    expect(field().value).toBe('Up the hi');
    vi.restoreAllMocks();
  });
});
