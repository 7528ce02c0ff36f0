import { QueryObserver } from '@tanstack/react-query';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { serveApi, signedInAs } from '../testing/app.tsx';
import { takeEvents, type LiveEvent } from './live-events.ts';
import { followChanges } from './live.ts';
import { createQueryClient } from './query-client.ts';

const stream =
  'retry: 1000\n\n: open\n\nid: 1\ndata: {"kinds":["stats"]}\n\n: still here\n\nid: 2\r\ndata: a\r\ndata: b\r\n\r\n';

// Goes on under the timers that a test drives.
const patiently = { timeout: 30_000 };

test('[D35] events are read from the stream, comments and settings are not', () => {
  expect(takeEvents(stream).events).toEqual([
    { id: '1', data: '{"kinds":["stats"]}' },
    { id: '2', data: 'a\nb' },
  ]);
});

test('[D35] events are the same wherever the network cuts the stream', () => {
  const text = stream.replaceAll('\r\n', '\n');
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      let rest = '';
      const events: LiveEvent[] = edges.slice(1).flatMap((end, index) => {
        const taken = takeEvents(rest + text.slice(edges[index], end));
        rest = taken.rest;
        return taken.events;
      });
      expect(events).toEqual(takeEvents(text).events);
    }),
  );
});

test('[D35] a stream says how long to wait before the next connection', () => {
  const { events } = takeEvents('retry: 4200\nid: 3\ndata: {}\n\nretry: soon\ndata: {}\n\n');
  expect(events).toEqual([
    { id: '3', data: '{}', retryMilliseconds: 4200 },
    { id: undefined, data: '{}' },
  ]);
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
