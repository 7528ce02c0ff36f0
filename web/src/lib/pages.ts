import { infiniteQueryOptions, keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from './api/generated/client.gen.ts';
import { isBadCursor } from './http-error.ts';
import { nullWhenSignedOut } from './query-client.ts';
import type { ReadKey, ReadPath } from './query-keys.ts';

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

const asItIs = <Row>(row: Row): Row => row;

type Completed<Row> = (queryClient: QueryClient, answer: Promise<Page<Row> | null>) => Promise<Page<Row> | null>;

/**
 * A list page by page, at the path that `key` spells; the next page is where the answer's Link header points (D17).
 * @param rowOf completes a row by what the specification does not promise (D44)
 * @param completed completes a page by what the app knows better
 */
export const pagedQuery = <Row>(
  key: ReadKey,
  limit: number,
  rowOf: (row: Row) => Row = asItIs,
  completed: Completed<Row> = (_, answer) => answer,
) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ client: queryClient, pageParam, signal }) => {
      const page = readPage<Row>(
        [key[0], ...key.slice(1).map(encodeURIComponent)].join('/'),
        { limit, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      ).then(({ rows, next }) => ({ rows: rows.map(rowOf), next }));
      return completed(queryClient, nullWhenSignedOut(page));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page?.next ?? undefined,
  });

/**
 * A long list one page at a time, however long it is: only what is shown is held, drawn and fetched again. Another
 * filter begins at the first page; the page before stays in sight while the next one loads.
 */
export function usePages<Row>(
  path: ReadPath,
  filter: Record<string, string>,
  limit: number,
  /** Completes a row by what the specification does not promise (D44). */
  rowOf: (row: Row) => Row = asItIs,
) {
  const name = JSON.stringify(filter);
  const [place, setPlace] = useState({ name, cursors: [] as readonly string[] });
  const cursors = place.name === name ? place.cursors : [];
  const cursor = cursors.at(-1);
  const query = useQuery({
    queryKey: [path, filter, cursor ?? ''],
    queryFn: ({ signal }): Promise<Page<Row> | null> => {
      const first = { ...filter, limit };
      if (cursor === undefined) return nullWhenSignedOut(readPage<Row>(path, first, signal));
      const page = readPage<Row>(path, { ...first, cursor }, signal).catch((error: unknown) => {
        if (!isBadCursor(error)) throw error;
        setPlace({ name, cursors: [] });
        return readPage<Row>(path, first, signal);
      });
      return nullWhenSignedOut(page);
    },
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  const next = query.isPlaceholderData ? null : (data?.next ?? null);
  return {
    ...query,
    rows: useMemo(() => data?.rows.map(rowOf), [data, rowOf]),
    /** How many rows stand before this page. */
    before: cursors.length * limit,
    onPrevious: cursors.length > 0 ? () => setPlace({ name, cursors: cursors.slice(0, -1) }) : null,
    onNext: next === null ? null : () => setPlace({ name, cursors: [...cursors, next] }),
  };
}

/** The cursor in `<…?cursor=…>; rel="next"`; null where there is no next page. @param link the answer's Link header */
export function nextCursor(link: string | null): string | null {
  const [, address] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? '') ?? [];
  return address === undefined ? null : new URL(address, 'http://any').searchParams.get('cursor');
}
