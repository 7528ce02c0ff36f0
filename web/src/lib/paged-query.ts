import { infiniteQueryOptions } from '@tanstack/react-query';
import { client } from './api/generated/client.gen.ts';
import { nextCursor } from './link.ts';
import { nullWhenSignedOut } from './query-client.ts';

export type Page<Row> = { rows: Row[]; next: string | null };

/** One page of a list, and the cursor of the next where the answer's Link header points to one (D17). */
export async function readPage<Row>(
  url: string,
  query: Record<string, string | number>,
  signal: AbortSignal,
): Promise<Page<Row>> {
  const { data, response } = await client.get<{ 200: Row[] }, unknown, true>({
    url,
    query,
    responseStyle: 'fields',
    throwOnError: true,
    signal,
  });
  return { rows: data, next: nextCursor(response.headers.get('link')) };
}

export const asItIs = <Row>(row: Row): Row => row;

/**
 * A list page by page, at the path that `key` spells; the next page is where the answer's Link header points (D17).
 * @param rowOf completes a row by what the specification does not promise (D44)
 */
export const pagedQuery = <Row>(
  key: readonly [string, ...string[]],
  limit: number,
  rowOf: (row: Row) => Row = asItIs,
) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      nullWhenSignedOut(
        readPage<Row>(
          [key[0], ...key.slice(1).map(encodeURIComponent)].join('/'),
          { limit, ...(pageParam !== null && { cursor: pageParam }) },
          signal,
        ).then(({ rows, next }) => ({ rows: rows.map(rowOf), next })),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page?.next ?? undefined,
  });
