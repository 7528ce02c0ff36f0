import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signedInAs } from '../testing/app.tsx';
import { followChanges } from './live.ts';
import { createQueryClient } from './query-client.ts';

const stepMilliseconds = 100;
const statsKey = ['/api/dashboard/stats'];
const meKey = ['/api/me'];

let stop: AbortController;

beforeEach(() => {
  stop = new AbortController();
  signedInAs();
  vi.useFakeTimers();
  // Spread evenly, and the same in every run.
  let drawn = 0;
  vi.spyOn(Math, 'random').mockImplementation(() => (drawn += 0.618_034) % 1);
  // Each page is a browser of its own.
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      postMessage = () => undefined;
      close = () => undefined;
    },
  );
});
afterEach(() => {
  stop.abort();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Stream = { readonly send: (text: string) => void; readonly end: () => void };

/** A server whose open pages are cut off; `opened` says when each came, `asked` what pages have asked for since, and when. */
function serveManyPages() {
  const server = { version: 1, opened: [] as number[], asked: [] as { of: string; at: number }[] };
  const streams: Stream[] = [];
  vi.stubGlobal('fetch', () => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (its) => void (controller = its) });
    server.opened.push(Date.now());
    const send = (text: string) => controller?.enqueue(new TextEncoder().encode(text));
    streams.push({ send, end: () => controller?.close() });
    return Promise.resolve(new Response(body));
  });
  return Object.assign(server, {
    tell: (text: string) => streams.forEach(({ send }) => send(text)),
    endAll: () => streams.splice(0).forEach(({ end }) => end()),
  });
}

/** Opens pages that show their reader's standing, which the stream can carry, and what no stream carries. */
function openPages(server: ReturnType<typeof serveManyPages>, count: number) {
  return Array.from({ length: count }, (_, page) => {
    const queryClient = createQueryClient();
    for (const queryKey of [statsKey, meKey]) {
      queryClient.setQueryData(queryKey, { version: server.version });
      const queryFn = () => {
        server.asked.push({ of: `${page} ${queryKey.join()}`, at: Date.now() });
        return Promise.resolve({ version: server.version });
      };
      new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => undefined);
    }
    followChanges(queryClient, stop.signal);
    return queryClient;
  });
}

async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += stepMilliseconds)
    await vi.advanceTimersByTimeAsync(stepMilliseconds);
}

/** How many of these instants lie in one second at most. */
const mostInOneSecond = (instants: readonly number[]) =>
  Math.max(...instants.map((from) => instants.filter((at) => at >= from && at < from + 1_000).length));

const spanOf = (instants: readonly number[]) => Math.max(...instants) - Math.min(...instants);

const simulated = 50;

test.each([
  { pages: 10, comeWithin: 700, mostAtOnce: simulated },
  { pages: 300, comeWithin: 3_700, mostAtOnce: 26 },
  { pages: 3_000, comeWithin: 10_700, mostAtOnce: 11 },
])(
  '[S18] of $pages open pages those whose gateway went away come back one after the other, and what they missed is right',
  async ({ pages, comeWithin, mostAtOnce }) => {
    const server = serveManyPages();
    const clients = openPages(server, simulated);
    await pass(200);
    server.tell(`data: {"kinds":[],"pages":${pages}}\n\n`);
    await pass(200);
    expect([server.opened.length, server.asked.length]).toEqual([simulated, 0]);

    server.opened.length = 0;
    server.endAll();
    server.version = 2;
    await pass(13_000);
    expect(server.opened).toHaveLength(simulated);
    expect(spanOf(server.opened)).toBeGreaterThan(Math.min(pages * 8, 8_000));
    expect(spanOf(server.opened)).toBeLessThanOrEqual(comeWithin);
    expect(mostInOneSecond(server.opened)).toBeLessThanOrEqual(mostAtOnce);

    await pass(30_000);
    const versions = clients.flatMap((client) => [statsKey, meKey].map((key) => client.getQueryData(key)));
    expect(new Set(versions.map((data) => JSON.stringify(data)))).toEqual(new Set(['{"version":2}']));
    // Once for each query, and no more of them at a time than pages come back.
    expect(new Set(server.asked.map(({ of }) => of)).size).toBe(server.asked.length);
    expect(mostInOneSecond(server.asked.map(({ at }) => at))).toBeLessThanOrEqual(2 * mostAtOnce);
  },
);
