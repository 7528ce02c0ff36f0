import type { LiveKind, LiveMessage } from '@caravan/contracts/http/live';
import type { QueryClient } from '@tanstack/react-query';
import { SignedOutError } from './http-error.ts';
import { sessionFetch } from './http.ts';
import { takeEvents } from './live-events.ts';
import { meQuery } from './me.ts';
import { backOffMilliseconds, pause } from './pause.ts';

/** The starts of the keys of the queries that show a kind of change. */
export const keysOf: Record<LiveKind, readonly string[]> = {
  // Settings too: an address changes when its link is opened somewhere else.
  me: ['/api/me', '/api/me/settings'],
  stats: ['/api/dashboard/stats'],
  board: ['/api/leaderboard'],
  feed: ['/api/feed'],
  logs: ['/api/logs', '/api/miles'],
  branding: ['/api/org/branding'],
  people: ['/api/users'],
  members: ['/api/members'],
  teams: ['/api/teams'],
  badges: ['/api/user/badges', '/api/badges'],
  challenges: ['/api/weekly-challenges', '/api/bonus-challenge', '/api/challenge-templates'],
  journey: ['/api/journey'],
};

const channelName = 'caravan:live';

/** What one tab hears it tells the others. `everything`: the stream was away, anything may have changed. */
type Heard = LiveMessage | 'everything';

/**
 * Keeps open pages current (D35): one tab of the browser holds the stream, all tabs refetch what they show of a change.
 * Ends with `signal`.
 */
export function followChanges(queryClient: QueryClient, signal: AbortSignal): void {
  const channel = new BroadcastChannel(channelName);
  signal.addEventListener('abort', () => channel.close());
  const refetch = (heard: Heard) => refetchChanged(queryClient, heard);
  channel.addEventListener('message', ({ data }: MessageEvent<Heard>) => refetch(data));
  const lead = () =>
    holdStream(signal, (heard) => {
      refetch(heard);
      channel.postMessage(heard);
    });
  const leading = 'locks' in navigator ? navigator.locks.request(channelName, { signal }, lead) : lead();
  leading.catch(() => undefined);
}

/** Marks what changed as stale; what is on the screen is fetched again at once. */
export function refetchChanged(queryClient: QueryClient, heard: Heard): void {
  if (heard === 'everything') {
    void queryClient.invalidateQueries();
    return;
  }
  const { kinds, teams } = heard;
  const ownTeamId = teams && queryClient.getQueryData(meQuery.queryKey)?.team.id;
  // Before it is known whose page this is, everything may be meant for it.
  const ofTeam = ownTeamId === undefined ? Object.values(teams ?? {}).flat() : (teams?.[ownTeamId] ?? []);
  for (const key of new Set([...kinds, ...ofTeam].flatMap((kind) => keysOf[kind])))
    void queryClient.invalidateQueries({ queryKey: [key] });
}

/** Where a stream ended: what was seen last, and what the server asks for before the next one. */
type StreamEnd = { lastEventId: string | undefined; waitFor?: 'person' | number };

async function holdStream(signal: AbortSignal, tell: (heard: Heard) => void): Promise<void> {
  let end: StreamEnd = { lastEventId: undefined };
  let failures = 0;
  for (let connection = 0; !signal.aborted; connection += 1) {
    try {
      const response = await openStream(end.lastEventId, signal);
      failures = 0;
      if (connection > 0) tell('everything');
      end = await readStream(response, tell, end.lastEventId);
    } catch (error) {
      if (error instanceof SignedOutError) return;
      end = { lastEventId: end.lastEventId };
    }
    failures += 1;
    if (end.waitFor === 'person') await personReturns(signal);
    else await pause(end.waitFor ?? backOffMilliseconds(failures), signal);
  }
}

function openStream(lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
  const headers = new Headers({ accept: 'text/event-stream' });
  if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
  return sessionFetch(new Request(new URL('/api/events', location.origin), { headers, signal, cache: 'no-store' }));
}

/**
 * Resolves when somebody comes back to this tab. It gave its place to a page opened later: to come back at once would take
 * that page's place in turn, for ever.
 */
function personReturns(signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  return new Promise<void>((resolve) => {
    const listening = { signal: stop.signal };
    addEventListener('focus', () => resolve(), listening);
    document.addEventListener('visibilitychange', () => document.hidden || resolve(), listening);
    signal.addEventListener('abort', () => resolve(), listening);
    if (signal.aborted) resolve();
  }).finally(() => stop.abort());
}

async function readStream(
  response: Response,
  tell: (heard: Heard) => void,
  lastEventId: string | undefined,
): Promise<StreamEnd> {
  let end: StreamEnd = { lastEventId };
  let rest = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return end;
    const taken = takeEvents(rest + value);
    rest = taken.rest;
    for (const { id, data, retryMilliseconds } of taken.events) {
      const message = JSON.parse(data) as LiveMessage;
      end = { lastEventId: id ?? end.lastEventId };
      if (message.ended === 'replaced') end.waitFor = 'person';
      else if (retryMilliseconds !== undefined) end.waitFor = retryMilliseconds;
      if (message.ended === undefined) tell(message);
    }
  }
}
