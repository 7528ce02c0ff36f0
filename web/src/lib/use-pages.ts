import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { asItIs, readPage, type Page } from './paged-query.ts';
import { nullWhenSignedOut } from './query-client.ts';

/**
 * A long list one page at a time, however long it is: only what is shown is held, drawn and fetched again. Another
 * filter begins at the first page; the page before stays in sight while the next one loads.
 */
export function usePages<Row>(
  path: string,
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
    queryFn: ({ signal }): Promise<Page<Row> | null> =>
      nullWhenSignedOut(readPage<Row>(path, { ...filter, limit, ...(cursor && { cursor }) }, signal)),
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
