import { QueryObserver } from '@tanstack/react-query';
import { describe, expect, test, vi } from 'vitest';
import { me, serveApi, signedInAs } from '../testing/app.tsx';
import { followChanges } from './live.ts';
import { meQuery } from './me.ts';
import { createQueryClient, sinceFirstAsked } from './query-client.ts';
import { startSession } from './session-state.ts';

// Goes on under the timers that a test drives.
const patiently = { timeout: 30_000 };

test('[D35] news is heard wherever the network cuts the stream; comments and settings are not news', async () => {
  signedInAs();
  const text = 'retry: 60000\n\n: open\n\nid: 1\r\ndata: {"kinds":\r\ndata: ["stats"]}\r\n\r\n: still here\n\n';
  const bytes = [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte));
  const start = (stream: ReadableStreamDefaultController) => bytes.forEach((byte) => stream.enqueue(byte));
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(new ReadableStream({ start }))));
  const queryClient = createQueryClient();
  queryClient.setQueryData(['/api/dashboard/stats'], {});
  queryClient.setQueryData(['/api/me'], {});
  const stop = new AbortController();
  followChanges(queryClient, stop.signal);
  await expect.poll(() => queryClient.getQueryState(['/api/dashboard/stats'])?.isInvalidated).toBe(true);
  expect(queryClient.getQueryState(['/api/me'])?.isInvalidated).toBe(false);
  stop.abort();
});

test('[D38] a tab that gave its place to a newer page stays away until somebody comes back to it', async () => {
  signedInAs();
  const bodies = ['id: 7\ndata: {"kinds":[],"ended":"replaced"}\n\n', ': open\n\n'];
  const calls = serveApi({ 'GET /api/events': () => ({ body: bodies.shift() ?? '' }) });
  const queryClient = createQueryClient();
  const stop = new AbortController();
  vi.useFakeTimers();
  try {
    followChanges(queryClient, stop.signal);
    await vi.waitFor(() => expect(bodies).toHaveLength(1), patiently);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(calls).toHaveLength(1);
    queryClient.setQueryData(['/api/me'], {});
    window.dispatchEvent(new Event('focus'));
    await vi.waitFor(() => expect(queryClient.getQueryState(['/api/me'])?.isInvalidated).toBe(true), patiently);
    expect(calls.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '7']);
  } finally {
    stop.abort();
    vi.useRealTimers();
  }
});

describe('a page of a guest', () => {
  const guestsOnly = { status: 409, body: { status: 409, code: 'email/unconfirmed', message: 'Please confirm.' } };
  const pathOf = ({ url }: Request) => new URL(url).pathname;

  /** Its stream is refused to the first token; the account is read through the query that the page shows. */
  function guestPage(account: () => { isGuest: boolean }) {
    signedInAs();
    const calls = serveApi({
      'GET /api/events': ({ headers }) =>
        headers.get('authorization') === 'Bearer token-1' ? guestsOnly : { body: ': open\n\n' },
      'GET /api/me': () => ({ body: { ...me, ...account() } }),
    });
    const queryClient = createQueryClient();
    new QueryObserver(queryClient, meQuery).subscribe(() => undefined);
    const stop = new AbortController();
    followChanges(queryClient, stop.signal);
    const requestsTo = (path: string) => calls.filter((call) => pathOf(call) === path);
    return { asked: requestsTo, stop };
  }

  test('[D54] asks once for the stream and no more until the person is let in, and then opens it', async () => {
    vi.useFakeTimers();
    const { asked, stop } = guestPage(() => ({ isGuest: true }));
    try {
      await vi.waitFor(() => expect(asked('/api/events')).toHaveLength(1), patiently);
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect(asked('/api/events')).toHaveLength(1);
      expect(asked('/api/me').length).toBeLessThan(65);
      startSession('token-2', me);
      await vi.waitFor(() => expect(asked('/api/events')).toHaveLength(2), patiently);
      expect(asked('/api/events')[1]?.headers.get('authorization')).toBe('Bearer token-2');
    } finally {
      stop.abort();
      vi.useRealTimers();
    }
  });

  test('[D54] reads the account when the person comes back to it, and asks for nothing while nobody looks', async () => {
    let isGuest = true;
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    vi.useFakeTimers();
    const { asked, stop } = guestPage(() => ({ isGuest }));
    try {
      await vi.waitFor(() => expect(asked('/api/events')).toHaveLength(1), patiently);
      const before = asked('/api/me').length;
      await vi.advanceTimersByTimeAsync(600_000);
      expect(asked('/api/me')).toHaveLength(before);
      isGuest = false;
      hidden.mockReturnValue(false);
      document.dispatchEvent(new Event('visibilitychange'));
      await vi.waitFor(() => expect(asked('/api/me')).toHaveLength(before + 1), patiently);
      await vi.waitFor(() => expect(asked('/api/events')).toHaveLength(2), patiently);
    } finally {
      stop.abort();
      hidden.mockRestore();
      vi.useRealTimers();
    }
  });
});

