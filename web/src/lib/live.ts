import type { LiveMessage } from '@caravan/contracts/http/live';
import type { LiveTopic } from '@caravan/contracts/domain/live-topics';
import type { QueryClient } from '@tanstack/react-query';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import { SignedOutError } from './http-error.ts';
import { sessionFetch } from './http.ts';
import { type Closing, closingWith, isRefusedToGuests, letIn, personReturns } from './live-waits.ts';
import { TopicSubscriptions } from './live-subscriptions.ts';
import { type Heard, LivePage, spreadMilliseconds } from './live-page.ts';
import { meQuery } from './me.ts';
import { backOffMilliseconds, pause } from './backoff.ts';
import { sinceFirstAsked } from './query-client.ts';

const channelName = 'caravan:live';
/** A screen that opens shows one thing after the other. */
const settleMilliseconds = 200;

/** What tabs of a browser tell each other: what was heard, and what each of them shows; `who` asks for that. */
type Told = { heard: Heard } | { tab: string; shows: LiveTopic[] } | 'who';

/**
 * Keeps open pages current (D35): one tab of the browser holds the stream for what all of them show; each puts in place
 * what it hears or asks for it (design/live-pages.md). Ends with `signal`.
 */
export function followChanges(queryClient: QueryClient, signal: AbortSignal): void {
  const channel = new BroadcastChannel(channelName);
  const tab = crypto.randomUUID();
  const interest = new TopicSubscriptions();
  const page = new LivePage({
    queryClient,
    isLookedAt: () => !document.hidden,
    sinceFirstAsked: () => sinceFirstAsked(queryClient),
    ownTeamId: () => queryClient.getQueryData(meQuery.queryKey)?.team.id,
  });
  const show = () => {
    const shows = page.topics();
    if (interest.set(tab, shows)) channel.postMessage({ tab, shows } satisfies Told);
  };
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'observerAdded') queueMicrotask(show);
  });
  const stop = new AbortController();
  addEventListener('visibilitychange', () => document.hidden || page.look(), { signal: stop.signal });
  signal.addEventListener('abort', () => {
    channel.close();
    unsubscribe();
    stop.abort();
    page.close();
  });
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if (data === 'who') channel.postMessage({ tab, shows: page.topics() } satisfies Told);
    else if ('heard' in data) page.hear(data.heard);
    else interest.set(data.tab, data.shows);
  });
  const lead = () => {
    channel.postMessage('who' satisfies Told);
    return holdStream({ signal, interest, page, queryClient }, (heard) => {
      page.hear(heard);
      channel.postMessage({ heard } satisfies Told);
    });
  };
  show();
  const leading = 'locks' in navigator ? navigator.locks.request(channelName, { signal }, lead) : lead();
  leading.catch(() => undefined);
}

type Held = {
  readonly signal: AbortSignal;
  readonly interest: TopicSubscriptions;
  readonly page: LivePage;
  readonly queryClient: QueryClient;
};

/** Where a stream ended: what was seen last, and what the server asks for before the next one, or the next one itself. */
type StreamEnd = { lastEventId: string | undefined; waitFor?: 'person' | number; next?: Open };
/** A stream with what it carries. Whoever takes it closes it: then nothing of it is left behind. */
type Open = { readonly response: Response; readonly shows: readonly LiveTopic[]; readonly closing: Closing };

async function holdStream(held: Held, tell: (heard: Heard) => void): Promise<void> {
  const { signal, page, queryClient } = held;
  let end: StreamEnd = { lastEventId: undefined };
  let failures = 0;
  for (let connection = 0; !signal.aborted; connection += 1) {
    try {
      const isSeamless = end.next !== undefined;
      const open = end.next ?? (await openStream(end.lastEventId, held, connection === 0));
      failures = 0;
      if (connection > 0 && !isSeamless) tell('everything');
      end = await readStream(open, { ...held, tell, lastEventId: end.lastEventId });
    } catch (error) {
      if (error instanceof SignedOutError) return;
      end = { lastEventId: end.lastEventId };
      if (isRefusedToGuests(error)) {
        await letIn(queryClient, signal);
        continue;
      }
    }
    if (end.next) continue;
    failures += 1;
    // A gateway that went away leaves many pages behind: they come back one after the other.
    const spread = Math.random() * spreadMilliseconds(page.pages);
    // It gave its place to a page opened later: to come back at once would take that page's place in turn, for ever.
    if (end.waitFor === 'person') await personReturns(signal);
    else await pause((end.waitFor ?? backOffMilliseconds(failures)) + spread, signal);
  }
}

/** What was told between the page's first question and its first stream, that stream tells. */
async function openStream(lastEventId: string | undefined, { signal, interest }: Held, isFirst = false): Promise<Open> {
  const headers = new Headers({ accept: 'text/event-stream' });
  if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
  const shows = interest.topics();
  const url = new URL(`/api/events?shows=${shows.join(',')}`, location.origin);
  if (isFirst) url.searchParams.set('first', '');
  const closing = closingWith(signal);
  try {
    const request = new Request(url, { headers, signal: closing.signal, cache: 'no-store' });
    return { response: await sessionFetch(request), shows, closing };
  } catch (error) {
    closing.close();
    throw error;
  }
}

type Reading = Held & { readonly tell: (heard: Heard) => void; readonly lastEventId: string | undefined };

/** Reads a stream until it ends, or until tabs show more than it carries: then the next one is open before this one ends. */
async function readStream({ response, shows, closing }: Open, reading: Reading): Promise<StreamEnd> {
  const { signal, close } = closing;
  const end: StreamEnd = { lastEventId: reading.lastEventId };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let failure: Error | undefined;
  // What ends the reading cancels it. To race each read against this would leave something behind with every message.
  reading.interest
    .wider(shows, signal)
    .then(() => pause(settleMilliseconds, signal))
    .then(() => {
      signal.throwIfAborted();
      return openStream(end.lastEventId, reading);
    })
    .then((next) => {
      // One that opens too late is not the next one.
      if (signal.aborted) return next.closing.close();
      end.next = next;
      return reader?.cancel();
    })
    .catch((error: unknown) => {
      failure = error instanceof Error ? error : new Error(String(error));
      return reader?.cancel();
    })
    .catch(() => undefined);
  const parser = hearing(end, reading.tell);
  try {
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (failure) throw failure;
      if (value === undefined) return end;
      parser.feed(value);
    }
  } finally {
    reader?.cancel().catch(() => undefined);
    close();
  }
}

/** Takes events out of the text of a stream and notes in `end` what they say of its end. */
function hearing(end: StreamEnd, tell: (heard: Heard) => void): EventSourceParser {
  let retryMilliseconds: number | undefined;
  return createParser({
    onRetry: (milliseconds) => (retryMilliseconds = milliseconds),
    onEvent: ({ id, data }) => {
      const message = JSON.parse(data) as LiveMessage;
      end.lastEventId = id ?? end.lastEventId;
      delete end.waitFor;
      if (message.ended === 'replaced') end.waitFor = 'person';
      else if (retryMilliseconds !== undefined) end.waitFor = retryMilliseconds;
      retryMilliseconds = undefined;
      if (message.ended === undefined) tell(message);
    },
  });
}
