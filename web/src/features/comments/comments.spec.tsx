import type { Comment } from '@caravan/contracts/http/comments';
import type { Me } from '@caravan/contracts/http/accounts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { changeFeeds } from '../../lib/feed-lists.ts';
import { toast } from '../../ui/toast-state.ts';
import { threadQuery } from './api.ts';

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
  comments: 1,
};
// A few seconds more: the page's clock is as much behind.
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000 - 5_000).toISOString();
const comment = (more: Partial<Comment> = {}): Comment => ({
  id: 'c1',
  user: { name: 'Omar Haddad', avatar: null, profileId: 'o1' },
  text: 'That light!',
  mentions: [],
  createdAt: minutesAgo(2),
  editedAt: null,
  isMine: false,
  hidden: null,
  ...more,
});
const mine = (more: Partial<Comment> = {}) =>
  comment({ id: 'm1', user: { name: 'Maya Okafor', avatar: null, profileId: 'u1' }, isMine: true, ...more });
const comments = 'GET /api/feed/p1/comments';

async function open(rows: Comment[] = [comment()], api: Api = {}, person: Partial<Me> = {}) {
  signedInAs(person);
  const calls = serveApi({ 'GET /api/feed/all': { body: [post] }, [comments]: { body: rows }, ...api });
  const app = openApp('/feed');
  await press('1 comment');
  await screen.findByLabelText('Write a comment');
  return { calls, ...app };
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const thread = () => screen.getByRole('region', { name: 'Comments' });
const texts = () =>
  within(thread())
    .queryAllByRole('listitem')
    .map((row) => row.textContent);
const field = () => screen.getByLabelText<HTMLTextAreaElement>('Write a comment');

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[D50 D53] the comments of an entry are asked for once they are opened, oldest first', async () => {
  const { calls } = await open([comment(), comment({ id: 'c2', text: 'Indeed', editedAt: minutesAgo(1) })]);
  expect(pathsOf(calls).filter((path) => path.startsWith(comments))).toEqual([`${comments}?limit=50`]);
  expect(texts()).toEqual([
    'OHOmar Haddad2 minutes agoThat light!Report',
    'OHOmar Haddad2 minutes agoeditedIndeedReport',
  ]);
  const toggle = screen.getByRole('button', { name: '1 comment' });
  expect(toggle.getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(toggle);
  expect(screen.queryByRole('region', { name: 'Comments' })).toBeNull();
});

