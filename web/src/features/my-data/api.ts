import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { eraseMe, readExport, requestExport } from '../../lib/api/generated/sdk.gen.ts';
import { sessionFetch } from '../../lib/http.ts';
import { dataQuery } from '../../lib/query-client.ts';

const pollMilliseconds = 2000;
const fileType = 'application/zip';

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
  });
}

/** Fetches the file with the session's token and hands it to the browser as a download. */
export function useDownloadExport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const address = new URL('/api/me/export/file', location.origin);
      const answer = await sessionFetch(new Request(address, { headers: { accept: fileType }, cache: 'no-store' }));
      save(await answer.blob(), 'caravan-export.zip');
    },
    // It may have expired meanwhile.
    onError: () => queryClient.invalidateQueries(exportQuery),
  });
}

function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(href);
}

export const useErase = () => useMutation({ mutationFn: (password: string) => eraseMe({ body: { password } }) });
