import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { eraseMe, readExport, requestExport } from '../../lib/api/generated/sdk.gen.ts';
import { download } from '../../lib/image-files.ts';
import { dataQuery } from '../../lib/query-client.ts';

const pollMilliseconds = 2000;

/** How far the export is; asked again as long as it is being built. */
export const exportQuery = queryOptions({
  ...dataQuery(['/api/me/export'], readExport),
  refetchInterval: ({ state }) => (state.data?.state === 'building' ? pollMilliseconds : false),
});

export function useRequestExport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => requestExport(),
    onSuccess: (state) => queryClient.setQueryData(exportQuery.queryKey, state),
    // It may have begun although the answer was lost.
    onError: () => queryClient.invalidateQueries({ queryKey: exportQuery.queryKey }),
  });
}

export function useDownloadExport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => download('/api/me/export/file', 'application/zip', 'caravan-export.zip'),
    // It may have expired meanwhile.
    onError: () => queryClient.invalidateQueries(exportQuery),
  });
}

export const useErase = () => useMutation({ mutationFn: (password: string) => eraseMe({ body: { password } }) });
