import type { FeedPost } from '@caravan/contracts/http/feed';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { client } from '../../lib/api/generated/client.gen.ts';
import { nextCursor } from '../../lib/link.ts';
import { nullWhenSignedOut } from '../../lib/query-client.ts';
import type { FeedTab } from './feed-tab.ts';

const pageSize = 10;

type Page = { posts: FeedPost[]; next: string | null };

async function readPage(tab: FeedTab, cursor: string | null, signal: AbortSignal): Promise<Page> {
  const { data, response } = await client.get<{ 200: FeedPost[] }, unknown, true>({
    url: `/api/feed/${tab}`,
    query: { limit: pageSize, ...(cursor !== null && { cursor }) },
    responseStyle: 'fields',
    throwOnError: true,
    signal,
  });
  return { posts: data, next: nextCursor(response.headers.get('link')) };
}

/** The posts of one tab, page by page; the next page is where the answer's Link header points. */
export const feedQuery = (tab: FeedTab) =>
  infiniteQueryOptions({
    queryKey: ['/api/feed', tab],
    queryFn: ({ pageParam, signal }) => nullWhenSignedOut(readPage(tab, pageParam, signal)),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page?.next ?? undefined,
  });
