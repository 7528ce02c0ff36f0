import type { Notification } from '@caravan/contracts/http/notifications';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { noticeOf, onScreen, openApp, pathsOf, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';

const reading = 'POST /api/notifications/read';
const muting = 'PUT /api/notifications/mutes';
const notice = (more: Partial<Notification> = {}): Notification => ({
  id: 'n1',
  kind: 'reaction',
  text: 'Mei and 4 others cheered your walk',
  link: '/leaderboard',
  createdAt: new Date(Date.now() - 65_000).toISOString(),
  isRead: false,
  count: 5,
  ...more,
});
const page = (notifications: readonly unknown[], next: string | null = null) => ({
  body: notifications,
  ...(next !== null && { headers: { link: `</api/notifications?limit=20&cursor=${next}>; rel="next"` } }),
});
const dayBefore = new Date(Date.now() - 86_400_000).toISOString();
const two = page([notice(), notice({ id: 'n2', kind: 'badge', text: 'You earned Spark', createdAt: dayBefore })]);

function open(path = '/notifications', api: Api = {}, person: Parameters<typeof signedInAs>[0] = {}) {
  signedInAs(person);
  let mutes: unknown = { kinds: ['rank-lost'] };
  const calls = serveApi({
    'GET /api/notifications/unread': { body: { count: 2 } },
    'GET /api/notifications': two,
    'GET /api/notifications/mutes': () => ({ body: mutes }),
    [reading]: { body: { count: 1 } },
    [muting]: async (request) => ({ body: (mutes = await request.clone().json()) }),
    ...api,
  });
  return { calls, ...openApp(path) };
}

const link = (name: RegExp) => screen.findByRole('link', { name });
const bell = (name = 'Notifications, 2 unread') => screen.findByRole('button', { name });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const choose = async (name: string) => userEvent.click(await screen.findByRole('menuitem', { name }));

beforeEach(() => {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
});

test('[2.25 D27] on a phone the bell beside the heading says how many are unread, and leads to their screen', async () => {
  const { router } = open('/explore');
  await userEvent.click(await link(/^Notifications, 2 unread$/));
  await waitFor(() => expect(router.state.location.pathname).toBe('/notifications'));
  expect(await link(/^Unread:\s*Mei and 4 others/)).toBeDefined();
  expect(screen.queryByRole('link', { name: /^Notifications/ })).toBeNull();
});

test.each([
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('[2.25 D27] %i unread read as %s beside the dot and in the name', async (count, shown) => {
  open('/explore', { 'GET /api/notifications/unread': { body: { count } } });
  expect((await screen.findByRole('link', { name: `Notifications, ${shown} unread` })).textContent).toBe(shown);
});

test('[2.25 D27] with nothing unread the bell is there all the same, and says no number', async () => {
  open('/explore', { 'GET /api/notifications/unread': { body: { count: 0 } } });
  expect((await link(/^Notifications$/)).textContent).toBe('');
});

test('[D27] in the header the bell opens a panel, which Escape closes; the focus returns', async () => {
  onScreen('wide');
  open('/explore');
  await userEvent.click(await bell());
  const panel = await screen.findByRole('dialog', { name: 'Notifications' });
  expect(await within(panel).findByRole('heading', { name: 'Today' })).toBeDefined();
  expect(within(panel).getByRole('heading', { name: 'Yesterday' })).toBeDefined();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await bell().then((button) => waitFor(() => expect(document.activeElement).toBe(button)));
});

test('[D27 D34] to open one marks it as read, closes the panel and leads to what it speaks of', async () => {
  onScreen('wide');
  const { calls, router } = open('/explore');
  await userEvent.click(await bell());
  await userEvent.click(await link(/^Unread:\s*Mei/));
  await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard'));
  expect(await bell('Notifications, 1 unread')).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await sentTo(calls, reading)).toEqual({ ids: ['n1'] });
  const heading = await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test('[D27] all are marked as read at once, and are unread again where that is refused', async () => {
  let isBroken = true;
  const { calls } = open('/notifications', {
    [reading]: () => (isBroken ? { status: 500, body: 'Boom' } : { body: { count: 0 } }),
  });
  const unreadMarks = () => screen.queryAllByText('Unread:');
  await link(/^Unread:\s*Mei/);
  await press('Mark all as read');
  await screen.findByText('They could not be marked as read', { selector: 'li *' });
  expect(unreadMarks()).toHaveLength(2);
  isBroken = false;
  await press('Mark all as read');
  await waitFor(() => expect(unreadMarks()).toHaveLength(0));
  expect(await sentTo(calls, reading)).toEqual({ all: true });
  const button = screen.getByRole('button', { name: 'Mark all as read' });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
  expect(document.activeElement).toBe(button);
  const before = pathsOf(calls).length;
  await userEvent.click(button);
  expect(pathsOf(calls)).toHaveLength(before);
});

test('[D34] a kind is muted from one of its notices, and heard again by Undo', async () => {
  // jsdom knows no pointer that is held; a toast asks for it.
  Object.assign(Element.prototype, { hasPointerCapture: () => false, setPointerCapture: () => undefined });
  const { calls } = open();
  await press('More about: Mei and 4 others cheered your walk');
  await choose('Mute: Cheers');
  expect(await noticeOf('Muted: Cheers')).toContain('not told of this any more');
  await waitFor(async () => expect(await sentTo(calls, muting)).toEqual({ kinds: ['rank-lost', 'reaction'] }));
  await press('Undo');
  await waitFor(async () => expect(await sentTo(calls, muting)).toEqual({ kinds: ['rank-lost'] }));
});

test('[D27] one can be marked as read without opening it', async () => {
  const { calls, router } = open();
  await press('More about: Mei and 4 others cheered your walk');
  await choose('Mark as read');
  expect(await link(/^Mei/)).toBeDefined();
  expect(await sentTo(calls, reading)).toEqual({ ids: ['n1'] });
  expect(router.state.location.pathname).toBe('/notifications');
});

test('[D17 D53] more are loaded from where the answer says, and the focus goes on to the first of them', async () => {
  const { calls } = open('/notifications', {
    'GET /api/notifications': ({ url }) =>
      url.includes('cursor')
        ? page([notice({ id: 'n9', text: 'Ana follows you', kind: 'follower', createdAt: dayBefore })])
        : page(two.body, 'abc'),
  });
  await press('Load more');
  const next = await link(/Ana follows you/);
  expect(pathsOf(calls)).toContain('GET /api/notifications?limit=20&cursor=abc');
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(next));
});

test('[D27] where nothing is, that is said; a kind that came after this page was built is shown', async () => {
  open('/notifications', { 'GET /api/notifications': page([]) });
  expect(await screen.findByText('Nothing new')).toBeDefined();
});

test('[D44] a notice is drawn from a few fields, and of a kind that this page does not know', async () => {
  const fromAbove = { id: 'n1', kind: 'moon-landing', text: 'The moon is reached', link: 'https://evil.example' };
  open('/notifications', { 'GET /api/notifications': { body: [fromAbove] } });
  expect((await link(/The moon is reached/)).getAttribute('href')).toBe('/notifications');
  await press('More about: The moon is reached');
  expect(screen.queryByRole('menuitem', { name: /^Mute/ })).toBeNull();
});

test('[D27] what cannot be loaded says so and can be asked for again; without a network it says that', async () => {
  let isBroken = true;
  open('/notifications', {
    'GET /api/notifications': () => (isBroken ? { status: 500, body: 'Boom' } : two),
  });
  expect((await screen.findByRole('alert')).textContent).toContain('Your notifications could not be loaded');
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  fireEvent(window, new Event('offline'));
  expect((await screen.findByRole('alert')).textContent).toContain('You are offline');
  isBroken = false;
  await press('Try again');
  expect(await screen.findByText('You are offline. This is what was known last.')).toBeDefined();
  Reflect.deleteProperty(navigator, 'onLine');
  fireEvent(window, new Event('online'));
  await waitFor(() => expect(screen.queryByText(/^You are offline/)).toBeNull());
});

test('[D34] each kind has a switch that acts at once', async () => {
  const { calls } = open('/settings/notifications');
  const isOn = async (name: string) => (await screen.findByRole('switch', { name })).getAttribute('aria-checked');
  const turn = async (name: string) => userEvent.click(await screen.findByRole('switch', { name }));
  expect(await isOn('Rank lost')).toBe('false');
  expect(await isOn('Cheers')).toBe('true');
  expect(screen.queryByRole('switch', { name: 'Invites used' })).toBeNull();
  await turn('Cheers');
  await turn('Rank lost');
  expect([await isOn('Cheers'), await isOn('Rank lost')]).toEqual(['false', 'true']);
  await waitFor(async () => expect(await sentTo(calls, muting)).toEqual({ kinds: ['reaction'] }));
});

test('[D34] a switch goes back where it is refused', async () => {
  open('/settings/notifications', { [muting]: { status: 500, body: 'Boom' } });
  const badges = await screen.findByRole('switch', { name: 'Badges' });
  await userEvent.click(badges);
  await screen.findByText('That could not be changed', { selector: 'li *' });
  expect(badges.getAttribute('aria-checked')).toBe('true');
});

test('[D34] an admin can mute what only admins are told of', async () => {
  open('/settings/notifications', {}, { role: 'admin' });
  expect(await screen.findByRole('switch', { name: 'Invites used' })).toBeDefined();
});
