import { QueryCache, QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { client } from './api/generated/client.gen.ts';
import { isBadCursor, SignedOutError } from './http-error.ts';
import type { ReadKey } from './query-keys.ts';

/**
 * Defaults of every query (9): no retry, never stale by itself, no refetch on focus, interval or reconnection. What
 * changes arrives through the live stream. A query without its own function GETs the path its key spells (7).
 */
export function createQueryClient(): QueryClient {
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      // A long list whose next page is gone is read again from its first page.
      onError: (error, { queryKey, state }) => {
        const isLongList = typeof state.data === 'object' && state.data !== null && 'pages' in state.data;
        if (isLongList && isBadCursor(error)) void queryClient.resetQueries({ queryKey, exact: true });
      },
    }),
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey, signal }) =>
          nullWhenSignedOut(client.get({ url: queryKey.join('/'), responseStyle: 'data', signal })),
        retry: false,
        // The loader has asked in advance, or another view has: the screen shows that failure and asks no second time.
        retryOnMount: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchInterval: false,
        // A failed call says so at once instead of waiting for the browser to believe that it is online.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  const cache = queryClient.getQueryCache();
  cache.subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'fetch' && !firstAsked.has(queryClient))
      firstAsked.set(queryClient, performance.now());
    // The next person's page asks anew.
    else if (event.type === 'removed' && cache.getAll().length === 0) firstAsked.delete(queryClient);
    // The next view of a failed query asks anew. A view that only moves within the page watches again at once.
    else if (event.type === 'observerRemoved')
      queueMicrotask(() => {
        const { query } = event;
        if (query.state.status === 'error' && query.getObserversCount() === 0) cache.remove(query);
      });
  });
  return queryClient;
}

const firstAsked = new WeakMap<QueryClient, number>();

/** Since when what the page shows may have changed behind it, in milliseconds before now. */
export function sinceFirstAsked(queryClient: QueryClient): number {
  const now = performance.now();
  return Math.ceil(now - (firstAsked.get(queryClient) ?? now));
}

/** The answer; null when the session has ended (8.1). */
export async function nullWhenSignedOut<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof SignedOutError) return null;
    throw error;
  }
}

/** A query for the path that `key` spells, read by its generated function. */
export function dataQuery<Answer>(key: ReadKey, read: (options: { signal: AbortSignal }) => Promise<Answer>) {
  return queryOptions({ queryKey: key, queryFn: ({ signal }) => nullWhenSignedOut(read({ signal })) });
}

/** Within this time of a failure, hovering a link and following it are one request, and so are two views of one page. */
const failureHoldsMilliseconds = 5_000;

/**
 * For a route's loader: starts a query before the screen that shows it. The screen shows a failure and offers to ask
 * again; one that has just happened is not asked again by the loader.
 */
export function inAdvance(queryClient: QueryClient, query: { readonly queryKey: QueryKey }): void {
  const { status, errorUpdatedAt } = queryClient.getQueryState(query.queryKey) ?? {};
  if (status === 'error' && Date.now() - (errorUpdatedAt ?? 0) < failureHoldsMilliseconds) return;
  queryClient.query(query as Parameters<QueryClient['query']>[0]).catch(() => undefined);
}
