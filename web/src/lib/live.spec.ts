import { liveKinds } from '@caravan/contracts/http/live';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { me, serveApi, signedInAs } from '../testing/app.tsx';
import { takeEvents, type LiveEvent } from './live-events.ts';
import { followChanges, keysOf, refetchChanged } from './live.ts';
import { createQueryClient } from './query-client.ts';

const stream =
  'retry: 1000\n\n: open\n\nid: 1\ndata: {"kinds":["stats"]}\n\n: still here\n\nid: 2\r\ndata: a\r\ndata: b\r\n\r\n';

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

test('[D35] every kind of change has its queries', () => {
  expect(Object.keys(keysOf).toSorted()).toEqual([...liveKinds].toSorted());
});

test('[D35] a change marks what shows it as stale and leaves the rest', () => {
  const queryClient = createQueryClient();
  const keys = [['/api/feed', 'all'], ['/api/leaderboard'], ['/api/me']];
  for (const key of keys) queryClient.setQueryData(key, {});
  const stale = () => keys.filter((key) => queryClient.getQueryState(key)?.isInvalidated).map(([path]) => path);
  refetchChanged(queryClient, { kinds: ['feed', 'board'] });
  expect(stale()).toEqual(['/api/feed', '/api/leaderboard']);
  refetchChanged(queryClient, 'everything');
  expect(stale()).toEqual(['/api/feed', '/api/leaderboard', '/api/me']);
});

test('[D14 D35] what changed for a team is read again by its members, and by whoever is not known yet', () => {
  const queryClient = createQueryClient();
  const key = ['/api/weekly-challenges'];
  queryClient.setQueryData(key, {});
  const isStaleAfter = (teamId: string) => {
    queryClient.setQueryData(key, {});
    refetchChanged(queryClient, { kinds: ['stats'], teams: { [teamId]: ['challenges'] } });
    return queryClient.getQueryState(key)?.isInvalidated;
  };
  expect(isStaleAfter('t2')).toBe(true);
  queryClient.setQueryData(['/api/me'], me);
  expect([isStaleAfter('t2'), isStaleAfter(me.team.id)]).toEqual([false, true]);
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
  await expect.poll(() => queryClient.getQueryState(['/api/leaderboard'])?.isInvalidated, { timeout: 5000 }).toBe(true);
  expect(queryClient.getQueryState(['/api/me'])?.isInvalidated).toBe(false);
  await expect.poll(() => queryClient.getQueryState(['/api/me'])?.isInvalidated, { timeout: 5000 }).toBe(true);
  stop.abort();
  expect(calls.map(({ headers }) => [headers.get('authorization'), headers.get('last-event-id')])).toEqual([
    ['Bearer token-1', null],
    ['Bearer token-1', '7'],
  ]);
});
