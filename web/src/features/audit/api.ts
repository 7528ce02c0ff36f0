import type { AuditEntry } from '@caravan/contracts/http/audit';
import { infiniteQueryOptions, useMutation } from '@tanstack/react-query';
import { download } from '../../lib/download.ts';
import { readPage } from '../../lib/paged-query.ts';
import { nullWhenSignedOut } from '../../lib/query-client.ts';

const path = '/api/audit';
const pageSize = 25;

/** Dates are local ones, both included. */
export type AuditFilter = Partial<Record<'kind' | 'from' | 'to', string>>;

/** The log page by page, newest first; looked at anew whenever somebody comes to it. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [path, filter],
    queryFn: ({ pageParam, signal }) =>
      nullWhenSignedOut(
        readPage<AuditEntry>(
          path,
          { ...filter, limit: pageSize, ...(pageParam !== null && { cursor: pageParam }) },
          signal,
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page?.next ?? undefined,
    staleTime: 0,
    gcTime: 0,
  });

export const useDownloadAudit = () =>
  useMutation({
    mutationFn: (filter: AuditFilter) =>
      download(`${path}/file?${new URLSearchParams(filter)}`, 'text/csv', 'caravan-audit.csv'),
  });