test('[D35] a stream of a server that stops is opened again after the time that the server names', async () => {
  signedInAs();
  const bodies = ['retry: 60000\nid: 7\ndata: {"kinds":[],"ended":"stopping"}\n\n', ': open\n\n'];
  serveApi({ 'GET /api/events': () => ({ body: bodies.shift() ?? '' }) });
  const stop = new AbortController();
  vi.useFakeTimers();
  try {
    followChanges(createQueryClient(), stop.signal);
    await vi.waitFor(() => expect(bodies).toHaveLength(1), patiently);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(bodies).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    await vi.waitFor(() => expect(bodies).toHaveLength(0), patiently);
  } finally {
    stop.abort();
    vi.useRealTimers();
  }
});

test('[D35] the stream is opened with the bearer, resumes after what was seen, and then everything is refetched', async () => {
  signedInAs();
  const bodies = ['id: 7\ndata: {"kinds":["board"]}\n\n', ': open\n\n'];
  const calls = serveApi({ 'GET /api/events': () => ({ body: bodies.shift() ?? '' }) });
  const queryClient = createQueryClient();
  queryClient.setQueryData(['/api/leaderboard'], {});
  queryClient.setQueryData(['/api/me'], {});
  const stop = new AbortController();
  followChanges(queryClient, stop.signal);
  await expect.poll(() => queryClient.getQueryState(['/api/leaderboard'])?.isInvalidated).toBe(true);
  expect(queryClient.getQueryState(['/api/me'])?.isInvalidated).toBe(false);
  await expect.poll(() => queryClient.getQueryState(['/api/me'])?.isInvalidated).toBe(true);
  stop.abort();
  expect(calls.map(({ headers }) => [headers.get('authorization'), headers.get('last-event-id')])).toEqual([
    ['Bearer token-1', null],
    ['Bearer token-1', '7'],
  ]);
});

test('[D35] the first stream of a page says so, and what it tells from before the page asked is not news', async () => {
  signedInAs();
  const told = ['{"kinds":["teams"],"missed":700}', '{"kinds":["badges"],"missed":701}'];
  const bodies = [told.map((data) => `data: ${data}\n\n`).join(''), ': open\n\n'];
  const calls = serveApi({ 'GET /api/events': () => ({ body: bodies.shift() ?? '' }) });
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
  const queryClient = createQueryClient();
  for (const queryKey of [['/api/teams'], ['/api/badges']]) await queryClient.query({ queryKey, queryFn: () => ({}) });
  now.mockReturnValue(10_700);
  const stop = new AbortController();
  followChanges(queryClient, stop.signal);
  await expect.poll(() => queryClient.getQueryState(['/api/teams'])?.isInvalidated).toBe(true);
  expect(queryClient.getQueryState(['/api/badges'])?.isInvalidated).toBe(false);
  await expect.poll(() => bodies).toHaveLength(0);
  stop.abort();
  now.mockRestore();
  expect(calls.map(({ url }) => new URL(url).searchParams.has('first'))).toEqual([true, false]);
  queryClient.clear();
  expect(sinceFirstAsked(queryClient)).toBe(0);
});