test('[D50] a comment that is written stands last, and counts in the feed', async () => {
  const written = mine({ text: 'Up the hill' });
  const { calls } = await open([comment()], { 'POST /api/feed/p1/comments': { status: 201, body: written } });
  await userEvent.type(field(), ' Up the hill ');
  await press('Comment');
  await screen.findByRole('button', { name: '2 comments' });
  expect(await sentTo(calls, 'POST /api/feed/p1/comments')).toEqual({ text: 'Up the hill', mentions: [] });
  expect(calls.at(-1)?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  expect(texts().at(-1)).toContain('Up the hill');
  expect(field().value).toBe('');
});

test('what is refused stays in the field, with the server’s words; nothing is not sent', async () => {
  const message = 'Characters that turn the direction of text are not allowed';
  const { calls } = await open([], {
    'POST /api/feed/p1/comments': { status: 422, body: { title: 'Refused', status: 422, message } },
  });
  await press('Comment');
  expect(await screen.findByText('Write a comment first')).toBeDefined();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  await userEvent.type(field(), 'Hello');
  await press('Comment');
  expect(await screen.findByText(message)).toBeDefined();
  expect(field().value).toBe('Hello');
});

test('a comment has at most 500 characters, an emoji being one', async () => {
  await open([]);
  await userEvent.click(field());
  await userEvent.paste('👟'.repeat(501));
  expect([...field().value]).toHaveLength(500);
});

test('what is written is plain text: markup stays what was typed, and no address becomes a link', async () => {
  await open([comment({ text: '<b>Look</b> https://example.org' })]);
  expect(texts()[0]).toContain('<b>Look</b> https://example.org');
  expect(
    within(thread())
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['Omar Haddad']);
});

test('[D18 D50] an @ offers members with their teams; the arrow keys and Enter take one, and a mention leads to the profile', async () => {
  const members = [
    { id: 'o1', name: 'Olga Petrova', avatar: null, teamName: 'Thunder' },
    { id: 'o2', name: 'Olga Petrova', avatar: null, teamName: 'Blazers' },
  ];
  const written = mine({ text: '@Olga Petrova look', mentions: [{ start: 0, length: 13, profileId: 'o2' }] });
  const { calls } = await open([], {
    'GET /api/feed/mentionable': { body: members },
    'POST /api/feed/p1/comments': { status: 201, body: written },
  });
  await userEvent.type(field(), '@O');
  const options = await screen.findAllByRole('option');
  expect(options.map((option) => option.getAttribute('aria-selected'))).toEqual(['true', 'false']);
  expect(options.map(({ textContent }) => textContent)).toEqual(['OPOlga PetrovaThunder', 'OPOlga PetrovaBlazers']);
  expect(pathsOf(calls)).toContain('GET /api/feed/mentionable?name=O');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(field().value).toBe('@Olga Petrova ');
  expect(screen.queryByRole('option')).toBeNull();
  await userEvent.type(field(), 'look');
  await press('Comment');
  expect((await screen.findByRole('link', { name: '@Olga Petrova' })).getAttribute('href')).toBe('/user/o2');
  expect(await sentTo(calls, 'POST /api/feed/p1/comments')).toEqual({ text: '@Olga Petrova look', mentions: ['o2'] });
});

test('[D50] a letter typed right after a picked name stands behind it, also amid a text', async () => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const members = [{ id: 'o1', name: 'Olga Petrova', avatar: null, teamName: 'Thunder' }];
  await open([], { 'GET /api/feed/mentionable': { body: members } });
  await userEvent.type(field(), 'Hi there');
  await userEvent.type(field(), '@O', { initialSelectionStart: 3, initialSelectionEnd: 3 });
  await screen.findByRole('option');
  await userEvent.keyboard('{Enter}');
  expect(field().selectionStart).toBe('Hi @Olga Petrova '.length);
  vi.unstubAllGlobals();
});

test('one’s own comment can be changed for five minutes and deleted at any time', async () => {
  const { calls } = await open([mine({ text: 'Helo' }), mine({ id: 'm2', createdAt: minutesAgo(6) })], {
    'PATCH /api/feed/comments/m1': { body: mine({ text: 'Hello', editedAt: minutesAgo(0) }) },
    'DELETE /api/feed/comments/m2': { body: { removed: true } },
  });
  expect(screen.getAllByRole('button', { name: 'Edit your comment' })).toHaveLength(1);
  await press('Edit your comment');
  const edited = screen.getByLabelText('Edit your comment');
  await userEvent.clear(edited);
  await userEvent.type(edited, 'Hello');
  await press('Save');
  await waitFor(() => expect(texts()[0]).toContain('editedHello'));
  expect(await sentTo(calls, 'PATCH /api/feed/comments/m1')).toEqual({ text: 'Hello', mentions: [] });
  await userEvent.click(screen.getAllByRole('button', { name: 'Delete your comment' })[1] as HTMLElement);
  await press('Delete');
  expect(await screen.findByText('Comment deleted')).toBeDefined();
  expect(texts()).toHaveLength(1);
  expect(screen.getByRole('button', { name: '0 comments' })).toBeDefined();
});

