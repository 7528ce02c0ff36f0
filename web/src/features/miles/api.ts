import type { Miles } from '@caravan/contracts/http/scores';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { ledgerOf } from '../../lib/answers.ts';
import { client } from '../../lib/api/generated/client.gen.ts';
import { nextCursor } from '../../lib/link.ts';
import { nullWhenSignedOut } from '../../lib/query-client.ts';

const pageSize = 25;

type LedgerPage = Miles & { next: string | null };

async function readLedger(cursor: string | null, signal: AbortSignal): Promise<LedgerPage> {
  const { data, response } = await client.get<{ 200: Miles }, unknown, true>({
    url: '/api/miles',
    query: { limit: pageSize, ...(cursor !== null && { cursor }) },
    responseStyle: 'fields',
    throwOnError: true,
    signal,
  });
  return { ...ledgerOf(data), next: nextCursor(response.headers.get('link')) };
}

/** The own ledger, newest first; every page carries the total that all entries add up to (D9). */
export const milesQuery = infiniteQueryOptions({
  queryKey: ['/api/miles'],
  queryFn: ({ pageParam, signal }) => nullWhenSignedOut(readLedger(pageParam, signal)),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page?.next ?? undefined,
});