test('[S18] a tab that nobody looks at asks for nothing of what it hears, and does as soon as somebody looks', async () => {
  signedInAs();
  const bodies = ['id: 1\ndata: {"kinds":["board"]}\n\nid: 2\nretry: 3600000\ndata: {"kinds":["me"],"own":["me"]}\n\n'];
  serveApi({ 'GET /api/events': () => ({ body: bodies.shift() ?? '' }) });
  const queryClient = createQueryClient();
  const asked: string[] = [];
  for (const queryKey of [['/api/leaderboard'], ['/api/me'], ['/api/feed']]) {
    queryClient.setQueryData(queryKey, {});
    const queryFn = () => ({ asked: asked.push(String(queryKey)) });
    new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => undefined);
  }
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const stop = new AbortController();
  vi.useFakeTimers();
  try {
    followChanges(queryClient, stop.signal);
    await vi.waitFor(() => expect(bodies).toHaveLength(0), patiently);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual([]);
    hidden.mockReturnValue(false);
    window.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(300);
    expect(asked.toSorted()).toEqual(['/api/leaderboard', '/api/me']);
  } finally {
    stop.abort();
    hidden.mockRestore();
    vi.useRealTimers();
  }
});

test('[D35] where a screen shows more, a wider stream is open before the one at hand is left', async () => {
  signedInAs();
  const streams: { shows: string | null; isLeft: boolean; openBefore: number; send(text: string): void }[] = [];
  vi.stubGlobal('fetch', (request: Request) => {
    const { promise, resolve } = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    const send = (text: string) =>
      void promise.then((controller) => controller.enqueue(new TextEncoder().encode(text)));
    const shows = new URL(request.url).searchParams.get('shows');
    const opened = { shows, isLeft: false, openBefore: streams.filter(({ isLeft }) => !isLeft).length, send };
    streams.push(opened);
    const cancel = () => void (opened.isLeft = true);
    return Promise.resolve(new Response(new ReadableStream({ start: resolve, cancel })));
  });
  const queryClient = createQueryClient();
  queryClient.setQueryData(['/api/me'], {});
  const stop = new AbortController();
  followChanges(queryClient, stop.signal);
  await expect.poll(() => streams).toHaveLength(1);
  const board = new QueryObserver(queryClient, { queryKey: ['/api/leaderboard'], queryFn: () => ({}) });
  const leave = board.subscribe(() => undefined);
  await expect
    .poll(() => streams.map(({ shows, isLeft }) => [shows, isLeft]))
    .toEqual([
      ['', true],
      ['board', false],
    ]);
  expect(streams[1]?.openBefore).toBe(1);
  streams[1]?.send('id: 1\ndata: {"kinds":["me"]}\n\n');
  await expect.poll(() => queryClient.getQueryState(['/api/me'])?.isInvalidated).toBe(true);
  leave();
  stop.abort();
});

test('[D35] a stream that ended leaves nothing behind on what all streams end with', async () => {
  signedInAs();
  const bodies = Array.from({ length: 6 }, (_, id) => `retry: 1\nid: ${id}\ndata: {"kinds":[]}\n\n`);
  serveApi({ 'GET /api/events': () => (bodies.length > 0 ? { body: bodies.shift() } : new Promise(() => undefined)) });
  const stop = new AbortController();
  const listening = new Set<unknown>();
  const leftAfter: number[] = [];
  const { signal } = stop;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...[type, listener, ...rest]: Parameters<typeof add>) => {
    listening.add(listener);
    leftAfter[bodies.length] = listening.size;
    add(type, listener, ...rest);
  };
  signal.removeEventListener = (...[type, listener, ...rest]: Parameters<typeof remove>) => {
    listening.delete(listener);
    remove(type, listener, ...rest);
  };
  followChanges(createQueryClient(), signal);
  await expect.poll(() => bodies).toHaveLength(0);
  const [afterAll, ...before] = leftAfter;
  expect(before.length).toBeGreaterThan(4);
  expect(afterAll).toBe(before[4]);
  stop.abort();
});