test('[D37] with the keyboard one’s own comment is changed where it stands, and one goes on from there', async () => {
  await open([comment(), mine({ text: 'Helo' })], {
    'PATCH /api/feed/comments/m1': { body: mine({ text: 'Helo!', editedAt: minutesAgo(0) }) },
  });
  const focusedLabel = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement;
  const edit = () => screen.getByRole('button', { name: 'Edit your comment' });
  edit().focus();
  await userEvent.keyboard('{Enter}');
  expect(focusedLabel()).toBe(screen.getByLabelText('Edit your comment'));
  await userEvent.keyboard('!{Tab}{Enter}');
  await waitFor(() => expect(focusedLabel()).toBe('Edit your comment'));
  expect(texts()[1]).not.toContain('!');
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard('!{Tab}{Tab}{Enter}');
  await waitFor(() => expect(texts()[1]).toContain('Helo!'));
  expect(focusedLabel()).toBe('Edit your comment');
});

test('others’ comments can be reported with a reason, and by members not be hidden', async () => {
  const { calls } = await open([comment()], { 'POST /api/feed/comments/c1/report': { body: { reported: true } } });
  expect(screen.queryByRole('button', { name: "Hide Omar Haddad's comment" })).toBeNull();
  await press("Report Omar Haddad's comment");
  await press('Report');
  expect(await screen.findByText('Give a reason')).toBeDefined();
  await userEvent.type(screen.getByLabelText('Reason'), 'Unkind');
  await press('Report');
  expect(await screen.findByText('Reported to the admins')).toBeDefined();
  expect(await sentTo(calls, 'POST /api/feed/comments/c1/report')).toEqual({ reason: 'Unkind' });
});

test('an admin hides a comment with a reason; a refusal is said in the server’s words', async () => {
  let isRefused = true;
  const { calls } = await open(
    [comment()],
    {
      'POST /api/feed/comments/c1/hide': () =>
        isRefused ? { status: 422, body: { status: 422, message: 'Too fast' } } : { body: { hidden: true } },
    },
    { role: 'admin' },
  );
  await press("Hide Omar Haddad's comment");
  await userEvent.type(screen.getByLabelText('Reason'), 'Unkind');
  await press('Hide');
  expect(await noticeOf('The comment was not hidden')).toBe('Too fast');
  isRefused = false;
  await press('Hide');
  await noticeOf('Comment hidden');
  expect(texts()).toEqual([]);
  // The button is gone with the comment, the place is not lost.
  await waitFor(() => expect(document.activeElement).toBe(thread()));
  expect(await sentTo(calls, 'POST /api/feed/comments/c1/hide')).toEqual({ reason: 'Unkind' });
});

test('[D35 D50] what the live stream has taken away before the answer is not counted twice', async () => {
  const answer = Promise.withResolvers<undefined>();
  const { queryClient } = await open([mine()], {
    'DELETE /api/feed/comments/m1': async () => {
      await answer.promise;
      return { body: { removed: true } };
    },
  });
  await press('Delete your comment');
  await press('Delete');
  queryClient.setQueryData(
    threadQuery('p1').queryKey,
    (shown) => shown && { ...shown, pages: [{ rows: [], next: null }] },
  );
  changeFeeds(queryClient, { post: (shown) => ({ ...shown, comments: 3 }), activity: (shown) => shown });
  answer.resolve(undefined);
  await noticeOf('Comment deleted');
  expect(screen.getByRole('button', { name: '3 comments' })).toBeDefined();
});

test('[D50] an admin who hides an own comment sees it with the reason, and counts it on', async () => {
  await open([mine()], { 'POST /api/feed/comments/m1/hide': { body: { hidden: true } } }, { role: 'admin' });
  await press("Hide Maya Okafor's comment");
  await userEvent.type(screen.getByLabelText('Reason'), 'Changed my mind');
  await press('Hide');
  expect(await screen.findByText('Hidden by an admin: Changed my mind')).toBeDefined();
  expect(screen.getByRole('button', { name: '1 comment' })).toBeDefined();
});

test('the author of a hidden comment sees it with the reason', async () => {
  await open([mine({ hidden: { reason: 'Be kind' } })]);
  expect(texts()[0]).toContain('Hidden by an admin: Be kind');
  expect(screen.queryByRole('button', { name: 'Edit your comment' })).toBeNull();
});

test('a thread that cannot be loaded says so and can be tried again', async () => {
  let isBroken = true;
  signedInAs();
  serveApi({
    'GET /api/feed/all': { body: [post] },
    [comments]: () => (isBroken ? { status: 500, body: 'Boom' } : { body: [comment()] }),
  });
  openApp('/feed');
  await press('1 comment');
  await screen.findByText('The comments could not be loaded');
  isBroken = false;
  await press('Try again');
  await waitFor(() => expect(texts()).toHaveLength(1));
});

test('admins see what was reported and why, not by whom, and hide it there', async () => {
  let isHidden = false;
  const report = { entryId: 'p1', comment: comment(), reports: [{ reason: 'Unkind', reportedAt: minutesAgo(1) }] };
  signedInAs({ role: 'admin' });
  const calls = serveApi({
    'GET /api/feed/reported-comments': () => ({ body: isHidden ? [] : [report] }),
    'POST /api/feed/comments/c1/hide': () => {
      isHidden = true;
      return { body: { hidden: true } };
    },
  });
  openApp('/admin/comments');
  const reasons = await screen.findByRole('list', { name: 'Reasons' });
  expect(reasons.textContent).toBe('Unkind\u00a0· 1 minute ago');
  await press("Hide Omar Haddad's comment");
  await userEvent.type(screen.getByLabelText('Reason'), 'Be kind');
  await press('Hide');
  expect(await screen.findByText('Nothing is reported')).toBeDefined();
  expect(await sentTo(calls, 'POST /api/feed/comments/c1/hide')).toEqual({ reason: 'Be kind' });
});

test('[D50] admins dismiss reports, and show again what was hidden', async () => {
  const state = { isReported: true, isHidden: true };
  const report = { entryId: 'p1', comment: comment(), reports: [{ reason: 'Unkind', reportedAt: minutesAgo(1) }] };
  const hidden = { entryId: 'p1', comment: comment({ id: 'c2' }), reason: 'Be kind', hiddenAt: minutesAgo(2) };
  signedInAs({ role: 'admin' });
  const calls = serveApi({
    'GET /api/feed/reported-comments': () => ({ body: state.isReported ? [report] : [] }),
    'GET /api/feed/hidden-comments': () => ({ body: state.isHidden ? [hidden] : [] }),
    'POST /api/feed/comments/c1/dismiss-reports': () => {
      state.isReported = false;
      return { body: { dismissed: true } };
    },
    'POST /api/feed/comments/c2/show': () => {
      const isRefused = state.isHidden && state.isReported;
      state.isHidden = isRefused;
      return isRefused ? { status: 500, body: 'Boom' } : { body: { shown: true } };
    },
  });
  openApp('/admin/comments');
  const region = await screen.findByRole('region', { name: 'Hidden comments' });
  expect(region.textContent).toContain('Hidden: Be kind\u00a0· 2 minutes ago');
  await press("Show Omar Haddad's comment again");
  expect(await noticeOf('The comment was not shown')).toBe('Please try again later.');
  await press("Dismiss the reports of Omar Haddad's comment");
  expect(await screen.findByText('Nothing is reported')).toBeDefined();
  await noticeOf('Reports dismissed');
  expect(document.activeElement?.tagName).toBe('H1');
  await press("Show Omar Haddad's comment again");
  await noticeOf('Comment shown again');
  expect(screen.queryByRole('region', { name: 'Hidden comments' })).toBeNull();
  expect(document.activeElement?.tagName).toBe('H1');
  expect(pathsOf(calls).filter((path) => path.startsWith('POST'))).toEqual([
    'POST /api/feed/comments/c2/show',
    'POST /api/feed/comments/c1/dismiss-reports',
    'POST /api/feed/comments/c2/show',
  ]);
});
